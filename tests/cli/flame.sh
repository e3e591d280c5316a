#!/bin/sh
# wick flame: what is drawn, where it goes, and names that want to be more than names.
. "$(dirname "$0")/lib.sh"

printf 'main;work;a 6\nmain;work;b 2\nmain 2\nidle 10\n' >in.folded
want='title: Flame Graph
0 0-100 all (20 samples, 100%)
1 0-50 idle (10 samples, 50.00%)
1 50-100 main (10 samples, 50.00%)
2 60-100 work (8 samples, 40.00%)
3 60-90 a (6 samples, 30.00%)
3 90-100 b (2 samples, 10.00%)'

# Where from, where to
run wick flame in.folded -o out.svg
is "$status" 0 '-o FILE'
is "$out" '' 'prints no result'
is "$err" 'wick: wrote out.svg' 'but says where it is'
is "$(frames out.svg)" "$want" 'and draws everything'
run wick flame in.folded -q -o out.svg
is "$err" '' '-q is quiet'
run wick flame in.folded
is "$err" 'wick: wrote flame.svg' 'flame.svg is where it goes by itself'
ok 'the same picture' cmp flame.svg out.svg
run_sh 'wick flame -o - <in.folded >piped.svg'
is "$status" 0 'standard input to standard output'
is "$err" '' 'without a word'
ok 'the same picture' cmp flame.svg piped.svg
run_sh 'wick flame -o - - <in.folded'
ok 'also as -' cmp "$outfile" flame.svg
run wick flame -o - in.folded in.folded
like "$(frames "$outfile")" '^3 60-90 a \(12 samples, 30.00%\)' 'several files add up'
printf 'bash 12 [000] 1.5: 7 cycles:\n\t7f12 main+0x2 (/bin/bash)\n\n' >perf.txt
run wick flame -o - perf.txt
like "$(frames "$outfile")" '^2 0-100 main \(7 samples' 'perf script'
gzip -c in.folded >in.gz
run wick flame -o - in.gz
ok 'and what is packed' cmp "$outfile" flame.svg

# What is wrong
: >empty
for input in empty nowhere; do
	cp flame.svg kept.svg
	run wick flame "$input" -o kept.svg
	is "$status" 1 "nothing to read: $input"
	like "$err" "^wick: $input: (the input is empty|No such file)" 'is an error'
	ok 'that leaves a good picture alone' cmp kept.svg flame.svg
done
run_sh 'printf "main 0\n" | wick flame -o kept.svg'
is "$status" 1 'nothing to draw'
is "$err" 'wick: no stacks found: the input has no samples' 'is an error too'
ok 'and leaves it alone as well' cmp kept.svg flame.svg
run wick flame in.folded -o no/such/place.svg
is "$status" 1 'a place that is not there'
is "$err" 'wick: no/such/place.svg: No such file or directory' 'is named'
run wick flame in.folded -o /dev/full
is "$status" 1 'a full disk'
is "$err" 'wick: /dev/full: No space left on device' 'is an error'
run wick flame --palette pink in.folded
is "$status" 2 'an unknown palette'
like "$err" "^wick: --palette: 'pink' is none of hot, mem" 'lists the others'
run wick flame --sort size in.folded
is "$status" 2 'an unknown order'
run wick flame --help
is "$status" 0 'wick flame --help'
like "$out" '^Usage: wick flame ' 'prints help'
printf 'main 1\nnonsense\n' >half.folded
run wick flame half.folded -o half.svg
is "$status" 1 'a file that is of no format'

