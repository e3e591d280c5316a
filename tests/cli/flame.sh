#!/bin/sh
# wick flame: what is drawn, where it goes, and names that want to be more than names.
. "$(dirname "$0")/lib.sh"

printf 'main;work;a 6\nmain;work;b 2\nmain 2\nidle 10\n' >in.folded
want='title: Flame Graph
details: 20 samples
0 0-100 all (20 samples, 100 %)
1 0-50 idle (10 samples, 50.0 %)
1 50-100 main (10 samples, 50.0 %)
2 60-100 work (8 samples, 40.0 %)
3 60-90 a (6 samples, 30.0 %)
3 90-100 b (2 samples, 10.0 %)'

# Where from, where to
run wick flame in.folded -o out.svg
is "$status" 0 'flame -o FILE succeeds'
is "$out" '' 'flame -o FILE prints nothing to standard output'
like "$err" '^wick: wrote out.svg: 20.*samples, 4.*stacks \(open it in a browser\)$' 'flame -o FILE reports the file that it wrote'
is "$(frames out.svg)" "$want" 'flame -o FILE draws all frames'
run wick flame in.folded -q -o out.svg
is "$err" '' 'flame -q prints no message'
run wick flame in.folded
like "$err" '^wick: wrote flamegraph.svg: ' 'writes flamegraph.svg by default'
ok 'flame without -o draws the same picture' cmp flamegraph.svg out.svg
run_sh 'wick flame -o - <in.folded >piped.svg'
is "$status" 0 'standard input to standard output'
is "$err" '' 'flame -o - prints no message'
is "$(frames piped.svg)" "$want" 'flame -o - draws the same picture'
run_sh 'wick flame -o - - <in.folded'
ok 'flame - reads standard input' cmp "$outfile" piped.svg
run wick flame -o - in.folded in.folded
like "$(frames "$outfile")" '^3 60-90 a \(12 samples, 30.0 %\)' 'several files add up'
printf 'bash 12 [000] 1.5: 7 cycles:\n\t7f12 main+0x2 (/bin/bash)\n\n' >perf.txt
run wick flame -o - perf.txt
like "$(frames "$outfile")" '^2 0-100 main \(7 cycles' 'flame draws perf script text'
gzip -c in.folded >in.gz
run wick flame -o - in.gz
is "$(frames "$outfile")" "$want" 'flame draws compressed input'

# Colors by state: tests/web/states.mjs has the same
printf 'main;run 10\nmain;wait;[lock];wake 30\nmain;both;[disk] 2\nmain;both 3\n' >waits.folded
states() {
	sed -n 's/.*&#10;\(.*\)<\/title><rect class="c\([0-9]*\)".*/\1 \2/p' "$1" | sort
}
run wick flame --static --color state waits.folded -o states.svg
is "$(states states.svg)" '[disk] 32
[lock] 50
all 0
both 5
main 49
run 4
wait 50
wake 50' 'a frame has a shade of the state in which most of its time was spent'
like "$(cat states.svg)" 'running.*lock.*disk' 'the legend lists the states'
run wick flame --static waits.folded -o kinds.svg
ok 'folded stacks are not colored by state unless that is asked for' sh -c '! grep -q ">running<" kinds.svg'

# What is wrong
: >empty
for input in empty nowhere; do
	cp flamegraph.svg kept.svg
	run wick flame "$input" -o kept.svg
	is "$status" 1 "nothing to read: $input"
	like "$err" "^wick: $input: (empty input|No such file)" "flame reports that $input cannot be drawn"
	ok "flame leaves the previous picture as it is if $input cannot be drawn" cmp kept.svg flamegraph.svg
