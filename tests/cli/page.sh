#!/bin/sh
# Files that people keep: what wick, inferno and flamegraph.pl drew is read back.
. "$(dirname "$0")/lib.sh"

corpus=$repo/fuzz/corpus/page

# Whatever was read, the file says the same of it as its input does.
same=0 nr_input=0
for input in "$tests"/golden/*/in.* "$tests"/golden/*/in; do
	wick collapse "$input" >want.out 2>want.err || continue
	# What weighs nothing is not drawn.
	! wick flame -q "$input" -o out.wick 2>&1 | grep -q 'no stacks found' || continue
	nr_input=$((nr_input + 1))
	wick collapse out.wick >got.out 2>got.err
	wick flame -q out.wick -o again.wick
	if cmp want.out got.out && cmp want.err got.err && cmp out.wick again.wick; then
		same=$((same + 1))
	else
		echo "# $input"
	fi
done
is "$same" "$nr_input" 'collapse prints the same for a .wick file as for its input'
ok 'more than 30 formats are compared as .wick files' [ "$nr_input" -gt 30 ]

# The code of a page: all of a page that shows one sample, but its data and its picture, is little (tests/browser/test_size.mjs has the limit).
echo 'a 1' | wick flame -q -o one.html
ok 'the code of a page is small' [ "$(wc -c <one.html)" -lt 74100 ]

# The pack inside a picture or a page
cat >perf.txt <<'END'
# ========
# captured on    : Thu Nov 19 01:36:57 2015
# hostname : box
# cmdline : /usr/bin/perf record -g ./secret
# ========
bash 12/13 [000] 1.5:  7 cycles:
	7f12 main+0x2 (/home/jane/bash)

sh 14/15 [000] 2.5:  3 cycles:
	7f13 work+0x2 (/home/jane/sh)

bash 12/13 [000] 3.5:  2 cycles:
	7f12 main+0x2 (/home/jane/bash)

END
run wick flame -q perf.txt -o perf.wick
is "$status" 0 'flame -o FILE.wick succeeds'
run wick collapse perf.wick
is "$out" 'bash;main 9
sh;work 3' 'is read'
run wick collapse --pid perf.wick
is "$out" 'bash-12;main 9
sh-14;work 3' 'with all that is known'
{
	printf '<!doctype html>\n<title>id="wick"&gt;</title><script type="x" id="wick">'
	base64 -w 0 perf.wick
	printf '</script>\n'
} >page.html
{
	printf '<?xml version="1.0"?>\n<!-- by wick -->\n<svg><g><title>x (1 samples, 100%%)</title></g><metadata id="wick">\n'
	base64 perf.wick
	printf '</metadata></svg>\n'
} >picture.svg
for file in page.html picture.svg; do
	run wick flame -q $file -o back.wick
	ok "$file: the same profile" cmp back.wick perf.wick
done
gzip -c picture.svg >picture.svgz
run wick collapse picture.svgz
is "$out" 'bash;main 9
sh;work 3' 'packed, too'
run_sh 'wick collapse page <page.html'
is "$out" 'bash;main 9
sh;work 3' 'from standard input, named'
run wick collapse perf.wick perf.txt page.html
is "$out" 'bash;main 27
sh;work 9' 'several add up'
run wick diff perf.wick page.html
like "$out" '^bash;main 9 9$' 'diff compares a .wick file with a page'

# Processors
sed -e 's/\[000\] 2.5/[013] 2.5/' -e 's/\[000\] 3.5/[002] 3.5/' perf.txt >cpus.txt
cpus() {
	wick report --by cpu,function --json "$1" | sed -n '/"rows"/,$p'
}
for file in cpus.wick cpus.svg cpus.html; do
	wick flame -q cpus.txt -o $file
	is "$(cpus $file)" "$(cpus cpus.txt)" "$file: each sample is of its processor"