# How it is drawn
run wick flame --flame -o - in.folded
is "$(frames "$outfile")" "$want" '--flame shows the same'
unlike "$(cat flame.svg)" "$(grep -o ' y="[^"]*" width="100.0000%"' "$outfile")" 'with the root at the bottom'
run wick flame --reverse -o - in.folded
is "$(frames "$outfile")" 'title: Flame Graph
0 0-100 all (20 samples, 100%)
1 0-30 a (6 samples, 30.00%)
1 30-40 b (2 samples, 10.00%)
1 40-90 idle (10 samples, 50.00%)
1 90-100 main (2 samples, 10.00%)
2 0-30 work (6 samples, 30.00%)
2 30-40 work (2 samples, 10.00%)
3 0-30 main (6 samples, 30.00%)
3 30-40 main (2 samples, 10.00%)' '--reverse starts at the leaves'
run wick flame --base work -o - in.folded
is "$(frames "$outfile")" 'title: Flame Graph
0 0-100 all (8 samples, 100%)
1 0-100 work (8 samples, 100.00%)
2 0-75 a (6 samples, 75.00%)
2 75-100 b (2 samples, 25.00%)' '--base is all there is'
run wick flame --base nobody -o - in.folded
is "$status" 1 'a base that nobody calls'
printf 'm;a 1\nm;b 2\nm;a 1\nm;c 4\n' >order.folded
run wick flame --sort width -o - order.folded
is "$(frames "$outfile" | cut -d ' ' -f 1-3 | tail -n 3)" '2 0-50 c
2 50-75 a
2 75-100 b' '--sort width'
run wick flame --sort time -o - order.folded
is "$(frames "$outfile" | cut -d ' ' -f 1-3 | tail -n 4)" '2 0-12 a
2 12-38 b
2 38-50 a
2 50-100 c' '--sort time merges neighbors only'
run wick flame --palette mem -o - in.folded
like "$(frames --colors "$outfile")" 'work .* rgb\(0,2[0-9]+,[0-9]+\)' '--palette mem is green'
run wick flame --palette java -o - in.folded
is "$status" 0 '--palette java'
run wick flame --min-width 300 -o - in.folded
unlike "$(frames "$outfile")" ' b ' '--min-width leaves out what is narrower'
run wick flame --width 300 -o - in.folded
like "$out" '<svg [^>]*width="300"' '--width'
run wick flame --title "<&\"'>" --subtitle ']]>' --notes '-- --> -' -o - in.folded
is "$(frames "$outfile" | head -n 2)" "title: <&\"'>
subtitle: ]]>" 'titles are text'
printf 'main;a 5 8\nmain;b 5 2\n' >two.folded
run wick flame -o - two.folded
is "$(frames --colors "$outfile")" 'title: Flame Graph
0 0-100 all (10 samples, 100%) rgb(250,250,250)
1 0-100 main (10 samples, 100.00%; 0.00%) rgb(250,250,250)
2 0-80 a (8 samples, 80.00%; +30.00%) rgb(255,100,100)
2 80-100 b (2 samples, 20.00%; -30.00%) rgb(100,100,255)' 'before and after'

printf 'main;a 7.5\nmain;b 2\n' >fraction.folded
run wick flame -o - fraction.folded
like "$(frames "$outfile")" 'main \(10 samples, 100.00%\)' 'shares are those of what was counted'

# Names that want to be more than names
hostile() {
	printf '%b 1\n' "$1" >hostile.folded
	run wick flame -q --width 20000 -o hostile.svg hostile.folded
	is "$(frames hostile.svg | sed -n '3s/ (1 samples.*//p')" "1 0-100 $2" "$3"
}
hostile '</title><script>alert(1)</script>' '</title><script>alert(1)</script>' 'a script'
hostile ']]>' ']]>' 'the end of a section'
hostile '<!-- x --><?xml?>' '<!-- x --><?xml?>' 'a comment'
hostile '&#x0&amp&nbsp' '&#x0&amp&nbsp' 'references'
hostile '" onload="x' '" onload="x' 'an attribute'
hostile 'a\0001b\0033c' 'a\ufffdb\ufffdc' 'control bytes'
hostile 'a\0000b' 'a\ufffdb' 'NUL'
hostile '\0377a\0303' '\ufffda\ufffd' 'bytes that are no characters'
hostile '\0355\0240\0200' '\ufffd\ufffd\ufffd' 'half a surrogate pair'
hostile '\0357\0277\0277' '\ufffd' 'what XML does not have'
hostile '\0342\0200\0256abc' '\u202eabc' 'text from right to left'
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "<"; print " 1" }' >hostile.folded
run wick flame -o hostile.svg hostile.folded
is "$status" 0 'a name of 100 kB'
like "$err" '1 name longer than wick keeps' 'is cut, which is said'
is "$(frames hostile.svg | wc -l)" 3 'and drawn'
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "f;"; print "leaf 1" }' >deep.folded
run wick flame -o deep.svg deep.folded
is "$(frames deep.svg | wc -l)" 3003 'a stack of 3000 frames'

plan
