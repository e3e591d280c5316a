#!/bin/sh
# A progress line when reading takes more than a second, and only on a terminal.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { for (i = 0; i < 40000; i++) print "main;function" i " 1" }' >piece
ok 'a piece is more than is read at once' test "$(wc -c <piece)" -gt 524288

# Three pieces, the second one late.
cat >slow <<-'EOF'
	#!/bin/sh
	cat piece
	sleep 1.2
	cat piece piece
EOF
chmod +x slow

if ! command -v script >/dev/null; then
	skip 'progress on a terminal' 'script (util-linux) is not here'
	plan
fi

script -qec './slow | wick collapse folded >result' /dev/null >log 2>&1 </dev/null
is "$(wc -l <result)" 40000 'a slow input on a terminal is read'
like "$(cat log)" 'reading: [0-9]+ MB, [0-9]+ MB/s' 'the progress line shows megabytes and speed'
is "$(tail -c 4 log | od -An -tx1)" ' 0d 1b 5b 4b' 'on a line that is wiped in the end'

head -n 100 piece >little
# On a busy machine nothing is fast: once more, and where nothing ever is, there is progress to show.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	begin=$(date +%s%N)
	script -qec 'wick collapse folded little >result' /dev/null >log 2>&1 </dev/null
	slow=$(($(date +%s%N) - begin >= 1000000000))
	[ $slow = 1 ] || break
done
ok 'an input that is read in less than a second shows no progress' test "$slow" = 1 -o ! -s log

run_sh './slow | wick collapse folded'
is "$err" '' 'a slow input shows no progress in a pipe'

plan