done
run_sh 'printf "main 0\n" | wick flame -o kept.svg'
is "$status" 1 'flame of an input without samples is an error'
is "$err" 'wick: no stacks found: the input has no samples' 'flame reports an input without samples'
ok 'flame leaves the previous picture as it is without samples' cmp kept.svg flamegraph.svg
run wick flame in.folded -o no/such/place.svg
is "$status" 1 'a place that is not there'
is "$err" 'wick: no/such/place.svg: No such file or directory' 'flame reports an output directory that does not exist'
run wick flame in.folded --format svg -o /dev/full
is "$status" 1 'flame fails if the disk is full'
is "$err" 'wick: /dev/full: No space left on device' 'flame reports a full disk'
run wick flame --palette pink in.folded
is "$status" 2 'flame rejects an unknown palette'
like "$err" "^wick: invalid palette 'pink': expected one of hot, mem" 'flame lists the known palettes'
run wick flame --sort size in.folded
is "$status" 2 'flame rejects an unknown order'
run wick flame --help
is "$status" 0 'flame --help succeeds'
like "$out" '^Usage: wick flame ' 'flame --help prints the usage'
printf 'main 1\nnonsense\n' >half.folded
run wick flame half.folded -o half.svg
is "$status" 1 'a file that is of no format'

run wick flame in.folded -o out.png
is "$status" 2 'flame rejects an unknown extension'
like "$err" '^wick: out.png: unknown file extension' 'rejects an unknown extension'
run wick flame in.folded -o twice.svg -o twice.svg
is "$status" 2 'a file that would be written twice'
run wick flame --static in.folded -o out.html
is "$status" 2 'a page cannot be static'
run wick flame --color hue in.folded
is "$status" 2 'flame rejects an unknown color scheme'
like "$err" "expected kind, module, function, self, diff or state" 'flame lists the known color schemes'
run wick flame --color kind --palette hot in.folded
is "$status" 2 'a scheme and a palette'

# Files of all formats
run wick flame in.folded -o all.svg -o all.html -o all.wick
is "$status" 0 'three files at once'
is "$(printf '%s\n' "$err" | grep -c '^wick: wrote all')" 3 'flame reports each of three files'
like "$err" 'wrote all.wick: [^(]*$' 'flame does not suggest a browser for .wick'
ok 'the picture does not depend on the others' cmp all.svg flamegraph.svg
for file in all.svg all.html all.wick; do
	run wick collapse "$file"
	is "$out" 'idle 10
main 2
main;work;a 6
main;work;b 2' "$file holds all of it"
done
run wick flame --format wick in.folded -o -
ok '--format, to a pipe' cmp "$outfile" all.wick
run wick flame --static in.folded -o static.svg
unlike "$(cat static.svg)" '<script|<metadata' '--static has no script and no data'
is "$(frames static.svg)" "$want" '--static draws the same picture'
like "$(cat all.html)" "script-src( 'sha256-[A-Za-z0-9+/=]+')+; style-src 'sha256-" 'a page says which script may run'
unlike "$(cat all.html)" '[{][{](style|script|title|picture|top|data)' 'the page has no unfilled template'
unlike "$(cat all.html all.svg | grep -v '^<svg xmlns=')" 'https?://[a-vx-z]' 'nothing is loaded from elsewhere'

