#!/bin/sh
# inferno-flamegraph and flamegraph.pl: each program's options, messages, files and exit status.
. "$(dirname "$0")/lib.sh"

printf 'main;work;a 6\nmain;work;b_[k] 2\nmain 2\nidle 10\n' >in.folded
want='title: Flame Graph
0 0-100 all (20 samples, 100%)
1 0-50 idle (10 samples, 50.00%)
1 50-100 main (10 samples, 50.00%)
2 60-100 work (8 samples, 40.00%)
3 60-90 a (6 samples, 30.00%)
3 90-100 b (2 samples, 10.00%)'

for program in inferno-flamegraph flamegraph.pl; do
	run "$program" in.folded
	is "$status" 0 "$program FILE succeeds"
	is "$(frames "$outfile")" "$want" "$program FILE draws the file"
	run_sh "$program <in.folded"
	is "$(frames "$outfile")" "$want" "$program draws standard input"
	run "$program" in.folded in.folded
	like "$(frames "$outfile")" '^0 0-100 all \(40 samples' 'several files add up'
	run_sh "$program in.folded >/dev/full"
	ok 'a full disk is an error' test "$status" -ne 0
	run_sh "printf 'main\n' | $program"
	is "$(frames "$outfile")" 'title: ERROR: No valid input provided to flamegraph' 'no stacks: a picture says so'
	like "$err" '^(\[WARN  inferno::flamegraph\] )?Ignored 1 lines with invalid format$' "$program reports lines with an invalid format"
	run "$program" --inverted in.folded
	like "$(frames "$outfile")" '^title: Icicle Graph' "$program --inverted is titled Icicle Graph"
	run "$program" --flamechart in.folded
	like "$(frames "$outfile")" '^title: Flame Chart' "$program --flamechart is titled Flame Chart"
	run "$program" --inverted --title Mine --subtitle Below in.folded
	is "$(frames "$outfile" | head -n 2)" 'title: Mine
subtitle: Below' '--title, --subtitle'
	run "$program" --countname bytes --factor 1000 in.folded
	like "$(frames "$outfile")" '^1 0-50 idle \(10,000 bytes, 50.00%\)' "$program applies --countname and --factor"
	run "$program" --reverse in.folded
	like "$(frames "$outfile")" '^1 0-30 a ' "$program --reverse draws from the leaves"
	for colors in hot mem io red green blue yellow purple aqua orange java js perl wakeup; do
		run "$program" --colors "$colors" in.folded
		is "$status" 0 "$program --colors $colors succeeds"
	done
	run "$program" --nonsense
	ok 'an unknown option is a wrong command line' test "$status" -ne 0
	like "$err" "^(Usage|USAGE): $program" "$program prints its usage for an unknown option"

	# Attributes of functions
	printf 'a\thref=http://example.org/?a&b\ttitle=<A>\nwork\tid=w\tg_extra=onclick=f()\n' >attributes
	run "$program" --nameattr attributes in.folded
	is "$status" 0 "$program --nameattr succeeds"
	like "$(frames "$outfile")" '^3 60-90 <A> <http://example.org/\?a&b>$' 'a link with a title'
	like "$out" '<g id="w" onclick="f\(\)">' "$program --nameattr writes the attributes"

	# Colors that are kept
	mkdir kept
	printf 'work->rgb(1,2,3)\nbroken\n' >kept/palette.map
	run_sh "cd kept && $program --cp ../in.folded"
	like "$(frames --colors "$outfile")" '^2 .*work .* rgb\(1,2,3\)$' "$program --cp reads palette.map"
	is "$(sed 's/rgb(.*//' kept/palette.map)" '->
a->
b_[k]->
idle->
main->
work->' 'and writes it, sorted'
	cp "$outfile" first.svg
	run_sh "cd kept && $program --cp ../in.folded"
	is "$(frames --colors "$outfile")" "$(frames --colors first.svg)" 'the next picture has the same colors'
	unlike "$err" 'gnored|palette' "$program --cp reads a strange palette.map without complaints"
	rm -r kept
done