done
like "$(cpus cpus.html)" '"13"' 'a page keeps several CPUs'
wick convert -q cpus.html -o back.wick
ok 'CPUs survive another conversion' cmp back.wick cpus.wick
is "$(wick collapse cpus.wick)" "$(wick collapse perf.txt)" 'a stack is the sum of all'
run wick flame -q --static cpus.txt -o static.svg
is "$status" 0 'a picture that holds nothing else holds no processors either'

# Samples in their order
run wick flame -q perf.txt --sort time -o ticks.wick
run wick collapse --order input ticks.wick
is "$out" 'bash;main 7
sh;work 3
bash;main 2' 'the order of the samples is kept where it was asked for'
run wick flame -q ticks.wick -o back.wick
run wick collapse --order input back.wick
is "$out" 'bash;main 7
sh;work 3
bash;main 2' 'and stays in the next file'
run wick collapse --order input perf.wick
is "$out" 'bash;main 7
sh;work 3
bash;main 2' 'and where they have times'
printf 'b 1\na 2\nb 3\n' >no-times
run wick flame -q no-times -o no-times.wick
run wick collapse --order input no-times.wick
is "$out" 'a 2
b 4' 'elsewhere every row is one sample'
run wick collapse ticks.wick perf.txt perf.wick
is "$out" 'bash;main 27
sh;work 9' 'files with and without it add up'

# For strangers
cat >mentions.py <<'END'
import sys, zlib
pack, words = open(sys.argv[1], 'rb').read(), sys.argv[2].split()
at, text = 8, b''
def number():
    global at
    v = shift = 0
    while True:
        byte = pack[at]
        at += 1
        v |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return v
while at < len(pack):
    at += 1
    size, packed = number(), number()
    body = pack[at:at + packed]
    at += packed
    text += body if size == packed else zlib.decompress(body)
print(' '.join(w for w in words if w.encode() in text))
END
words='box secret jane perf.txt main captured cycles'
is "$(python3 mentions.py perf.wick "$words")" "$words" 'a .wick file contains host, user, input and command'
run wick flame -q --anonymize perf.txt -o shown.wick
is "$(python3 mentions.py shown.wick "$words")" 'main captured cycles' '--anonymize leaves out who and where'
run wick collapse shown.wick
is "$out" 'bash;main 9
sh;work 3' 'and nothing else'

# Pictures of others
run wick collapse "$corpus/inferno.svg"
is "$out" 'a;b<x> 2
a;b<x>;c 3
a;d 7' 'what inferno drew'
is "$err" 'wick: 1 sample in frames too narrow to draw' 'collapse of an SVG by inferno counts frames too narrow to draw'
run wick collapse "$corpus/perl.svg"
is "$out" 'a 1199
a;_[k] 1
main 100' 'what flamegraph.pl drew, hanging'
printf 'main;work 6\nmain;work;b<T> 2\nmain 2\nidle;a (x) 10\n' >in.folded
want='idle;a (x) 10
main 2
main;work 6
main;work;b<T> 2'
for options in '--minwidth=0' '--minwidth=0 --inverted' '--minwidth=0 --width=500' '--minwidth=0 --flamechart'; do
	# shellcheck disable=SC2086  # a list of words
	inferno-flamegraph $options in.folded >peer.svg 2>/dev/null
	run wick collapse peer.svg
	is "$out" "$want" "collapse reads the SVG of inferno-flamegraph $options"
done
for options in '--minwidth=0' '--minwidth=0 --inverted --countname=ms' '--minwidth=0 --width=500'; do
	# shellcheck disable=SC2086
	flamegraph.pl $options in.folded >peer.svg 2>/dev/null
	run wick collapse peer.svg
	is "$out" "$want" "collapse reads the SVG of flamegraph.pl $options"
done

