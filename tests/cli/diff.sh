#!/bin/sh
# wick diff: what is compared, how it is counted, and the two programs it stands in for.
. "$(dirname "$0")/lib.sh"

printf 'main;a 6\nmain;b 2\n' >before
printf 'main;a 3\nmain;c 1\n' >after
want='main;a 6 3
main;b 2 0
main;c 0 1'

run wick diff before after
is "$status" 0 'two files'
is "$out" "$want" 'are compared'
is "$err" '' 'without a word'
run wick diff before before -- after
is "$out" 'main;a 12 3
main;b 4 0
main;c 0 1' 'several before, one after'
run wick diff before -- after after
is "$out" 'main;a 6 6
main;b 2 0
main;c 0 2' 'one before, several after'
run wick diff -o out.folded before after
is "$out$(cat out.folded)" "$want" '-o FILE'
run_sh 'wick diff - after <before'
is "$out" "$want" 'standard input'
run wick diff -n before after
is "$out" 'main;a 3 3
main;b 1 0
main;c 0 1' '-n: both weigh the same'
printf 'f+0x1a 1\nf+0x2b 2\n0x 3\n' >hex
run wick diff -s hex hex
is "$out" '0x 3 3
f+0x... 3 3' '-s: addresses are all the same'
printf 'a 9223372036854775807\nb 1\n' >large
printf 'a 1.5\nb 9223372036854775807\n' >larger
run wick diff -n large larger
is "$status" 0 'the largest counts'
like "$out" '^a [0-9.]+ 1.5$' 'do not overflow'

# Any format against any other
printf 'sh 12 [000] 1.5: 1 cycles:\n\t7f12 main+0x2 (/bin/sh)\n\n' >perf.txt
printf 'sh;main 4\nsh;other 5\n' >sh.folded
run wick diff perf.txt sh.folded
is "$out" 'sh;main 1 4
sh;other 0 5' 'perf script against folded'
run wick diff sh.folded perf.txt
is "$out" 'sh;main 4 1
sh;other 5 0' 'and folded against perf script'
run wick diff before after -o diff.folded
run wick flame diff.folded -o diff.svg
like "$(frames diff.svg)" 'main \(4 samples, 100 %' 'what wick flame draws'

# What is wrong
for files in '' before 'before after before' 'before --' '-- after'; do
	# shellcheck disable=SC2086  # several words
	run wick diff $files
	is "$status" 2 "one side is missing: '$files'"
	is "$err" 'wick: two files are compared, or several before and after --' 'and that is said'
done
run wick diff before missing
is "$status" 1 'a file that is not there'
is "$err" 'wick: missing: No such file or directory' 'is named'
run wick diff -o /dev/full before after
is "$status" 1 'a full disk'
printf 'main;a 1\nmain;b x\n' >odd
run wick diff before odd
is "$status" 1 'what is of no format'
run wick diff --help
is "$status" 0 'wick diff --help'
like "$out" '^Usage: wick diff ' 'prints help'

# inferno-diff-folded
run inferno-diff-folded before after
is "$status" 0 'inferno-diff-folded'
is "$out" "$want" 'compares'
run inferno-diff-folded -n before after
like "$out" '^main;b 1 0$' 'and normalizes'
printf 'main;a 1.5\nodd\n' >odd
run inferno-diff-folded odd after
is "$status" 0 'odd lines'
is "$err" '[WARN  inferno::differential] Unable to parse line: odd
[WARN  inferno::differential] The input data has fractional sample counts that will be truncated to integers' 'are told'
is "$out" 'main;a 1 3
main;c 0 1' 'and left out'
run inferno-diff-folded -q odd after
is "$err" '' 'unless nobody wants to know'
run inferno-diff-folded before
is "$status" 2 'one file only'
like "$err" '^Usage: inferno-diff-folded' 'is a wrong command line'
run inferno-diff-folded before missing
is "$status" 1 'a missing file'
like "$err" '^Error: missing: No such file' 'is an error'

# difffolded.pl
run difffolded.pl before after
is "$out" "$want" 'difffolded.pl'
run difffolded.pl -ns before after
is "$out" 'main;a 3 3
main;b 1 0
main;c 0 1' 'letters in one word'
run difffolded.pl odd after
is "$out" 'main;a 1.5 3
main;c 0 1' 'fractions stay'
run difffolded.pl before missing
is "$status" 2 'a missing file'
like "$err" "^ERROR: Can't read missing" 'cannot be read'
run_sh 'difffolded.pl before after >/dev/full'
is "$status" 2 'a full disk'
is "$err" 'ERROR: standard output: No space left on device' 'is no fault of the input'
run difffolded.pl before
is "$status" 2 'one file only'
like "$err" 'Usage: difffolded.pl' 'is a wrong command line'
run difffolded.pl -z before after
is "$status" 2 'an unknown letter'

plan