# inferno-flamegraph
for pair in '--hash --deterministic' '--reverse --no-sort' '--flamechart --no-sort' '--flamechart --reverse' \
	'--colordiffusion --colors=hot'; do
	# shellcheck disable=SC2086  # two words
	run inferno-flamegraph $pair in.folded
	is "$status" 2 "inferno-flamegraph $pair is a usage error"
	like "$err" "^error: The argument '--[a-z]+' cannot be used with '--[a-z-]+'" "inferno-flamegraph $pair is reported as contradictory"
	is "$out" '' "inferno-flamegraph $pair draws nothing"
done
for color in --bgcolors --uicolor --stroke-color --search-color --colors; do
	run inferno-flamegraph "$color" pink in.folded
	is "$status" 2 "inferno-flamegraph $color pink is a usage error"
	like "$err" '^error: .*pink' "inferno-flamegraph $color pink is reported"
	is "$out" '' "inferno-flamegraph $color pink draws nothing"
done
run inferno-flamegraph --bgcolors '#123456' --uicolor '#234567' --stroke-color '#345678' in.folded
like "$out" '#123456' 'inferno-flamegraph --bgcolors sets the background'
like "$out" 'fill="#234567"' 'inferno-flamegraph --uicolor sets the color of the controls'
like "$out" 'stroke:#345678' 'inferno-flamegraph --stroke-color sets the color of the strokes'
run inferno-flamegraph --stroke-color none in.folded
is "$status" 0 'inferno-flamegraph --stroke-color none succeeds'
printf 'b 1\na 2\n' >unsorted
run inferno-flamegraph --no-sort unsorted
is "$status" 1 'inferno-flamegraph --no-sort of unsorted lines is an error'
is "$err" 'Error: Custom { kind: InvalidData, error: "unsorted input lines detected" }' 'inferno-flamegraph --no-sort reports unsorted lines'
run inferno-flamegraph --no-sort in.folded
is "$status" 1 'inferno-flamegraph --no-sort takes another order than that of bytes for unsorted'
run_sh 'LC_ALL=C sort in.folded | inferno-flamegraph --no-sort'
is "$(frames "$outfile")" "$want" 'inferno-flamegraph --no-sort draws sorted lines'
run_sh ': | inferno-flamegraph'
is "$status" 1 'inferno-flamegraph without input is an error'
is "$err" '[ERROR inferno::flamegraph] No stack counts found
Error: Custom { kind: InvalidData, error: "No stack counts found" }' 'is an error'
run inferno-flamegraph missing
is "$status" 1 'inferno-flamegraph of a missing file is an error'
like "$err" '^Error: .*missing: No such file' 'inferno-flamegraph reports a missing file'
run inferno-flamegraph --nameattr missing in.folded
is "$status" 1 'inferno-flamegraph --nameattr of a missing file is an error'
printf 'a\tcolor=red\tid=1\tid=2\n' >attributes
run inferno-flamegraph --nameattr attributes in.folded
like "$err" '^\[WARN  inferno::flamegraph::attrs\] invalid attribute color found for a$' 'inferno-flamegraph warns about an unknown attribute'
like "$err" '^\[WARN  inferno::flamegraph::attrs\] duplicate attribute .id.' 'inferno-flamegraph warns about a duplicate attribute'
run inferno-flamegraph --base work in.folded
like "$(frames "$outfile")" '^1 0-100 work \(8 samples' 'inferno-flamegraph --base draws from that function'
run inferno-flamegraph --minwidth 20 in.folded
unlike "$(frames "$outfile")" ' b ' '--minwidth is in percent'
printf 'a 1.5\n' >fraction
run inferno-flamegraph fraction
like "$err" '^\[WARN  inferno::flamegraph::merge\] The input data has fractional' 'inferno-flamegraph warns about fractional counts'
like "$(frames "$outfile")" 'a \(1 samples' 'inferno-flamegraph truncates fractional counts'
run inferno-flamegraph -q fraction
is "$err" '' 'inferno-flamegraph -q prints no message'
run inferno-flamegraph --fontwidth 0 --height 1 --width 1 --notes '---' in.folded
is "$(frames "$outfile")" "$want" 'inferno-flamegraph draws with sizes of 0 and 1'
printf 'a\tg_extra=x<y=1 z="\001\377"\n' >attributes
run inferno-flamegraph -q --nameattr attributes --fonttype "$(printf 'a\001\377<"')" --notes "$(printf '\002-->')" in.folded
is "$(frames "$outfile")" "$want" 'odd bytes in options and files'

