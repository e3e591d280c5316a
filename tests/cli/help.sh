#!/bin/sh
# Help, version, and command lines that are wrong.
. "$(dirname "$0")/lib.sh"

run wick
is "$status" 2 'wick alone is a wrong command line'
is "$out" '' 'and prints no result'
like "$err" '^Usage: wick COMMAND' 'but how it is used'

for option in --help -h help; do
	run wick "$option"
	is "$status" 0 "wick $option"
	like "$out" '^Usage: wick COMMAND' 'prints the help'
	like "$out" '^  collapse ' 'which lists the commands'
	like "$out" '^  flame ' 'flame'
	like "$out" '^  diff ' 'and diff'
	is "$err" '' 'and no message'
done

for option in --version -V; do
	run wick "$option"
	is "$status" 0 "wick $option"
	like "$out" '^wick [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]+(-dirty)?\))?$' 'prints the version'
	like "$out" '^built with libdw-[0-9.]+ .*libzstd-[0-9.]+' 'and what was compiled in'
done

run wick colapse
is "$status" 2 'an unknown command'
is "$out" '' 'prints no result'
is "$err" "wick: unknown command 'colapse'
hint: did you mean wick collapse?" 'and suggests the one that was meant'

run wick nothing
is "$status" 2 'a command unlike any other'
is "$err" "wick: unknown command 'nothing'
hint: \`wick --help\` lists the commands" 'has no suggestion'

echo 'a;b 1' >in.folded
run wick in.folded
is "$status" 2 'a file in place of a command'
is "$err" "wick: unknown command 'in.folded'
hint: to draw that file: wick flame in.folded -o flamegraph.html" 'and what draws it'

run wick --vresion
is "$err" "wick: unknown option '--vresion'
hint: did you mean --version?" 'options of wick itself are suggested too'

# wick help
for command in $(wick help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	run wick help "$command"
	is "$status" 0 "wick help $command"
	cp "$outfile" help.txt
	run wick "$command" --help
	ok 'is what its --help prints' cmp help.txt "$outfile"
	run wick "$command" --hlep
	is "$status$err" "2wick: unknown option '--hlep'
hint: did you mean --help?" 'suggests --help for --hlep'
done
run wick help flamegraph
like "$out" '^Usage: flamegraph ' 'wick help knows flamegraph'
run wick help flme
is "$status" 2 'wick help of an unknown command'
like "$err" '^hint: did you mean wick flame\?$' 'suggests one'
run wick help flame diff
is "$status" 2 'wick help takes one command'

for option in --help -h; do
	run wick collapse "$option"
	is "$status" 0 "wick collapse $option"
	like "$out" '^Usage: wick collapse \[FORMAT\] \[options\] \[FILE\.\.\.\]$' 'prints the help'
	like "$out" '^  -e, --event NAME,' 'with the options'
	is "$err" '' 'and no message'
done

run wick collapse --formats
is "$status" 0 'wick collapse --formats'
like "$out" '^perf +perf script text$' 'lists perf'
like "$out" '^folded +folded stacks$' 'and folded'

run wick collapse --evnt x
is "$status" 2 'an unknown option'
is "$out" '' 'prints no result'
is "$err" "wick: unknown option '--evnt'
hint: did you mean --event?" 'and suggests the one that was meant'

run wick collapse --nothing-like-it
is "$status" 2 'an option unlike any other'
is "$err" "wick: unknown option '--nothing-like-it'" 'has no suggestion'

run wick collapse --quite x
is "$err" "wick: unknown option '--quite'
hint: did you mean --quiet?" 'two letters that changed places'

run wick collapse --out x
is "$err" "wick: unknown option '--out'
hint: did you mean --output?" 'the beginning of a name'

run wick flame -title x
is "$err" "wick: unknown option '-t'
hint: did you mean --title?" 'a dash that is missing'

run wick collapse -Z
is "$status" 2 'an unknown letter'
is "$err" "wick: unknown option '-Z'" 'is named'

run wick collapse --event
is "$status" 2 'an option without its value'
is "$err" 'wick: --event requires a value' 'rejects an option without its value'

run wick collapse --weight heavy
is "$status" 2 'a value that is no choice'
is "$err" "wick: invalid value 'heavy' for --weight: expected auto, samples, period or latency" 'lists the choices'

run wick collapse -n many
is "$status" 2 'a number that is none'
is "$err" "wick: invalid value 'many' for -n: expected a whole number from 0 to 4294967295" 'is shown'

# In pages, as wick report
on_terminal() {
	script -qec "stty cols 80 rows 24; $1" /dev/null </dev/null 2>&1 | tr -d '\r'
}
if command -v script >/dev/null; then
	unset PAGER LESS
	for line in 'help' '--help' 'help flame' 'flame --help' 'help flamegraph'; do
		like "$(on_terminal "WICK_PAGER='sed s/^/paged:/' wick $line")" '^paged:Usage: ' "wick $line on a terminal has a pager"
		like "$(on_terminal "WICK_PAGER='echo LESS=\$LESS; cat' wick $line")" '^LESS=FRX$' 'which leaves when all fits'
	done
	for program in cargo-flamegraph stackcollapse-perf.pl; do
		like "$(on_terminal "PAGER='sed s/^/paged:/' $program --help")" '^paged:(Usage|USAGE): ' "$program --help has one"
	done
	for line in 'help' 'help flame'; do
		like "$(on_terminal "PAGER='sed s/^/paged:/' wick $line --no-pager")" '^Usage: ' "wick $line --no-pager has none"
	done
	for command in '' $(wick help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		is "$(on_terminal "WICK_PAGER= wick $command --help" | sed 's/…/./' | awk 'length > 80')" '' "wick $command --help fits in 80 columns"
		is "$(on_terminal "WICK_PAGER= wick $command --help" | tr -s ' \n' '  ')" \
			"$(wick ${command:+"$command"} --help | tr -s ' \n' '  ')" 'and has every word'
	done
	is "$(on_terminal 'stty cols 300; WICK_PAGER= wick record --help' | sed 's/…/./' | awk 'length > 100')" '' 'lines are never too long to read'
	like "$(wick record --help)" '^.{150}' 'but where programs read them'
	run_sh "WICK_PAGER='sed s/^/paged:/' wick flame --help"
	like "$out" '^Usage: ' 'help in a pipe is not paged'
	like "$(on_terminal "WICK_PAGER='sed s/^/paged:/' wick 2>&1")" '^Usage: ' 'the help after a wrong command line is not paged'
else
	skip 'a terminal' 'script (util-linux) is not here'
fi

# Each program in its own words
for program in flamegraph cargo-flamegraph; do
	run "$program" --outptu x
	is "$status" 2 "the status of $program for a wrong command line"
	like "$err" "^  tip: did you mean --output\\?$" 'and its way to suggest an option'
	run "$program" -o a.svg -o b.html -- true
	is "$status" 2 "$program writes one file"
	like "$err" "^error: the argument '--output <FILE>' cannot be used multiple times" 'rejects a second output file'
done

run inferno-collapse-perf --nonsense
is "$status" 2 "inferno's status for a wrong command line"
like "$err" "^error: " "and words"
like "$err" '^Usage: inferno-collapse-perf' 'and usage'

run inferno-collapse-perf a b
is "$status" 2 'inferno reads one file'
like "$err" "unexpected argument 'b' found" 'inferno-collapse-perf rejects a second file'

run stackcollapse-perf.pl --nonsense
is "$status" 255 "Perl's status for a wrong command line"
like "$err" '^USAGE: stackcollapse-perf\.pl \[options\] infile > outfile' 'and usage'

grep -v '^#' "$repo/dropins.list" >programs
while read -r program; do
	run "$program" --help </dev/null
	is "$status$err" 0 "$program --help"
	like "$out" '^([Uu]sage|USAGE): ' 'prints help'
done <programs

plan
