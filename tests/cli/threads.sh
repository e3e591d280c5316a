#!/bin/sh
# However many threads read: the same result, byte by byte.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
	srand(7)
	for (i = 0; length_so_far < 3500000; i++) {
		text = sprintf("proc %d %d/%d [%03d] %d.%06d: %d cycles%s:\n", rand() * 9, rand() * 30,
			rand() * 90, rand() * 8, i, rand() * 1000000, 1 + rand() * 100000,
			rand() < .2 ? ":u" : "")
		depth = rand() * 30
		for (d = 0; d < depth; d++)
			text = text sprintf("\t%x fun%d+0x%x (/usr/lib/lib%d.so)\n", rand() * 1e9,
				rand() * 300, rand() * 4096, rand() * 5)
		printf "%s\n", text
		length_so_far += length(text) + 1
	}
}' >in.perf
ok 'more than three megabytes' test "$(wc -c <in.perf)" -gt 3000000

run wick collapse -n 1 --tid --event all in.perf
is "$status" 0 'collapse -n 1 succeeds'
cp "$outfile" one
ok 'collapse -n 1 finds many stacks' test "$(wc -l <one)" -gt 1000
for threads in 2 8 0 4294967295; do
	run wick collapse -n $threads --tid --event all in.perf
	is "$status" 0 "collapse -n $threads succeeds"
	ok "collapse -n $threads prints the same as -n 1" cmp one "$outfile"
done
run_sh 'gzip -1c in.perf | wick collapse -n 8 --tid --event all'
ok 'collapse -n 8 of a compressed pipe prints the same as -n 1' cmp one "$outfile"
run_sh 'head -c 1500000 in.perf >first; tail -c +1500001 in.perf >second'
run wick collapse -n 1 first second
cp "$outfile" one
run wick collapse -n 8 first second
ok 'collapse -n 8 of several files prints the same as -n 1' cmp one "$outfile"

# A pack is deflated and written in threads, one of them while the picture is drawn.
run wick flame -q -n 8 in.perf -o page.html -o picture.svg -o packed.wick
is "$status" 0 'threads pack while the picture is drawn'
run wick collapse -n 1 in.perf
cp "$outfile" one
for file in page.html picture.svg packed.wick; do
	run wick collapse $file
	ok "$file holds what was read, packed in threads" cmp one "$outfile"
done
# Under another name it waits for the colors that the picture picks.
run inferno-flamegraph one
cp "$outfile" peer.svg
run wick collapse peer.svg
ok "inferno-flamegraph's picture holds what was read, packed in a thread" cmp one "$outfile"
# Both sides of a comparison are read at once.
sed 's/fun1;/fun2;/' one >two
run wick diff -n 1 one two
cp "$outfile" changes
run wick diff -n 8 one two
ok 'a comparison whose sides are read in threads is the same' cmp changes "$outfile"

run inferno-collapse-perf -n 1 in.perf
cp "$outfile" one
run inferno-collapse-perf -n 8 in.perf
ok 'inferno-collapse-perf -n 8 prints the same as -n 1' cmp one "$outfile"

# No empty lines: chunks end at headers
awk 'NF' in.perf >dense.perf
run wick collapse -n 1 --event all dense.perf
cp "$outfile" one
is "$(awk '{ n += $NF } END { print n }' one)" \
	"$(awk '/cycles(:u)?:$/ { n += $(NF - 1) } END { print n }' in.perf)" 'no sample is lost'
run wick collapse -n 8 --event all dense.perf
ok 'stacks without empty lines between them' cmp one "$outfile"
awk 'BEGIN {
	for (i = 0; i < 60000; i++)
		printf "proc%d %d [001] %d.000001: cycles: %x f%d (/lib/x.so)\n", i % 7, i % 11, i, i, i % 13
}' >flat.perf
ok 'more than three megabytes' test "$(wc -c <flat.perf)" -gt 3000000
run wick collapse -n 1 flat.perf
cp "$outfile" one
run wick collapse -n 8 flat.perf
ok 'samples of one line each' cmp one "$outfile"
is "$(awk '{ n += $NF } END { print n }' one)" 60000 'collapse counts all samples of a flat profile'

plan