# How it is drawn
run wick flame --flame -o - in.folded
is "$(frames "$outfile")" "$want" '--flame shows the same'
like "$(cat flamegraph.svg)" '&#10;all</title>.* y="0" width="1179.5"' 'the root is at the top by default'
like "$out" '&#10;all</title>.* y="54" width="1179.5"' '--flame draws the root at the bottom'
run wick flame --reverse -o - in.folded
is "$(frames "$outfile")" 'title: Flame Graph
details: 20 samples
0 0-100 all (20 samples, 100 %)
1 0-30 a (6 samples, 30.0 %)
1 30-40 b (2 samples, 10.0 %)
1 40-90 idle (10 samples, 50.0 %)
1 90-100 main (2 samples, 10.0 %)
2 0-30 work (6 samples, 30.0 %)
2 30-40 work (2 samples, 10.0 %)
3 0-30 main (6 samples, 30.0 %)
3 30-40 main (2 samples, 10.0 %)' '--reverse starts at the leaves'
run wick flame --base work -o - in.folded
is "$status" 2 'flame --base is a usage error'
run wick flame --root nobody -o - in.folded
is "$status" 1 'flame --root of an unknown function is an error'
printf 'm;a 1\nm;b 2\nm;a 1\nm;c 4\n' >order.folded
run wick flame --sort width -o - order.folded
is "$(frames "$outfile" | cut -d ' ' -f 1-3 | tail -n 3)" '2 0-50 c
2 50-75 a
2 75-100 b' '--sort width'
run wick flame --sort time -o - order.folded
is "$(frames "$outfile" | cut -d ' ' -f 1-3 | tail -n 4)" '2 0-12 a
2 13-37 b
2 38-50 a
2 50-100 c' '--sort time merges neighbors only'
run wick flame --palette mem -o - in.folded
like "$(frames --colors "$outfile")" 'work .* #00[c-f][0-9a-f]{3}' '--palette mem is green'
run wick flame --palette java -o - in.folded
is "$status" 0 'flame --palette java succeeds'
run wick flame --min-width 300 -o - in.folded
unlike "$(frames "$outfile")" ' b ' 'flame --min-width omits narrower frames'
run wick flame --width 300 -o - in.folded
like "$out" '<svg [^>]*width="300"' 'flame --width sets the width of the picture'
run wick flame --title "<&\"'>" --subtitle ']]>' --notes '-- --> -' -o - in.folded
is "$(frames "$outfile" | head -n 2)" "title: <&\"'>
details: ]]>" 'titles are text'
printf 'main;a 50 80\nmain;b 50 20\n' >two.folded
run wick flame -o - two.folded
is "$(frames --colors "$outfile")" 'title: Flame Graph
details: 100 samples \u2192 100 samples
0 0-100 all (100 samples \u2192 100 samples, 100 % \u2192 100 %, \u00b10 pt) c70
1 0-100 main (100 samples \u2192 100 samples, 100 % \u2192 100 %, \u00b10 pt) c70
2 0-80 a (50 samples \u2192 80 samples, 50.0 % \u2192 80.0 %, +30.0 pt) c76
2 80-100 b (50 samples \u2192 20 samples, 50.0 % \u2192 20.0 %, \u221230.0 pt) c64' 'before and after'
printf 'main;a 5 8\nmain;b 5 2\n' >few.folded
run wick flame -o - few.folded
like "$(frames --colors "$outfile")" '^2 0-80 a .*\+30\.0 pt\) c76$' 'folded text tells no samples: nothing is called noise'
run wick flame --color diff -o two.svg two.folded
is "$status" 0 '--color diff of a comparison'
printf 'main;a 5\nmain;b 5\n' >few.before
run wick flame --color diff -o one.svg few.before
is "$status" 2 'flame --color diff of a single profile is a usage error'
like "$err" '^wick: --color diff requires a comparison' 'flame --color diff reports that it requires a comparison'
ok 'flame --color diff writes no picture of a single profile' test ! -e one.svg
printf 'main;a 8\nmain;b 2\n' >few.after
wick diff -q --counts samples -o few.wick few.before few.after
run wick flame -o - few.wick
like "$(frames --colors "$outfile")" '^2 0-62 a .*\+30\.0 pt, not significant\) c70$' 'a change of few samples is not significant'

printf 'worker 1 1.0: 1 cycles:\n\t1 f+0x1 (/a)\n\n' >thread.perf
run wick flame --palette hot -o - thread.perf
like "$out" '&#10;worker</title><rect fill="#[0-9a-f]*"' 'a palette colors threads'
unlike "$out" 'fill="#000000"' 'thread frames have a color of their own'

printf 'main;a 7.5\nmain;b 2\n' >fraction.folded
run wick flame -o - fraction.folded
like "$(frames "$outfile")" 'a \(7.50 samples, 78.9 %\)' 'shares are those of what was counted'

