#!/bin/sh
# wick convert: what is wrong with a command line or an input, and which formats there are.
. "$(dirname "$0")/lib.sh"

printf 'main;a 1\nmain;b 2\n' >in.folded
run wick convert in.folded -o out.wick
is "$status" 0 'folded stacks become a .wick file'
like "$err" '^wick: wrote out.wick: 3.*samples, 2.*stacks$' 'convert reports the file it wrote'
run wick convert out.wick -o out.txt
is "$(cat out.txt)" "$(cat in.folded)" 'convert turns .wick back into the same folded stacks'
run wick convert -q in.folded out.wick -o sum.folded
is "$(cat sum.folded)" 'main;a 2
main;b 4' 'several files are added up'
is "$err" '' 'convert -q prints no message'
run_sh 'wick convert - -o out.svg <in.folded'
is "$status" 0 '- is standard input'
ok 'an .svg is a picture' grep -q '<svg' out.svg

run wick convert in.folded
is "$status" 2 'convert without -o is a usage error'
is "$err" 'wick: no output given: expected -o FILE or --to FORMAT' 'rejects a command without an output'
run wick convert -o out.wick
is "$status" 2 'convert without input is a usage error'
like "$err" 'no input file given' 'rejects a command without an input'
for name in out.zzzzzz out. out; do
	run wick convert in.folded -o $name
	is "$status" 2 "rejects the output $name"
	is "$err" "wick: $name: unknown file extension
hint: use .svg or .html; \`wick convert --formats\` lists all" "rejects the output $name and points to --formats"
	ok 'no file is written' test ! -e $name
done
run wick convert in.folded -o out.htnl
is "$err" "wick: out.htnl: unknown file extension
hint: did you mean .html?  \`wick convert --formats\` lists all" 'suggests the nearest extension'
run wick convert in.folded --to pprf
is "$err" "wick: invalid value 'pprf' for --to
hint: did you mean 'pprof'?  \`wick convert --formats\` lists them" 'suggests the nearest output format'
run wick convert in.folded --to zzzzzz
is "$err" "wick: invalid value 'zzzzzz' for --to
hint: \`wick convert --formats\` lists them" 'an unknown output format points to --formats'

run wick convert in.folded -o out.data
is "$status" 1 'convert of folded stacks to .data is an error'
like "$err" 'in.folded: cannot convert folded stacks to perf.data: it has no addresses' \
	'rejects perf.data output for input without addresses'
is "$(echo out.data*)" 'out.data*' 'convert of folded stacks to .data leaves no file'

# The header of a recording down a pipe, and no records
printf 'PERFILE2\020\0\0\0\0\0\0\0' >none.data
run wick convert none.data -o out.data
is "$status" 1 'a recording without samples'
is "$err" 'wick: no stacks found: the input has no samples' 'rejects a command without an input'
is "$(echo out.data*)" 'out.data*' 'convert of a recording without samples leaves no file'
run wick convert none.data -o none.data
is "$status" 2 'a file that is read'
is "$err" 'wick: none.data is both input and output' 'convert rejects an output that is its input'
ln none.data same.data
run wick convert none.data -o same.data
is "$status" 2 'under another name neither'
run wick convert none.data none.data -o out.data
is "$status" 2 'convert of two recordings to .data is a usage error'
like "$err" 'cannot add up several recordings' 'convert reports that it cannot add up recordings'
echo kept >kept.data
run wick convert none.data -o kept.data
is "$(cat kept.data)" kept 'convert keeps the previous output if it fails'
run wick convert none.data -o no/such/folder.data
is "$status" 1 'a place that is not there'
is "$err" 'wick: no/such/folder.data: No such file or directory' 'convert reports an output directory that does not exist'
run wick convert missing.data -o out.data
is "$status" 1 'an input that is not there'
like "$err" 'missing.data: No such file' 'convert reports a missing input'

# When a recording was made: as its file has it, unless it says so itself
cp "$repo/fuzz/corpus/perf-data/chains" dated.data
dated() {
	touch -d "$1 UTC" dated.data
	wick convert -q dated.data -o "$2"
}
dated '2001-02-03 04:05:06' one.wick
dated '2002-03-04 05:06:07' two.wick
dated '2001-02-03 04:05:06' three.wick
ok 'another time is another fact' test "$(cksum <one.wick)" != "$(cksum <two.wick)"
ok 'convert writes the same bytes for the same time' cmp one.wick three.wick

# The page about formats
wick convert --formats | awk '/^[a-z]/ { print $1 }' | sort -u >formats
# shellcheck disable=SC2016  # the text itself
grep -o '^| `[a-z][a-z0-9-]*`' "$repo/docs/formats.md" | tr -d '|` ' | sort -u >documented
is "$(diff formats documented)" '' 'docs/formats.md has a row for each format that wick reads or writes'

# Filters, as every command that reads has them
printf 'main;parse;next 3\nmain;draw 2\n' >filter.folded
is "$(wick convert -q --focus parse --to folded filter.folded)" 'main;parse;next 3' 'convert keeps the stacks that --focus names'
is "$(wick convert -q --hide '^next' --to folded filter.folded)" 'main;draw 2
main;parse 3' 'convert leaves out the frames that --hide names'
run wick convert --focus parse -o out.data filter.folded
like "$err" 'a perf.data file cannot be filtered' 'convert rejects a filter for a perf.data file'

plan