# flamegraph.pl
run flamegraph.pl -title x -sub y in.folded
is "$(frames "$outfile" | head -n 2)" 'title: x
subtitle: y' 'one dash, and as few letters as it takes'
run flamegraph.pl +title=x in.folded
is "$(frames "$outfile" | head -n 1)" 'title: x' 'flamegraph.pl accepts a plus sign for the dashes'
run flamegraph.pl --title '' --inverted in.folded
is "$(frames "$outfile" | head -n 1)" 'title: Icicle Graph' 'flamegraph.pl takes an empty title as none'
run flamegraph.pl --TITLE=x --color mem in.folded
is "$(frames "$outfile" | head -n 1)" 'title: x' 'flamegraph.pl accepts options in capital letters'
is "$err" 'Stack count is low (20). Did something go wrong?' 'flamegraph.pl warns about few samples'
run flamegraph.pl --countname=ms in.folded
is "$err" '' 'flamegraph.pl does not warn about few of another unit'
run flamegraph.pl --minwidth 20% in.folded
unlike "$(frames "$outfile")" ' b ' 'flamegraph.pl --minwidth 20% omits narrower frames'
run flamegraph.pl --minwidth 200 in.folded
unlike "$(frames "$outfile")" ' b ' 'flamegraph.pl --minwidth 200 omits narrower frames'
run flamegraph.pl --minwidth 100 in.folded
like "$(frames "$outfile")" ' b ' 'flamegraph.pl --minwidth 100 draws wider frames'
for width in x 1e3 -1 '' % 1%%; do
	run flamegraph.pl --minwidth="$width" in.folded
	is "$status" 255 "flamegraph.pl --minwidth '$width' is a usage error"
	like "$err" '^USAGE: flamegraph.pl' "flamegraph.pl --minwidth '$width' prints the usage"