# What is wrong
head -c 100 perf.wick >cut.wick
run wick collapse cut.wick
is "$status" 1 'a file that is cut short'
like "$err" '^wick: cut.wick: truncated pack$' 'rejects a truncated pack'
printf '\211wick\r\n\002' >later.wick
run wick collapse later.wick
like "$err" 'version 2' 'rejects a pack of a later version'
sed 's/<script\(.*\)>iXdpY2sNCg../<script\1>iXdpY2sNCg*/' page.html >damaged.html
run wick collapse damaged.html
like "$err" 'the profile in the page is corrupt' 'collapse rejects a page that was changed'
printf '<!DOCTYPE html>\n<p>Hello</p>\n' >other.html
run wick collapse other.html
like "$err" 'the page has no wick profile' 'a page of others'
printf '<svg xmlns="http://www.w3.org/2000/svg"><rect x="1" y="2"/></svg>\n' >other.svg
run wick collapse other.svg
like "$err" 'not a flame graph' 'a picture of something else'

# wick's own pictures
wick flame -q --static in.folded -o static.svg
run wick collapse static.svg
is "$err" 'wick: static.svg: SVG written with --static, which holds no profile' 'a picture without data'
wick flame -q in.folded -o whole.svg
sed '/&#10;all</q' whole.svg >half.svg
run wick collapse half.svg
is "$err" 'wick: half.svg: truncated SVG' 'collapse rejects a truncated SVG'

# The picture for paper and for browsers without scripts: long names must not push frames out of it
python3 -c "
for i in range(100):
	print('main;' + ''.join('space%d::' % k for k in range(100)) + 'f%d 40' % i)
for i in range(3000):
	print('main;few;g%d 1' % i)" >long.folded
wick flame -q long.folded -o long.html
is "$(grep -c '^<g><title>.*&#10;space' long.html)" 100 'frames of long names are all there'
is "$(awk '/^<g><title>.*&#10;space/ && length > 400' long.html)" '' 'titles in the page are bounded'
like "$(cat long.html)" '<p>Frames narrower than [0-9.]+ % of the picture are omitted here\.</p>' 'the page without scripts says that narrow frames are omitted'
wick flame -q in.folded -o short.html
unlike "$(cat short.html)" 'are omitted here' 'a page with few rows says nothing about omitted ones'

printf 'main;std::map<%s>::find 3\nmain;b 1\n' "$(printf 'std::pair<int, long>, %.0s' $(seq 100))" >template.folded
wick flame -q template.folded -o template.svg
title=$(grep -o '<title>[^<]*std::map[^<]*</title>' template.svg | sed 's/\xc2\xa0/ /g; s/\xe2\x80\xaf/ /g')
like "$title" '^<title>3 samples, 75\.0 %&#10;std::map&lt;std::pair&lt;int, long&gt;, .*…</title>$' 'a title begins with the numbers, and the name follows'
is "$([ ${#title} -lt 4500 ] && echo bounded)" bounded 'the name in a title is bounded'

# The table for paper and for browsers without scripts
printf 'main;a 6\nmain;b 2\n' >old.folded
printf 'main;a 3\nmain;c 1\n' >new.folded
wick diff -q -o diff.html old.folded new.folded
is "$(grep -o '<thead>.*</thead>' diff.html | sed 's/<[^>]*>/ /g; s/  */ /g')" ' Before After Change Function ' 'the table of a diff has before, after and change'
is "$(grep -o '<tr><td>.*' diff.html | sed 's/&#160;//g; s/<[^>]*>/|/g; s/||*/|/g')" '|0samples, 0%|1sample, 25.0%|+25.0pt|c|
|2samples, 25.0%|0samples, 0%|&#8722;25.0pt|b|
|8samples, 100%|4samples, 100%|&#177;0pt|main|
|6samples, 75.0%|3samples, 75.0%|&#177;0pt|a|' 'shares are those of a side, and the largest changes come first'
printf 'sh 12 [000] 1.0: 1 cycles:\n\t7f12 f+0x2 (/bin/sh)\n\nsh 12 [000] 2.0: 5 page-faults:\n\t7f22 g+0x2 (/bin/sh)\n\n' >two.txt
wick flame -q --event all two.txt -o two.html
is "$(grep -o '<tr><td>.*' two.html | sed 's/&#160;//g; s/<[^>]*>/|/g; s/||*/|/g')" '|5count, 83.3%|5count, 83.3%|g|
|1count, 16.7%|1count, 16.7%|f|' 'no thread is a function, and what differs has no unit'

plan