# Names that want to be more than names
hostile() {
	printf '%b 1\n' "$1" >hostile.folded
	run wick flame -q --width 20000 -o hostile.svg hostile.folded
	is "$(frames hostile.svg | sed -n '4s/ (1 sample, .*//p')" "1 0-100 $2" "$3"
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
hostile '\0342\0200\0256abc' '\ufffdabc' 'text from right to left'
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "<"; print " 1" }' >hostile.folded
run wick flame -o hostile.svg hostile.folded
is "$status" 0 'a name of 100 kB'
like "$err" '1 name longer than the limit' 'reports a name that is truncated'
is "$(frames hostile.svg | wc -l)" 4 'flame draws a frame with a hostile name'
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "f;"; print "leaf 1" }' >deep.folded
run wick flame -o deep.svg deep.folded
is "$(frames deep.svg | wc -l)" 3004 'a stack of 3000 frames'

# Numbers that are none of these
for option in '--min-width -1' '--width 0' '--width -5' '--width 1.5'; do
	# shellcheck disable=SC2086  # two words
	run wick flame $option -o x.svg in.folded
	is "$status" 2 "flame $option is a usage error"
	like "$err" "^wick: ${option% *} must " "flame $option is reported as out of range"
done

# An .svg alone holds as much as any file
printf 'sh 12 [000] 1.0: 1 cycles:\n\t7f12 first+0x2 (/bin/sh)\n\nsh 12 [000] 2.0: 1 cycles:\n\t7f22 second+0x2 (/bin/sh)\n\n' >timed.txt
run wick flame -q timed.txt -o timed.svg
run wick collapse --time 0.5..2 timed.svg
is "$out" 'sh;second 1' 'an .svg alone keeps the times'
printf 'sh 12 [000] 1.0: 1 cycles:\n\t7f12 first+0x2 (/bin/sh)\n  first.c:7\n\n' >lines.txt
run wick flame -q lines.txt -o lines.svg
run wick collapse --srcline lines.svg
like "$out" 'first.c:7' 'an SVG keeps source lines'

# Nothing is left out of a file that holds all events
printf 'sh 12 [000] 1.0: 1 cycles:\n\t7f12 f+0x2 (/bin/sh)\n\nsh 12 [000] 2.0: 5 page-faults:\n\t7f22 g+0x2 (/bin/sh)\n\n' >events.txt
for ending in svg html wick; do
	run wick flame events.txt -o "events.$ending"
	unlike "$err" 'left out' "all events are in an .$ending"
done
run wick collapse --event page-faults events.svg
is "$out" 'sh;g 5' 'an SVG keeps all events'
run wick flame --static events.txt -o events.svg
like "$err" 'other events are not shown' 'flame --static reports events that it does not show'

# A thread is not the function that is called like it
printf 'main 12 [000] 1.0: 1 cycles:\n\t7f12 work+0x2 (/bin/sh)\n\t7f13 main+0x2 (/bin/sh)\n\n' >main.txt
run wick flame -q main.txt -o main.svg
is "$(sed -n 's/.*&#10;\(main\)<.*<rect class="\(c[0-9]*\)" fill="#.*/\1 \2/p' main.svg | tr '\n' ' ')" 'main c1 main c5 ' 'the colors of a thread and of a function'
run wick flame -q main.txt -o main.html
is "$(grep -c '<td>main</td>' main.html)" 1 'a function called like its thread is in the table'
run wick collapse main.svg
is "$out" 'main;main;work 1' 'an SVG keeps a frame with the name of its thread'

# Colors are explained where the title leaves room
run wick flame -q --title "$(printf 'long %.0s' $(seq 40))" main.txt -o long.svg
unlike "$(cat long.svg)" 'class="legend" x=.*>user<' 'no legend over the title'
like "$(cat main.svg)" 'class="legend" x=.*>user<' 'a legend beside it'

# Pictures of other programs: a weight is as many samples
run_sh 'flamegraph.pl in.folded >peer.svg'
sed '/<script/,/<\/script>/d' peer.svg >bare.svg
run wick collapse --weight samples bare.svg
is "$out" "$(wick collapse in.folded)" 'samples of a picture that is read back'

plan
