#!/bin/sh
# What could not be read: one line for all of it, -q, -v and --strict.
. "$(dirname "$0")/lib.sh"

printf 'main;a 1\nno count\nmain;b 2\n\nmain;c x\n# fine\nmain;d 99999999999999999999\n' >in.folded
run wick collapse folded in.folded
is "$status" 0 'malformed lines are left out'
is "$out" 'main;a 1
main;b 2' 'and the others are not'
is "$err" 'wick: 2 malformed lines, 1 count too large to add up (-v lists them)' \
	'one line tells of all'
run wick collapse -q folded in.folded
is "$err" '' '-q prints no notes'
is "$out" 'main;a 1
main;b 2' 'and changes nothing else'
run wick collapse -v folded in.folded
is "$err" 'wick: line 2: malformed line: no count
wick: line 5: malformed line: main;c x
wick: line 7: count too large to add up: 99999999999999999999
wick: 2 malformed lines, 1 count too large to add up' '-v lists them'
printf 'main;a 1\noops\n' >second.folded
run wick collapse -v folded in.folded second.folded
is "$err" 'wick: in.folded: line 2: malformed line: no count
wick: in.folded: line 5: malformed line: main;c x
wick: in.folded: line 7: count too large to add up: 99999999999999999999
wick: second.folded: line 2: malformed line: oops
wick: 3 malformed lines, 1 count too large to add up' 'and of several files, the file'
run_sh 'wick collapse -v folded second.folded - <in.folded'
like "$err" '^wick: standard input: line 2: malformed line: no count$' 'whatever it is called'
run wick collapse --strict folded in.folded
is "$status" 1 '--strict makes the first an error'
is "$out" '' '--strict prints nothing for a malformed line'
like "$err" '^wick: in\.folded: line 2: malformed line: no count$' '--strict names the malformed line'
run wick collapse --strict folded <in.folded
like "$err" '^wick: standard input: line 2: ' '--strict names the malformed line of standard input'
printf 'main;a 1\n\n# fine\nmain;b 2\n' >fine.folded
run wick collapse --strict folded fine.folded
is "$status" 0 'comments and empty lines are fine'

printf 'some warning\n\na 1 1.5: c:\n\t7f12 f (x)\n?\n\n\t7f f (x)\n\na 1 1.6: c:\n\na 1 1.7: PERF_RECORD_LOST lost 5\n' >in.perf
run wick collapse -v perf in.perf
is "$status" 0 'perf script text with odd lines'
is "$out" 'a 1
a;f 1' 'loses none of the samples'
is "$err" "$(printf '%s\n' 'wick: line 1: line that is not an event: some warning' \
	'wick: line 5: line that is not a stack frame: ?' \
	"wick: line 7: line that is not an event: \\x097f f (x)" \
	'wick: line 9: sample without a stack' \
	'wick: line 11: sample lost while recording' \
	'wick: 2 lines that are not events, 1 line that is not a stack frame, 1 sample without a stack, 5 samples lost while recording')" \
	'each note has its line'
cp in.perf after.perf
run wick diff -v in.perf after.perf
is "$(printf '%s\n' "$err" | grep -c '^wick: in\.perf: line ')" 5 'a comparison has several files'
is "$(printf '%s\n' "$err" | grep -c '^wick: after\.perf: line ')" 5 'diff -v lists malformed lines of both sides'
run wick collapse --strict perf in.perf
is "$status" 1 '--strict fails for a line that is not an event'
like "$err" '^wick: in\.perf: line 1: line that is not an event: some warning$' '--strict names the first line that is not an event'

# Over several chunks, with as many threads as you like
awk 'BEGIN {
	for (i = 1; i <= 40000; i++) {
		printf "proc%d %d [001] %d.5: cycles:\n\t7f%x f%d (/lib/x.so)\n", i % 5, i, i, i, i % 50
		if (i % 1000 == 0) print "\tno frame " i
		print ""
	}
}' >large.perf
ok 'more than a megabyte' test "$(wc -c <large.perf)" -gt 1000000
grep -n 'no frame' large.perf |
	sed 's/^\([0-9]*\):\t/wick: line \1: line that is not a stack frame: /' >want
echo 'wick: 40 lines that are not stack frames' >>want
for threads in 1 2 8; do
	run wick collapse -v -n $threads large.perf
	is "$err" "$(cat want)" "right numbers of lines with $threads threads"
done
run wick collapse --strict -n 8 large.perf
like "$err" "line $(sed -n '1s/wick: line \([0-9]*\).*/\1/p' want): " '--strict finds the first of them'

# A line too long is a line
awk 'BEGIN { print "a 1"; for (i = 0; i < 17 * 1024; i++) printf "%01024d", 0; print ""; print "bad" }' >long
run wick collapse -v folded long
like "$err" '^wick: line 3: malformed line: bad$' 'a line too long counts as a line'

# Recordings have records, not lines
recording=$repo/fuzz/corpus/perf-data/chains
head -c 1000 "$recording" >cut.data
run wick collapse --strict cut.data
like "$err" '^wick: cut.data: truncated input: record [0-9]+: truncated recording$' \
	'where a recording is cut'
for size in 90 200; do
	head -c "$size" "$recording" >cut.data
	run wick collapse cut.data
	is "$err" 'wick: cut.data: truncated recording: incomplete header' "cut after $size bytes"
done

# Folders that are not there
for option in symfs debug-dir; do
	run wick collapse "--$option" nowhere "$recording"
	is "$status" 2 "--$option of a missing directory is a usage error"
	is "$err" "wick: --$option: 'nowhere' is not a directory" 'rejects a directory that does not exist'
	run wick record "--$option" nowhere true
	is "$err" "wick: --$option: 'nowhere' is not a directory" "record rejects a missing --$option directory before it records"
done

# The peers' words
run inferno-collapse-perf in.perf
is "$status" 0 'inferno-collapse-perf accepts odd lines'
like "$err" 'WARN .*Weird event line: some warning' 'inferno-collapse-perf warns about odd lines'
run inferno-collapse-perf -q in.perf
is "$err" '' 'inferno-collapse-perf -q does not warn'
run stackcollapse-perf.pl in.perf
like "$err" '^Unrecognized line: ' 'the script has its own words'

plan
