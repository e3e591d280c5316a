#!/bin/sh
# wick list: the events that -e knows.
. "$(dirname "$0")/lib.sh"

run wick list --help
is "$status" 0 'wick list --help succeeds'
like "$out" 'uprobe:FILE:FUNCTION' 'wick list --help describes events that no list has'

run wick list time
is "$(printf '%s\n' "$out" | cut -d' ' -f1)" 'cpu
off-cpu' 'wick list time lists the times that can be recorded'
unlike "$out$err" 'not supported' 'wick list time has what every machine supports'
run wick stat -e off-cpu true
is "$status" 2 'wick stat rejects off-cpu'
is "$err" "wick: event 'off-cpu' can be recorded, but not counted" 'wick stat reports that off-cpu cannot be counted'
run wick record -e off-cpu:u true
is "$err" "wick: invalid event 'off-cpu:u': off-cpu has no modifiers" 'wick record rejects a modifier of off-cpu'
run wick record -e cpu:x true
like "$err" "^wick: invalid event modifier in 'cpu:x'" 'wick record rejects an unknown modifier of cpu'

run wick list software
is "$status" 0 'wick list software succeeds'
like "$out" '^cpu-clock +software +CPU time$' 'wick list software has a line for each event'
like "$out" '^cs +software +alias of context-switches' 'wick list software lists aliases'
unlike "$out" '^[^ ]+ +(hardware|cache|pmu|tracepoint)' 'wick list software lists no other events'

run wick list cache 'icache-load'
is "$status" 0 'wick list accepts a kind and a pattern'
is "$(printf '%s\n' "$out" | cut -d' ' -f1)" 'L1-icache-loads
L1-icache-load-misses' 'wick list with a kind and a pattern lists what matches'
like "$out" '^L1-icache-loads +cache +L1 instruction cache: loads( \(|$)' 'wick list describes cache events'
like "$out" '^L1-icache-load-misses +cache +.*: loads that missed' 'wick list tells loads from misses'

run wick list '^cycles$'
is "$(printf '%s\n' "$out" | wc -l)" 1 'wick list with a pattern alone lists events of all kinds'

# What is listed is what -e takes.
for kind in time hardware software cache; do
	wick list "$kind" 2>/dev/null
done >known.txt
nr_taken=0
while read -r event _; do
	# Outputs are looked at after the events.
	run wick record --runs 2 -o out.data -e "$event" true
	case $err in *'cannot be combined with --runs'*) nr_taken=$((nr_taken + 1)) ;; *) comment "$event" "$err" ;; esac
done <known.txt
is "$nr_taken" "$(wc -l <known.txt)" 'every event of the list is one that -e takes'

# Where there is no PMU, that is said once.
run wick list hardware
if printf '%s\n' "$out" | grep -q 'cycles .*not supported here'; then
	like "$err" '^wick: 12 of 12 events are not supported here: no PMU' 'list reports that there is no PMU'
else
	unlike "$err" 'no PMU' 'wick list reports no missing PMU if there is one'
fi

run wick list nosuchevent
is "$status" 1 'a pattern that matches no event fails'
is "$out" '' 'a pattern that matches no event lists nothing'
# Who is not root also reads why tracepoints were not looked at.
is "$(printf '%s\n' "$err" | grep -Ev 'tracepoints|^hint: ')" "wick: no event matches 'nosuchevent'" 'a pattern that matches no event is reported'
run wick list hw '^cycles$'
like "$out" '^cycles +hardware' "wick list accepts a kind by the name that perf has for it"
run wick list 'cpu-*'
like "$out" '^cpu-clock +software' 'wick list accepts a pattern like that of perf'
unlike "$out" '^task-clock' 'wick list with a pattern lists only what matches'
run wick list '*-clock'
is "$(printf '%s\n' "$out" | wc -l)" 2 'a pattern like that of perf matches the whole name'
run wick list hardware '('
is "$status" 2 'wick list rejects an invalid pattern'
run wick list hardware a b
is "$status" 2 'wick list rejects a second pattern'

run wick record -e nosuch true
like "$err" '^hint: .wick list. lists' 'record suggests wick list for an unknown event'

plan
