#!/bin/sh
# wick stat: its command line, and what it tells of a command.
. "$(dirname "$0")/lib.sh"

run wick stat --help
is "$status" 0 'wick stat --help'
like "$out" '^Usage: wick stat ' 'prints the help'

run wick stat sh -c 'echo out; echo err >&2; exit 5'
is "$status" 5 'the status is that of the command'
is "$out" 'out' 'whose output is its own'
like "$err" '^err$' 'and whose messages are'
for row in time user kernel 'memory at most' context-switches minor-faults major-faults; do
	like "$err" "^ +[0-9]+.* $row( |\$)" "$row is told"
done
run wick stat sh -c 'kill -TERM $$'
is "$status" 143 'a signal that ends it'
like "$err" '^wick: sh was ended by signal 15 \(Terminated\)' 'is told'
run_sh 'echo in | wick stat cat'
is "$out" in 'and its input is its own'

run wick stat --json -o out.json true
is "$status" 0 'JSON'
is "$err" '' 'in a file'
ok 'is JSON' python3 -c '
import json
told = json.load(open("out.json"))
assert told["status"] == 0
rows = {row["name"]: row for row in told["counters"]}
assert rows["time"]["unit"] == "ns" and rows["time"]["value"] > 0
assert rows["memory at most"]["unit"] == "bytes" and rows["memory at most"]["value"] > 100000
assert all(row["value"] is not None or row["note"] for row in rows.values())
'

run wick stat -e minor-faults,nosuch true
is "$status" 2 'an event that nobody knows'
run wick stat
is "$status" 2 'nothing to run'
run wick stat -e minor-faults ./none
is "$status" 127 'a command that is not there'
is "$err" 'wick: ./none: No such file or directory' 'is all that is told'
run wick stat -o nowhere/out touch ran
is "$status" 125 'a place that is not there'
like "$err" '^wick: nowhere/out: ' 'is told'
ok 'before anything is run' test ! -e ran
run wick stat -o /dev/full true
is "$status" 1 'what cannot be written is not well'

plan