done
run flamegraph.pl --minwidth 5px in.folded
is "$(head -n 1 "$errfile")" "Value '5px' is invalid for minwidth, expected a float." 'flamegraph.pl names a bad --minwidth in its words'
run flamegraph.pl --fontsize x in.folded
is "$(head -n 1 "$errfile")" 'Value "x" invalid for option fontsize (real number expected)' 'flamegraph.pl names a bad number in the words of Getopt::Long'
printf 'a 100\n' >one
run flamegraph.pl --fontsize 12.5 one
is "$(grep -o '<rect [^>]*' "$outfile" | grep -Eo ' (y|height)="[^"]*"' | tr -d '\n')" ' y="0" height="104.50" y="54.50" height="15" y="38.50" height="15"' 'flamegraph.pl draws frames at fractions of a pixel if the font size has one'
run flamegraph.pl --total 40 in.folded
like "$(frames "$outfile")" '^1 0-25 idle \(10 samples, 25.00%\)' 'flamegraph.pl --total sets the width of the root'
run flamegraph.pl --total 40 --minwidth 20% in.folded
unlike "$(frames "$outfile")" ' a ' 'flamegraph.pl --minwidth 20% is a share of --total'
run flamegraph.pl --total 5 --countname ms in.folded
is "$err" 'Specified --total 5 is less than actual total 20, so ignored' 'a total that is none'
like "$(frames "$outfile")" '^1 0-50 idle' 'flamegraph.pl ignores a --total below the sum'
printf 'abc 3\nabcd 3\nabcdef 994\n' >names
run flamegraph.pl --width 1200 --fontsize 1 --fontwidth 1 names
like "$out" '>abc</text>' 'a name that fits to the letter is whole'
like "$out" '>a\.\.</text>' 'one that is longer has two dots'
like "$out" 'rx:2px' 'flamegraph.pl draws round corners'
printf 'a;b;--;w;x 60\na;c 60\n' >chain
run flamegraph.pl --colors chain chain
is "$(grep -Eo 'title>[a-z-]+ |fill="rgb[^"]*' "$outfile" | paste -d ' ' - - | sed 's/title>//; s/fill="rgb(//' |
	awk '$1 !~ /all|-/ { split($2, c, ","); print $1, (c[2] > 150 ? "aqua" : "blue") }' | sort)" 'a blue
b blue
c blue
w aqua
x aqua' '--colors chain: who woke the thread has another color'
run_sh ': | flamegraph.pl'
is "$status" 2 'flamegraph.pl without input is an error'
is "$err" 'Stack count is low (0). Did something go wrong?
ERROR: No stack counts found' 'flamegraph.pl reports that there are no stack counts'
run_sh ': | flamegraph.pl --countname ms'
is "$err" 'ERROR: No stack counts found' 'flamegraph.pl does not call none of another unit few'
is "$(frames "$outfile")" 'title: ERROR: No valid input provided to flamegraph' 'flamegraph.pl without input draws the error'
run flamegraph.pl --colors pink in.folded
is "$status" 255 'an unknown palette is an error'
run flamegraph.pl --bgcolors pink in.folded
is "$status" 255 'an unknown background too'
is "$(head -n 1 "$errfile")" 'Unrecognized bgcolor option "pink"' 'flamegraph.pl names an unknown background in its words'
run flamegraph.pl --notes '<' in.folded
is "$status" 255 'flamegraph.pl rejects --notes with markup'
run flamegraph.pl --encoding 'a"b' in.folded
is "$status" 255 'flamegraph.pl rejects an invalid --encoding'
run flamegraph.pl --encoding iso-8859-1 in.folded
like "$out" '^<\?xml version="1.0" encoding="iso-8859-1"' 'flamegraph.pl --encoding sets the encoding'
run flamegraph.pl --nameattr missing in.folded
is "$status" 2 'flamegraph.pl --nameattr of a missing file is an error'
printf 'work id=w\na\tid=a\n' >attributes
run flamegraph.pl --nameattr attributes --countname ms in.folded
is "$status $err" '255 Invalid format in attributes' 'flamegraph.pl --nameattr reports a line without a tab'
like "$out" '<g id="a">' '… and writes the attributes of the others'
run inferno-flamegraph --nameattr attributes in.folded
is "$status $err" '0 ' 'inferno-flamegraph --nameattr skips a line without a tab'
run flamegraph.pl fraction
like "$(frames "$outfile")" 'a \(2 samples' 'flamegraph.pl rounds fractional counts'
printf ' b;c 20\nb;c 80\n' >indent
run flamegraph.pl indent
is "$(grep -o '<title>[^(]*' "$outfile" | sort)" '<title> b 
<title>all 
<title>b 
<title>c 
<title>c ' 'flamegraph.pl takes blanks at the start of a line as part of the name'
run inferno-flamegraph indent
is "$(grep -o '<title>[^(]*' "$outfile" | sort)" '<title>all 
<title>b 
<title>c ' 'inferno-flamegraph does not'
run flamegraph.pl --random in.folded
is "$(frames "$outfile")" "$want" 'flamegraph.pl --random draws the same frames'
printf 'b 2\na 1\nb 1\n' >order
run flamegraph.pl --flamechart order
is "$(frames "$outfile" | tail -n 3 | cut -d ' ' -f 1-3)" '1 0-50 b
1 50-75 a
1 75-100 b' 'a chart from the first line on'
printf 'a;b;c 300\na;x 200\nd;b;c 100\n' >order3
run flamegraph.pl --reverse --flamechart order3
is "$(frames "$outfile" | sed 1,2d | cut -d ' ' -f 1-3)" '1 0-50 c
1 50-83 x
1 83-100 c
2 0-50 b
2 50-83 a
2 83-100 b
3 0-50 a
3 83-100 d' 'flamegraph.pl --reverse --flamechart starts each stack at its leaf'
run inferno-flamegraph --flamechart order
is "$(frames "$outfile" | tail -n 3 | cut -d ' ' -f 1-3)" '1 0-25 b
1 25-50 a
1 50-100 b' 'and the other way in inferno'

# Data beyond wick's own limits: reported under every name.
printf 'a;b 18446744073709551616\nb 400\n' >large
for program in flamegraph.pl inferno-flamegraph 'difffolded.pl in.folded' 'inferno-diff-folded in.folded'; do
	# shellcheck disable=SC2086  # a program and its file
	run $program large
	is "$err" 'wick: 1 count too large to add up' "${program%% *} reports a count that is too large"
done
for program in inferno-flamegraph 'inferno-diff-folded in.folded'; do
	# shellcheck disable=SC2086
	run $program -q large
	is "$err" '' "${program%% *} -q reports nothing"
done

plan
