#!/bin/sh
# Input that cannot be read, or that is not what it should be: a clear message and status 1.
. "$(dirname "$0")/lib.sh"

run wick collapse missing
is "$status" 1 'a missing file is an error'
is "$out" '' 'a missing file gives no output'
is "$err" 'wick: missing: No such file or directory' 'a missing file is reported by name'

run wick collapse .
is "$status" 1 'a directory as input is an error'
is "$err" 'wick: .: is a directory' 'a directory as input is reported'
run wick collapse <.
is "$status" 1 'a directory as standard input is an error'
is "$err" 'wick: standard input: is a directory' 'a directory as standard input is reported'

# A file that opens and cannot be read, for root too.
run wick collapse /proc/self/mem
is "$status" 1 'a file that breaks off'
is "$err" 'wick: /proc/self/mem: Input/output error' 'a file that cannot be read is reported by name'

# A file that does not open: root may open anything, so it is somebody else who tries.
chmod 755 "$scratch" "$scratch/work"
cp "$WICK" "$scratch/program"
echo 'a 1' >secret
chmod 000 secret
if [ "$(id -u)" -ne 0 ]; then
	run "$scratch/program" collapse secret
elif setpriv --reuid=65534 --clear-groups "$scratch/program" --version >"$outfile" 2>&1; then
	run setpriv --reuid=65534 --clear-groups "$scratch/program" collapse secret
else
	status=
fi
if [ "$status" ]; then
	is "$status" 1 'an unreadable file is an error'
	is "$err" 'wick: secret: Permission denied' 'an unreadable file is reported by name'
else
	skip 'an unreadable file' 'root reads everything here, and setpriv does not work'
fi

run wick collapse <&-
is "$status" 1 'no standard input at all'
is "$err" 'wick: standard input: Bad file descriptor' 'a closed standard input is an error'

: >empty
for command in 'wick collapse empty' 'wick collapse folded empty' 'wick collapse perf empty' \
	'gzip -c empty | wick collapse' 'zstd -qc empty | wick collapse'; do
	run_sh "$command"
	is "$status" 1 "empty input is an error: $command"
	is "$out" '' "empty input gives no output: $command"
	like "$err" '^wick: .*(empty input|no samples)$' 'reports why empty input has no result'
done

echo 'hello world' >words
run wick collapse words
is "$status" 1 'a file of no format'
# shellcheck disable=SC2016  # the text itself
is "$err" 'wick: words: unknown format
hint: name it with --from FORMAT; `wick convert --formats` lists all' 'an unknown format is an error in two lines'
printf 'main;a 1\n' >good.folded
run wick collapse good.folded words
is "$status" 1 'one of several files is enough'
is "$out" '' 'one input of unknown format suppresses all output'

printf 'bash 12 [000] 1.5: 7 cycles:\n\t7f12 main+0x2 (/bin/bash)\n\n' >perf.txt
run wick collapse folded perf.txt
is "$status" 1 'the wrong --from format is an error'
like "$err" '2 malformed lines' 'the wrong --from format has its malformed lines counted'
like "$err" 'no stacks found' 'the wrong --from format is reported as one without stacks'
printf 'main;a 1\nmain;b 2\nmain;c 3\n' >in.folded
run wick collapse perf in.folded
like "$err" '2 lines that are not stack frames' 'reports lines that the given format does not have'

# Packed data that is damaged
yes 'main;some function;another function 12' | head -n 20000 | cat -n >long
awk '{ print "f" $0 }' long >long.folded
gzip -c long.folded >long.gz
zstd -qc long.folded >long.zst
for kind in gz zst; do
	head -c 2000 long.$kind >short
	run wick collapse short
	is "$status" 1 "truncated $kind data is an error"
	is "$out" '' "truncated $kind data gives no output"
	like "$err" '^wick: short: corrupt (gzip|zstd) data: unexpected end$' 'reports truncated compressed input'
	head -c 1000 long.$kind >broken
	head -c 3000 /dev/zero >>broken
	run wick collapse broken
	is "$status" 1 "corrupt $kind data is an error"
	like "$err" '^wick: broken: corrupt (gzip|zstd) data: ' "corrupt $kind data is reported"
done

# Bytes that mean nothing: an error or not, but never a crash, and never silence
for seed in 1 2 3 4 5; do
	python3 -c "import random, sys
random.seed($seed)
sys.stdout.buffer.write(bytes(random.choices(b'\n\t ;:()[]0123456789abcdef\0\xff', k=60000)))" >garbage
	run wick collapse garbage
	is "$status" 1 "garbage $seed is of no format"
	for format in folded perf; do
		run wick collapse "$format" garbage
		ok "reading random bytes as $format ends with status 0 or 1" test "$status" -le 1
		like "$err" '^wick: [0-9,]+ ' 'the malformed parts of random bytes are counted'
	done
done
head -c 300000 /dev/zero >zeros
run wick collapse zeros
is "$status" 1 'zeros are of no format'

# A line that does not end.  What memory it takes must not depend on its length.
if [ "$SANITIZED" = 1 ]; then
	size=100M
	limit=unlimited
else
	size=1G
	limit=200000
fi
endless() {
	run_sh "{ head -c $1 /dev/zero | tr '\\0' a; printf '\\nmain;a 1\\n'; } | { ulimit -v $limit; $2; }"
}
endless $size 'wick collapse folded -n 1 -v'
is "$status" 0 "a line of $size"
is "$out" 'main;a 1' 'a line that is too long is skipped'
like "$err" '^wick: 1 line too long to read' 'a line that is too long is counted'
endless 20M 'wick collapse folded --strict'
is "$status" 1 'strictly, it is an error'
like "$err" 'line longer than 16 MiB' '--strict rejects a line that is too long'
endless 1G 'wick collapse'
is "$status" 1 'a long line of unknown format is rejected at once'
like "$err" 'unknown format' 'rejects an endless input without reading all of it'

plan
