#!/bin/sh
# wick record: its command line.  What it records is in tests/record.
. "$(dirname "$0")/lib.sh"

run wick record --help
is "$status" 0 'wick record --help'
like "$out" '^Usage: wick record ' 'prints the help'
is "$err" '' 'and no message'

run wick record
is "$status" 2 'without a command it is a wrong command line'
like "$err" 'what shall be recorded' 'and says so'

run wick record -o picture.png true
is "$status" 2 'an ending that nobody knows'
like "$err" 'picture.png: the name of the file does not tell its format' 'is told'
like "$err" '^hint: .*\.svg' 'with those that are known'

run wick record -o a.svg -o a.svg true
is "$status" 2 'a file is not written twice'

run wick record -o nowhere/a.svg touch ran
is "$status" 125 'a place that is not there'
like "$err" '^wick: nowhere/a.svg: No such file' 'is told'
ok 'before anything is run' test ! -e ran

run wick record -e nosuch true
is "$status" 2 'an event that is not there'
like "$err" "there is no event 'nosuch'" 'is told'

run wick record -e sched:nosuch true
unlike "$status" '^0$' 'a tracepoint that is not there'

run wick record -e uprobe:/bin/sh true
is "$status" 2 'a probe without a function'

for wrong in '-d x' '--delay -1' '-c 0' '-F 0' '--call-graph none' '--call-graph dwarf,99999999' '--runs 0' \
	'--frames x' '--per-thread --merge-threads' '-p 1 -a' '-C x' '--delay 1 --signal'; do
	# shellcheck disable=SC2086  # the words of an option
	run wick record $wrong touch ran
	is "$status" 2 "$wrong"
	ok "$wrong: nothing is run" test ! -e ran
done

run wick record -p nosuchprogram
is "$status" 1 'a process that is not there'
is "$err" "wick: no process is called 'nosuchprogram'" 'is told'

run wick record --frq 100 true
is "$status" 2 'an unknown option'
like "$err" 'did you mean --freq' 'is told with the one that was meant'

run wick record -o a.svg ./none
is "$status" 127 'a command that is not there'
is "$err" 'wick: ./none: No such file or directory' 'is told'
is "$(ls -A)" '' 'and leaves nothing behind'

plan
