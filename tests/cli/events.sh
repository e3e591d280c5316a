#!/bin/sh
# Several events, and what a sample weighs.
. "$(dirname "$0")/lib.sh"

sample() { # comm, period, event, function
	printf '%s 12 [000] 1.5: %s %s:\n\t7f12 %s (/bin/x)\n\n' "$@"
}
{
	sample a 10 cycles:u f
	sample a 20 cycles:k g
	sample a 3 instructions f
	sample a 30 cycles:u f
	for i in 1 2 3; do
		sample b "$i" branches h
	done
} >in.perf

run wick collapse in.perf
is "$status" 0 'collapse of several events succeeds'
is "$out" 'a;f 40' 'the first is written'
is "$err" 'wick: other events are not shown: cycles:k, instructions, branches; use --event NAME, or --event all to add them up' \
	'and the others are named'
run wick collapse -q in.perf
is "$err" '' '-q is quiet about it'
run wick collapse --event instructions in.perf
is "$out" 'a;f 3' '--event selects another event'
run wick collapse --event cycles in.perf
is "$out" 'a;f 40
a;g 20' 'without modifiers, all of them are meant'
run wick collapse -e cycles:k in.perf
is "$out" 'a;g 20' '--event with a modifier selects exactly that event'
run wick collapse --event all in.perf
is "$out" 'a;f 43
a;g 20
b;h 6' 'all is all'
is "$err" 'wick: events are added up by weight: cycles, instructions, branches' '--event all reports the events that it adds up'
run wick collapse -q -e instructions,branches in.perf
is "$out" 'a;f 3
b;h 6' 'several names with commas between are added up'
run wick collapse -e instructions,brancher in.perf
like "$err" "^wick: unknown event 'brancher'; the input has: " 'an unknown event of a list is reported'
run wick collapse -q -e cpu,branches in.perf
is "$out" 'a;f 40
a;g 20
b;h 6' 'cpu is the event that samples time on CPU'
run wick collapse --event cycle in.perf
is "$status" 1 'an event that is not there'
is "$out" '' 'an unknown event gives no output'
like "$err" "^wick: unknown event 'cycle'; the input has: cycles:u, cycles:k, instructions, branches$" \
	'and lists those that are'

# An event with many samples must not hide that there is another
{
	sample a 1 cycles f
	i=0
	while [ $i -lt 150 ]; do
		sample a 1 instructions f
		i=$((i + 1))
	done
	sample a 1 branches f
} >many.perf
run wick collapse many.perf
like "$err" 'not shown: instructions, ' 'one with many samples is named'
like "$err" ', branches; ' 'collapse names an event with few samples too'

run wick collapse --weight samples --event all in.perf
is "$out" 'a;f 3
a;g 1
b;h 3' '--weight samples counts them'
run wick collapse --weight period --event all in.perf
is "$out" 'a;f 43
a;g 20
b;h 6' '--weight period adds their periods'
sample a 250000 cpu-clock:u f >clock.perf
sample a 250000 cpu-clock:u f >>clock.perf
run wick collapse clock.perf
is "$out" 'a;f 2' 'samples of a clock count as 1 each'
run wick collapse --weight period clock.perf
is "$out" 'a;f 500000' '--weight period weighs samples of a clock by time'

{
	sample a 5 cpu_core/cycles/u f
	sample a 6 cpu_atom/cycles/u f
} >hybrid.perf
run wick collapse hybrid.perf
is "$out" 'a;f 11' 'events of both kinds of cores are added up'
is "$err" '' 'events of both kinds of cores are not reported as missing'
run wick collapse --event cycles hybrid.perf
is "$out" 'a;f 11' '--event cycles selects the event of both kinds of cores'

# Several inputs are added up, whatever modifiers their events have
{
	sample a 250000 cpu-clock:ppp f
	sample a 250000 cpu-clock:ppp g
} >clock2.perf
printf 'a;f 5\n' >a.folded
run wick collapse clock.perf clock2.perf
is "$out" 'a;f 3
a;g 1' 'modifiers are no other event'
is "$err" '' 'the same event of two files is not reported'
run wick collapse a.folded clock2.perf clock.perf
is "$out" 'a;f 8
a;g 1' 'samples are samples'
is "$err" 'wick: events are added up as samples: samples, cpu-clock' 'collapse reports that it adds up samples and cpu-clock'
run wick collapse clock2.perf a.folded
is "$out" 'a;f 6
a;g 1' 'in any order'
sample a 7 page-faults h >faults.perf
run wick collapse clock.perf faults.perf
is "$out" 'a;f 2' 'an event of the second file with another unit is left out'
like "$err" 'use --event page-faults, or' 'an event of the second file with another unit is reported'
run wick collapse --weight samples clock.perf faults.perf
is "$out" 'a;f 2
a;h 1' 'unless all count samples'
run wick collapse --weight period clock.perf a.folded
is "$out" 'a;f 500000' 'nanoseconds are no samples'
run wick flame clock.perf faults.perf -o two.html
like "$err" 'use --event page-faults, or' 'a page tells it too'
run wick flame --event all clock.perf faults.perf -o two.html
like "$err" '^wick: events are added up as samples: cpu-clock, page-faults$' 'all of them: samples'

