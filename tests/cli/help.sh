#!/bin/sh
# Help, version, and command lines that are wrong.
. "$(dirname "$0")/lib.sh"

run wick
is "$status" 2 'wick alone is a wrong command line'
is "$out" '' 'wick without arguments prints nothing to standard output'
like "$err" '^Usage: wick COMMAND' 'wick without arguments prints the usage'

for option in --help -h help; do
	run wick "$option"
	is "$status" 0 "wick $option succeeds"
	like "$out" '^Usage: wick COMMAND' "wick $option prints the usage"
	like "$out" '^  collapse ' "wick $option lists collapse"
	like "$out" '^  flame ' "wick $option lists flame"
	like "$out" '^  diff ' "wick $option lists diff"
	is "$err" '' "wick $option prints no message"
done

for option in --version -V; do
	run wick "$option"
	is "$status" 0 "wick $option succeeds"
	like "$out" '^wick [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]+(-dirty)?\))?$' "wick $option prints the version"
	like "$out" '^built with libdw-[0-9.]+ .*libzstd-[0-9.]+' "wick $option prints the libraries"
done

run wick colapse
is "$status" 2 'an unknown command is a usage error'
is "$out" '' 'an unknown command prints nothing to standard output'
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
	is "$status" 0 "wick help $command succeeds"
	cp "$outfile" help.txt
	run wick "$command" --help
	ok "wick $command --help prints the same as wick help $command" cmp help.txt "$outfile"
	run wick "$command" --hlep
	is "$status$err" "2wick: unknown option '--hlep'
hint: did you mean --help?" 'suggests --help for --hlep'
done
run wick help flamegraph
like "$out" '^Usage: flamegraph ' 'wick help knows flamegraph'
run wick help flme
is "$status" 2 'wick help of an unknown command'
like "$err" '^hint: did you mean wick flame\?$' 'wick help suggests a command'
run wick help flame diff
is "$status" 2 'wick help takes one command'

for option in --help -h; do
	run wick collapse "$option"
	is "$status" 0 "wick collapse $option succeeds"
	like "$out" '^Usage: wick collapse \[FORMAT\] \[options\] \[FILE\.\.\.\]$' "wick collapse $option prints the usage"
	like "$out" '^  -e, --event NAME,' "wick collapse $option lists the options"
	is "$err" '' "wick collapse $option prints no message"
done

run wick collapse --formats
is "$status" 0 'wick collapse --formats succeeds'
like "$out" '^perf +perf script text$' 'wick collapse --formats lists perf'
like "$out" '^folded +folded stacks$' 'wick collapse --formats lists folded'

run wick collapse --evnt x
is "$status" 2 'an unknown option is a usage error'
is "$out" '' 'an unknown option prints nothing to standard output'
is "$err" "wick: unknown option '--evnt'
hint: did you mean --event?" 'and suggests the one that was meant'

run wick collapse --nothing-like-it
is "$status" 2 'an option unlike any other'
is "$err" "wick: unknown option '--nothing-like-it'" 'an unknown option that is like no other gets no suggestion'

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
is "$status" 2 'an unknown short option is a usage error'
is "$err" "wick: unknown option '-Z'" 'an unknown short option is named'

run wick collapse --event
is "$status" 2 'an option without its value'
is "$err" 'wick: --event requires a value' 'rejects an option without its value'

run wick collapse --weight heavy
is "$status" 2 'a value that is no choice'
is "$err" "wick: invalid value 'heavy' for --weight: expected auto, samples, period or latency" 'an invalid choice is reported with the valid ones'

run wick collapse -n many
is "$status" 2 'a number that is none'
is "$err" "wick: invalid value 'many' for -n: expected a whole number from 0 to 4294967295" 'an invalid number is reported with the valid range'

# In pages, as wick report
on_terminal() {
	script -qec "stty cols 80 rows 24; $1" /dev/null </dev/null 2>&1 | tr -d '\r'
}
if command -v script >/dev/null; then
	unset PAGER LESS
	for line in 'help' '--help' 'help flame' 'flame --help' 'help flamegraph'; do
		like "$(on_terminal "WICK_PAGER='sed s/^/paged:/' wick $line")" '^paged:Usage: ' "wick $line on a terminal has a pager"
		like "$(on_terminal "WICK_PAGER='echo LESS=\$LESS; cat' wick $line")" '^LESS=FRX$' "wick $line calls a pager that exits if all fits on the screen"
	done
	for program in cargo-flamegraph stackcollapse-perf.pl; do
		like "$(on_terminal "PAGER='sed s/^/paged:/' $program --help")" '^paged:(Usage|USAGE): ' "$program --help calls a pager"
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
	like "$(wick record --help)" '^.{150}' 'lines of help are not wrapped in a pipe'
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
	like "$err" "^  tip: did you mean --output\\?$" "$program suggests an option in clap's words"
	run "$program" -o a.svg -o b.html -- true
	is "$status" 2 "$program writes one file"
	like "$err" "^error: the argument '--output <FILE>' cannot be used multiple times" 'rejects a second output file'
done

run inferno-collapse-perf --nonsense
is "$status" 2 "inferno's status for a wrong command line"
like "$err" "^error: " "inferno-collapse-perf reports an unknown option in clap's words"
like "$err" '^Usage: inferno-collapse-perf' 'inferno-collapse-perf prints its usage for an unknown option'

run inferno-collapse-perf a b
is "$status" 2 'inferno reads one file'
like "$err" "unexpected argument 'b' found" 'inferno-collapse-perf rejects a second file'

run stackcollapse-perf.pl --nonsense
is "$status" 255 "Perl's status for a wrong command line"
like "$err" '^USAGE: stackcollapse-perf\.pl \[options\] infile > outfile' 'stackcollapse-perf.pl prints its usage for an unknown option'

grep -v '^#' "$repo/dropins.list" >programs
while read -r program; do
	run "$program" --help </dev/null
	is "$status$err" 0 "$program --help succeeds without messages"
	like "$out" '^([Uu]sage|USAGE): ' "$program --help prints the usage"
done <programs

plan