# A page holds all events, a picture shows one
run wick flame in.perf -o in.html
unlike "$err" 'not shown' 'a page can be asked for another event'
run wick flame in.perf -o in.svg
like "$err" ', branches; use --event NAME' 'flame reports the events that it does not show'
like "$(frames in.svg)" '^details: 40 cycles \(not shown: cycles:k, instructions, branches\)$' 'the details of a picture name the events that it does not show'
{
	cat in.perf
	echo 'a 1 [000] 9.0: PERF_RECORD_LOST lost 1234'
} >lost.perf
run wick flame -q lost.perf -o lost.svg
like "$(frames lost.svg)" '^details: 40 cycles, 1,234 samples lost \(not shown: cycles:k, ' 'the details of a picture have the lost samples'
run wick convert in.perf -o in.wick
unlike "$err" 'not shown' 'convert to .wick does not report events as missing'
run wick collapse -q --event branches in.wick
is "$out" 'b;h 6' 'a .wick file has all events'

# Peers
run inferno-collapse-perf --event-filter instructions in.perf
is "$out" 'a;f 3' 'inferno picks an event'
run inferno-collapse-perf --event-filter cycles in.perf
is "$out" 'a;f 40
a;g 20' 'inferno-collapse-perf --event-filter NAME selects the event with all modifiers'
run inferno-collapse-perf --event-filter cycles:k in.perf
is "$out" 'a;g 20' 'inferno-collapse-perf --event-filter NAME:k selects exactly that event'
run inferno-collapse-perf --event-filter instructions:u in.perf
is "$out" '' 'inferno-collapse-perf --event-filter NAME:u does not select an event without modifiers'
run stackcollapse-perf.pl --event-filter=branches in.perf
is "$out" 'b;h 6' 'stackcollapse-perf.pl --event-filter selects an event'

# One name, two units
wait_from() { # begin, end in seconds
	printf 'db 21 [001] %s: sched:sched_%s\n\tffffffff8100 schedule+0x23 ([kernel.kallsyms])\n\n' \
		"$1" 'switch: db:21 [120] S ==> swapper/1:0 [120]' "$2" 'stat_sleep: comm=db pid=21 delay=100000000 [ns]'
}
wait_from 1.6 1.7 >wait.txt
wick convert -q wait.txt -o us.wick
wick convert -q wait.txt -o us.json
wick convert -q wait.txt -o ns.pb.gz
wick convert -q us.wick ns.pb.gz -o units.wick
for event in '' '-e off-cpu'; do
	# shellcheck disable=SC2086  # two words
	run wick collapse $event units.wick
	is "$out" 'db;schedule 100000' "microseconds and nanoseconds are not added up: $event"
	like "$err" '^wick: 1 sample of the same event in another unit left out' 'what has another unit is reported'
done

# A filter that leaves nothing of the first event
sample a 1 cycles f >first.perf
is "$(wick collapse -q first.perf wait.txt)" 'a;f 1' 'the first event is shown'
run wick collapse --time 0.15..0.25 first.perf wait.txt
is "$out" 'db;schedule 50000' 'the next event is shown if the filter leaves nothing of the first'
run wick convert -q --time 0.15..0.25 first.perf wait.txt -o part.wick
is "$status" 0 'convert writes what the filter leaves of other events'
is "$(wick collapse part.wick)" 'db;schedule 50000' 'which is what the file shows'
run wick collapse -e cycles --time 0.15..0.25 first.perf wait.txt
is "$err" 'wick: no stacks left: the filter drops all samples' 'but not in place of an event that was asked for'

# Only a part of one event has intervals
sed 's/"off-cpu"/"other"/' us.json >other.json
sed 's/^{"begin".*}]/]/' us.json >none.json
run wick convert us.json other.json none.json --to json
is "$(printf '%s\n' "$out" | grep -c '"begin"')" 1 'an event keeps its intervals if another loses them'
like "$err" '1 interval dropped: other samples of its event have none' 'which is reported'

plan
