#!/bin/sh
# The formats that wick writes for other programs, read by these programs.
. "$(dirname "$0")/lib.sh"

# Two threads, two events, an inlined call, names that need quoting
cat >in.perf <<'END'
app   10/11   1.000000:     100 cycles: 
	    1000 leaf+0x10 (/bin/app)
	    2000 main+0x20 (/bin/app)

app   10/11   1.000500:     100 cycles: 
	    1000 leaf+0x10 (/bin/app)
	    2000 main+0x20 (/bin/app)

worker   10/12   2.000000:      50 cycles: 
	    3000 operator "" x+0x10 (/lib/lib.so)
	    2000 main+0x20 (/bin/app)

worker   10/12   2.500000:       7 faults: 
	    1000 leaf+0x10 (/bin/app)
	    2000 main+0x20 (/bin/app)

END

# With inlined calls, as `go tool pprof -raw` prints them
cat >inlined.txt <<'END'
PeriodType: cpu nanoseconds
Samples:
samples/count cpu/nanoseconds[dflt]
          2   20000000: 1 2
Locations
     1: 0x1000 M=1 inner /src/a.c:3 s=0
             outer /src/a.c:9 s=0
     2: 0x2000 M=1 main /src/b.c:20 s=0
Mappings
END

# All that a profile can have, and the functions of an event: "name|self|total"
python3 "$tests/consumers/full.py" >full.json
want() {
	python3 "$tests/consumers/full.py" top "$@" | sort
}

# pprof

run wick convert in.perf -o out.pb.gz
is "$status" 0 'convert writes pprof by the extension .pb.gz'
is "$err" 'wick: out.pb.gz: pprof cannot hold times' 'convert reports that pprof cannot hold times'
run_sh 'wick convert in.perf --to pprof -o - | wick convert - -e cycles --to folded'
is "$out" 'main;leaf 200
main;operator "" x 50' 'wick reads back the weights of a pprof profile'
run_sh 'wick convert out.pb.gz --to folded'
like "$err" 'event faults' 'convert reports the other event of a pprof profile'
unlike "$err" 'samples' 'convert does not report the number of samples as another event'
run_sh 'wick convert -q out.pb.gz -e cycles --to csv | cut -d, -f3,7-9'
is "$out" 'weight,thread,pid,tid
200,app,10,11
50,worker,10,12' 'wick reads back the threads of a pprof profile'
run wick flame in.perf -o flame.pb.gz
like "$err" '^wick: flame.pb.gz: pprof cannot hold times$' 'flame reports what pprof cannot hold'
printf '[{"name":"a","ph":"X","ts":10,"dur":100,"pid":1,"tid":1}]' >slices.trace.json
run wick convert slices.trace.json -o slices.pb.gz
is "$err" 'wick: slices.pb.gz: pprof cannot hold times' 'convert reports that pprof cannot hold when slices began'
wick convert -q slices.trace.json -o slices.wick
run wick convert slices.wick -o slices.pb.gz
is "$err" 'wick: slices.pb.gz: pprof cannot hold times' 'convert reports that pprof cannot hold the intervals of a pack'
if command -v go >/dev/null; then
	go tool pprof -raw out.pb.gz >raw 2>&1
	ok 'pprof shows a column for each event' grep -qx 'samples/count cycles/[a-z]*\[dflt\] faults/[a-z]*' raw
	ok 'pprof shows samples and weight of a stack' grep -q '^ *2 *200 *0: ' raw
	ok 'pprof shows the second event in its column' grep -q '^ *1 *0 *7: ' raw
	ok 'pprof shows threads as labels' grep -q 'thread:\[worker\]' raw
	ok 'pprof shows the modules' grep -q '/lib/lib.so' raw
	for by in --modules --threads; do
		is "$(wick report raw -e cycles $by | sed 1d)" "$(wick report out.pb.gz -e cycles $by | sed 1d)" "wick report $by of go tool pprof -raw is that of its profile"
	done
	like "$(wick report raw -e cycles --modules)" ' 50 .* lib.so$' 'go tool pprof -raw has modules'
	is "$(go tool pprof -top out.pb.gz 2>/dev/null | sed -n 's/^File: //p')" app 'pprof takes the module of the roots for the program'
	wick convert inlined.txt -o inlined.pb.gz
	is "$(go tool pprof -traces inlined.pb.gz 2>/dev/null | grep -A9 -e '-+-' | sed '1d;/-+-/d;s/^ *//;s/  */ /')" '20ms inner (inline)
outer
main' 'pprof shows inlined calls'
	# The stacks of threads begin in the C library, and a recording knows its command.
	cat >threads.json <<'END'
{"format":"wick-profile","version":1,"info":[{"key":"command","value":"./bin/server --port 80"}],
"events":[{"name":"cpu-clock","unit":"ns","source":"sampled","extent":"share"}],
"threads":[{"name":""},{"name":"worker","pid":10,"tid":12}],
"modules":[{"path":"","build_id":""},{"path":"/lib/libc.so.6","build_id":""},{"path":"/srv/bin/server","build_id":"00ff"}],
"frames":[{"kind":"user","lines":[]},{"kind":"user","module":1,"lines":[{"function":"clone3"}]},{"kind":"user","module":2,"lines":[{"function":"work"}]}],
"stacks":[{"caller":0,"frame":0},{"caller":0,"frame":1},{"caller":1,"frame":2}],
"counts":[{"event":0,"thread":1,"stack":2,"weight":5000000,"samples":5}]}
END
	wick convert -q threads.json -o threads.pb.gz
	is "$(go tool pprof -top threads.pb.gz 2>/dev/null | sed -n 's/^File: //p')" server 'pprof takes the recorded command for the program'
	ok 'pprof shows the period of a clock' sh -c "go tool pprof -raw threads.pb.gz 2>/dev/null | grep -qx 'Period: 1000000'"
	is "$(go tool pprof -top -diff_base out.pb.gz out.pb.gz 2>/dev/null | sed -n 's/.*accounting for \([0-9]*\), .*/\1/p')" 0 'pprof subtracts two of them'
	# All that a profile can have
	wick convert -q full.json -o full.pb.gz
	for event in cpu-clock faults off-cpu; do
		go tool pprof -top -nodecount=0 -nodefraction=0 -unit=ns -sample_index=$event full.pb.gz 2>/dev/null |
			sed -n 's/^ *\([^ ]*\) *[^ ]*% *[^ ]*% *\([^ ]*\) *[^ ]*%  \(.*\)/\3|\1|\2/p' | sed 's/ (inline)//; s/ns|/|/; s/ns$//; s/faults|/|/; s/faults$//' | sort >top
		is "$(cat top)" "$(want $event)" "pprof shows the same functions of $event"
	done
	go tool pprof -top -nodecount=0 -sample_index=cpu-clock full.pb.gz 2>/dev/null >top
	is "$(sed -n 's/.* \([^ ]*\) (inline)$/\1/p' top | grep -v leaf | sort | tr '\n' ' ')" 'inner innermost ' 'pprof shows which calls are inlined'
	for format in firefox perf-script; do
		wick convert -q full.json --to $format -o full.$format
		wick convert -q full.$format -o full.pb.gz
		go tool pprof -top -nodecount=0 -sample_index=cpu-clock full.pb.gz 2>/dev/null >top
		is "$(sed -n 's/.* \([^ ]*\) (inline)$/\1/p' top | grep -v leaf | sort | tr '\n' ' ')" 'inner innermost ' "pprof shows which calls of $format are inlined"
	done
	wick convert -q full.json -o full.pb.gz
	ok 'pprof shows why threads wait' sh -c "go tool pprof -tags -sample_index=off-cpu full.pb.gz 2>/dev/null | grep -q '12.0ms (30.00%): lock'"
	is "$(go tool pprof -comments full.pb.gz 2>/dev/null | grep event)" 'measured event: off-cpu' 'pprof shows which events were measured'
else
	skip 'pprof opens what wick writes' 'no go here'
fi

# Heap profiles are sampled every so many bytes, other sums are measured.
cat >heap.raw <<'END'
PeriodType: space bytes
Period: 1000
Samples:
objects/count space/bytes[dflt]
         60       3000: 1
Locations
     1: 0x1000 M=1 main /src/a.c:3 s=0
Mappings
PeriodType: contentions count
Period: 1
Samples:
contentions/count delay/nanoseconds
          7       9000: 1
Locations
     1: 0x1000 M=1 wait /src/a.c:3 s=0
Mappings
END
run_sh 'wick convert -q heap.raw --to csv | cut -d, -f1,3,4,11-'
is "$out" 'event,weight,samples,source,stack
space,3000,3,sampled,main
objects,60,3,sampled,main
delay,9000,7,measured,wait
contentions,7,7,measured,wait' 'go tool pprof -raw of a heap is sampled by its period, and delays are measured'
run_sh 'wick convert -q heap.raw -e space -o heap.pb.gz && wick convert -q heap.pb.gz -e space --to csv | cut -d, -f1,3,4,11-'
is "$out" 'event,weight,samples,source,stack
space,3000,3,sampled,main' 'a pprof profile of a heap is sampled by its period'

# speedscope

run wick convert in.perf -o out.speedscope.json
is "$status" 0 'convert writes speedscope by the extension .speedscope.json'
cat >check.py <<'END'
import json, sys
whole = json.load(open(sys.argv[1], encoding='utf-8'))
assert whole['$schema'] == 'https://www.speedscope.app/file-format-schema.json'
frames = whole['shared']['frames']
for p in whole['profiles']:
    assert p['type'] == 'sampled' and p['unit'] in ('none', 'nanoseconds', 'bytes')
    assert len(p['samples']) == len(p['weights']) and p['endValue'] == sum(p['weights'])
    for stack, weight in zip(p['samples'], p['weights']):
        print(p['name'] + ':', ';'.join(frames[i]['name'] for i in stack), weight)
END
run python3 check.py out.speedscope.json
is "$out" 'app-10/11 cycles: main;leaf 100
app-10/11 cycles: main;leaf 100
worker-10/12 cycles: main;operator "" x 50
worker-10/12 faults: main;leaf 7' 'speedscope has a profile for each event and thread, and samples in order of time'
printf 'a\377b;c"\\\td 3\n' >bytes.folded
wick convert -q bytes.folded -o bytes.speedscope.json
run python3 check.py bytes.speedscope.json
is "$out" "samples: a�b;c\"\\	d 3" 'speedscope holds names with quotes, and replaces bytes that are not UTF-8'
wick convert -q inlined.txt -e cpu -o inlined.speedscope.json
run python3 check.py inlined.speedscope.json
is "$out" 'cpu: main;outer;inner 20000000' 'speedscope has a frame for each inlined call'

# perf script

run wick convert in.perf --to perf-script -o out.txt
is "$status" 0 'convert writes perf script text'
run_sh 'stackcollapse-perf.pl --event-filter=cycles out.txt'
is "$out" 'app;main;leaf 200
worker;main;operator  x 50' 'stackcollapse-perf.pl adds up the samples of perf script text'
run_sh 'wick convert out.txt -e faults --to folded'
is "$out" 'worker;main;leaf 7' 'wick reads back the weights of perf script text'
printf 'main;a 3\n' | wick convert -q - -o counts.perf
is "$(grep -c 'main' counts.perf)" 3 'perf script text has a record for each sample of a count'
printf 'main;a 99999999999\n' >large.folded
run wick convert large.folded -o large.perf
is "$status" 1 'convert rejects more samples than perf script text can list'
like "$err" '99999999999 samples are too many for perf script text' 'convert names the number of samples that are too many'

# callgrind

run wick convert in.perf -o out.callgrind
is "$status" 0 'convert writes callgrind by the extension .callgrind'
printf 'main;a;b;a 5\nmain;a 2\n' | wick convert -q - -o callgrind.out
if command -v callgrind_annotate >/dev/null; then
	annotate() {
		callgrind_annotate --inclusive=yes --auto=no "$1" | sed -n 's/ ([ 0-9.]*%)//gp' | tr -s ' ' | sed 's/^ //'
	}
	callgrind_annotate --inclusive=yes --auto=no out.callgrind >annotated
	ok 'callgrind_annotate shows the totals of both events' grep -Eq '^ *250 .* 7 .*PROGRAM TOTALS' annotated
	ok 'callgrind_annotate shows what a function costs with its callees' grep -Eq '^ *250 .* 7 .*:main \[/bin/app\]' annotated
	is "$(annotate callgrind.out)" "7 PROGRAM TOTALS
7 ???:a [???]
7 ???:main [???]
5 ???:a'2 [???]
5 ???:b [???]" 'callgrind_annotate does not count recursion twice'
	wick convert -q inlined.txt -e cpu -o inlined.callgrind
	callgrind_annotate --inclusive=no --auto=no --threshold=100 inlined.callgrind >annotated
	# Recursive calls are functions of their own, whose numbers are left out here.
	wick convert -q full.json -o full.callgrind
	for event in cpu-clock faults off-cpu; do
		for inclusive in no yes; do
			callgrind_annotate --inclusive=$inclusive --auto=no --threshold=100 --show=$event full.callgrind |
				sed ':again; s/^\( *[0-9]*\),/\1/; t again' | sed -n 's/^ *\([0-9]*\) ([ 0-9.]*%) *[^:]*:\(.*\) \[.*/\2|\1/p' >$inclusive
		done
		is "$(sed "s/'[0-9]*|/|/" no | awk -F'|' -v OFS='|' '{ self[$1] += $2 } END { for (f in self) print f, self[f] }' | sort)" \
			"$(want $event | awk -F'|' -v OFS='|' '$2 { print $1, $2 }')" "callgrind_annotate shows the same functions of $event"
		is "$(grep -v "'[0-9]*|" yes | sort)" "$(want $event | cut -d'|' -f1,3)" "callgrind_annotate shows the same functions of $event with their callees"
	done
	ok 'callgrind_annotate shows the file of an inlined call' grep -Eq '20,000,000 .*/src/a.c:inner' annotated
else
	skip 'callgrind_annotate opens what wick writes' 'no callgrind_annotate here'
fi

printf 'main;a 9223372036854775807\nmain;b 9223372036854775807\n' >sums.folded
for format in pprof speedscope callgrind; do
	run wick convert -q sums.folded --to $format -o sums
	is "$status" 0 "$format holds weights whose sum is too large"
	run wick convert sums.folded --to $format -o sums
	like "$err" "$format cannot hold sums above 2\\^63" "convert reports that sums are too large for $format"
done

# Chrome trace events

cat >clock.perf <<'END'
app 10/10 1.000000: 1000000 cpu-clock:
	1000 a (/bin/app)
	2000 main (/bin/app)

app 10/10 1.001000: 1000000 cpu-clock:
	3000 b (/bin/app)
	2000 main (/bin/app)

app 10/10 5.000000: 1000000 cpu-clock:
	2000 main (/bin/app)

END
run wick convert clock.perf -o out.trace.json
is "$status" 0 'convert writes Chrome trace events by the extension .trace.json'
cat >slices.py <<'END'
import json, sys
events, open_ = json.load(open(sys.argv[1], encoding='utf-8'))['traceEvents'], {}
for e in events:
    e['ts'] -= 1  # the first time is 1 us: 0 is no time to Chrome's DevTools
    stack = open_.setdefault((e['pid'], e['tid']), [])
    if e['ph'] == 'B':
        stack.append((e['name'], e['ts']))
    elif e['ph'] == 'E':
        name, begin = stack.pop()
        print(name, begin, e['ts'])
    elif e['ph'] == 'X':
        print(e['name'], e['ts'], e['ts'] + e['dur'])
    elif e['name'] == 'thread_name':
        print(e['args']['name'])
assert not any(open_.values())
END
run python3 slices.py out.trace.json
is "$out" 'app
a 0.0 1000.0
b 1000.0 2000.0
main 0.0 2000.0
main 4000000.0 4001000.0' 'a trace has a slice for each call, as long as its samples follow each other'
run_sh 'wick convert out.trace.json --to folded'
is "$out" 'app;main 1000
app;main;a 1000
app;main;b 1000' 'wick reads back the times of a trace'
printf '{"traceEvents":[{"ph":"X","name":"f","pid":1,"tid":2,"ts":10,"dur":8},{"ph":"X","name":"g","pid":1,"tid":2,"ts":12,"dur":3}]}' >spans.json
wick convert -q spans.json -o spans.trace.json
run python3 slices.py spans.trace.json
is "$out" 'f 0.0 8.0
g 2.0 5.0' 'a trace keeps the spans of a trace'
# Two events: the second has tracks of its own, which wick knows again
cat >waits.json <<'END'
{"format":"wick-profile","version":1,"shown":0,"spelling":"thread",
"events":[{"name":"cpu-clock","unit":"ns","source":"sampled","extent":"share"},{"name":"off-cpu","unit":"ns","source":"measured","extent":"share"}],
"threads":[{"name":""},{"name":"app","pid":10,"tid":10},{"name":"app","pid":10,"tid":12}],
"frames":[{"kind":"user","lines":[]},{"kind":"user","lines":[{"function":"main"}]},{"kind":"user","lines":[{"function":"read"}]}],
"stacks":[{"caller":0,"frame":0},{"caller":0,"frame":1},{"caller":1,"frame":2}],
"counts":[{"event":0,"thread":1,"stack":1,"weight":1000,"samples":1},{"event":1,"thread":1,"stack":2,"weight":4000,"samples":1},
{"event":1,"thread":2,"stack":2,"weight":9000,"samples":1}],
"samples":[{"time":1000,"event":0,"thread":1,"stack":1,"weight":1000},{"time":6000,"event":1,"thread":1,"stack":2,"weight":4000},
{"time":10000,"event":1,"thread":2,"stack":2,"weight":9000}],
"intervals":[{"begin":2000,"end":6000,"event":1,"thread":1,"stack":2,"weight":4000,"samples":1},
{"begin":1000,"end":10000,"event":1,"thread":2,"stack":2,"weight":9000,"samples":1}]}
END
run wick convert waits.json -o waits.trace.json
is "$status$err" 0 'convert loses no event of a recording with waits in a trace'
for format in cpuprofile markdown dot; do
	run_sh "wick convert waits.json --to $format >/dev/null"
	like "$err" 'other events are not shown: use --event off-cpu' "convert reports that $format lacks the waits"
done
run_sh 'wick convert waits.json --to folded'
is "$err" '' 'convert does not report the waits of folded stacks'
run python3 slices.py waits.trace.json
is "$out" 'app
main 0.0 1.0
app 10 off-cpu
read 1.0 5.0
main 1.0 5.0
app 12 off-cpu
read 0.0 9.0
main 0.0 9.0' 'a trace has tracks for the waits of each thread'
run_sh 'wick convert waits.trace.json -e off-cpu --to folded | grep -v " 0$"'
is "$out" 'app;main;read 13' 'wick reads back the waits of a trace as another event'
run_sh "wick convert -q waits.trace.json --to csv | grep -v ',main$' | cut -d, -f1,7,9 | sort | uniq -c | tr -s ' '"
is "$out" ' 1 event,thread,tid
 1 off-cpu,app,10
 1 off-cpu,app,12' 'wick reads back the threads of the waits of a trace'
run_sh 'wick convert -q waits.json -e off-cpu --to chrome | wick convert - --to folded | grep -v " 0$"'
is "$out" 'app;main;read 13' 'a trace of one event has no other'
run_sh "printf 'a;b 1\n' | wick convert - --to chrome"
is "$status" 1 'convert rejects a trace of a profile without times'
like "$err" 'a trace requires timestamps' 'convert reports that the times are missing'

# V8

run wick convert -q in.perf -o out.cpuprofile
is "$status" 0 'convert writes a V8 profile by the extension .cpuprofile'
cat >v8.py <<'END'
import json, sys
whole = json.load(open(sys.argv[1], encoding='utf-8'))
node = {n['id']: n for n in whole['nodes']}
parent = {c: n['id'] for n in whole['nodes'] for c in n['children']}
assert set(node) - set(parent) == {1} and node[1]['callFrame']['functionName'] == '(root)'
assert all(p < c for c, p in parent.items())
stamp = [whole['startTime'] + sum(whole['timeDeltas'][:i + 1]) for i in range(len(whole['samples']))]
for i, id in enumerate(whole['samples']):
    path, at = [], id
    while at != 1:
        path.insert(0, node[at]['callFrame']['functionName'])
        at = parent[at]
    if path:
        print(';'.join(path), stamp[i + 1] - stamp[i])
assert whole['samples'][-1] == 1 and stamp[-1] == whole['endTime']
print(sum(n['hitCount'] for n in whole['nodes']))
END
run python3 v8.py out.cpuprofile
is "$out" 'app;main;leaf 100
app;main;leaf 100
worker;main;operator "" x 50
3' 'a V8 profile has the samples of a thread in order, each as long as it weighs'
run_sh 'wick convert out.cpuprofile --to folded'
is "$out" 'app;main;leaf 200
worker;main;operator "" x 50' 'wick reads back the weights of a V8 profile'
run_sh 'wick convert -q inlined.txt -e cpu --to cpuprofile | wick convert - --to folded'
is "$out" 'main;outer;inner 20000' 'a V8 profile has times in microseconds'

# CSV

run wick convert in.perf -o out.csv
is "$status" 0 'convert writes comma-separated values by the extension .csv'
cat >rows.py <<'END'
import csv, sys
for r in csv.DictReader(open(sys.argv[1], encoding='utf-8', newline='')):
    assert None not in r and None not in r.values()
    print(r['event'], r['weight'], r['samples'], r['time'], r['thread'], r['pid'], r['tid'], r['stack'], sep='|')
END
run python3 rows.py out.csv
is "$out" 'cycles|100|1|1000000000|app|10|11|main;leaf
cycles|100|1|1000500000|app|10|11|main;leaf
cycles|50|1|2000000000|worker|10|12|main;operator "" x
faults|7|1|2500000000|worker|10|12|main;leaf' 'comma-separated values have a line for each sample'
printf 'a,b;c"d 1.5\n' | wick convert -q - -o quoted.csv
run python3 rows.py quoted.csv
is "$out" 'samples|1.5|1|||||a,b;c"d' 'comma-separated values hold names with commas and quotes, and fractions'

if command -v sqlite3 >/dev/null; then
	wick convert -q full.json -o full.csv
	for event in cpu-clock faults off-cpu; do
		is "$(sqlite3 -cmd '.import --csv full.csv t' :memory: "select sum(weight), count(*), min(time), max(time), count(distinct tid) from t where event = '$event'")" \
			"$(python3 -c "import json, sys
r = [s for s in json.load(open('full.json'))['samples'] if s['event'] == ['cpu-clock', 'faults', 'off-cpu'].index('$event')]
begin = [s['time'] - s['weight'] * (s['event'] == 2) for s in r]
print(sum(s['weight'] for s in r), len(r), min(begin), max(begin), len({s['thread'] for s in r}), sep='|')")" "SQLite adds up the samples of $event"
	done
else
	skip 'SQLite opens what wick writes' 'no sqlite3 here'
fi
run_sh 'wick convert out.csv --to csv -o - | cmp - out.csv'
is "$status$err" 0 'wick reads back comma-separated values'
run_sh 'wick convert quoted.csv --to csv -o - | cmp - quoted.csv'
is "$status$err" 0 'wick reads back comma-separated values with quotes and fractions'
printf 'stack,event,samples,weight\r\nmain;f,time,2,20\r\nmain,time,x,3\r\nmain,time\r\n' >own.csv
run wick convert own.csv --to folded
is "$out" 'main;f 20' 'wick reads comma-separated values with other columns'
like "$err" '1 malformed line' 'wick reports a row of comma-separated values that is too short'
like "$err" '1 invalid count' 'wick reports an invalid count in comma-separated values'

# JSON, as docs/json.md describes it

run wick convert in.perf -o out.json
is "$status" 0 'convert writes JSON by the extension .json'
is "$err" '' 'JSON holds everything of a perf script'
cat >tables.py <<'END'
import json, sys
p = json.load(open(sys.argv[1], encoding='utf-8'))
assert (p['format'], p['version']) == ('wick-profile', 1)
def names(frame):
    return [l['function'] for l in reversed(p['frames'][frame]['lines'])]
def path(stack):
    row = p['stacks'][stack]
    assert row['caller'] < stack or not stack
    return path(row['caller']) + names(row['frame']) if stack else []
for table in 'counts', 'samples', 'intervals':
    for r in p[table]:
        print(table, p['events'][r['event']]['name'], p['threads'][r.get('thread', 0)]['name'],
              ';'.join(path(r['stack'])), r['weight'], r.get('samples', r.get('time')))
END
run python3 tables.py out.json
is "$out" 'counts cycles app main;leaf 200 2
counts cycles worker main;operator "" x 50 1
counts faults worker main;leaf 7 1
samples cycles app main;leaf 100 1000000000
samples cycles app main;leaf 100 1000500000
samples cycles worker main;operator "" x 50 2000000000
samples faults worker main;leaf 7 2500000000' 'JSON has counts and samples'
printf '{"traceEvents":[{"ph":"X","name":"f","pid":1,"tid":2,"ts":10,"dur":8}]}' >span.json
wick convert -q span.json -o span-out.json
ok 'JSON has intervals' grep -q '^{"begin":[0-9]*,"end":[0-9]*,"event":' span-out.json

run_sh 'wick convert out.json --to json -o - | cmp - out.json'
is "$status$err" 0 'wick reads back JSON'
cat >tables.json <<'END'
{"format":"wick-profile","version":1,"shown":0,"spelling":"thread",
"info":[
{"key":"command","value":"./app"},
{"key":"command","value":"--fast"}],
"events":[
{"name":"off-cpu","unit":"ns","source":"measured","extent":"share"},
{"name":"bytes","unit":"bytes","period":512,"source":"sampled","extent":"whole"}],
"threads":[
{"name":""},
{"name":"app","pid":10,"tid":11}],
"modules":[
{"path":"","build_id":""},
{"path":"/bin/app","build_id":"0123"}],
"frames":[
{"kind":"user","lines":[]},
{"kind":"user","module":1,"address":"0xffffffffffffffff","return_address":true,"in_module":true,"lines":[{"function":"inner","file":"a.c","line":3},{"function":"main","file":"a.c","line":9}]},
{"kind":"kernel","waker":true,"lines":[{"function":"wake"}]},
{"kind":"jit","inlined":true,"jit_inlined":true,"lines":[{"function":"Füße \"x\""}]},
{"kind":"label","lines":[{"function":"[sleep]"}]}],
"stacks":[
{"caller":0,"frame":0},
{"caller":0,"frame":1},
{"caller":1,"frame":3},
{"caller":2,"frame":4},
{"caller":0,"frame":2}],
"counts":[
{"event":0,"thread":1,"stack":3,"labels":{"reason":"sleep"},"weight":300,"samples":3},
{"event":1,"thread":1,"stack":2,"weight":0.25,"samples":1}],
"samples":[
{"time":0,"event":0,"thread":1,"stack":3,"labels":{"reason":"sleep"},"weight":200},
{"time":18446744073709551,"event":0,"thread":1,"stack":3,"labels":{"reason":"sleep"},"weight":100},
{"time":7,"event":1,"thread":1,"stack":2,"weight":0.25}],
"intervals":[
{"begin":0,"end":200,"event":0,"thread":1,"stack":3,"labels":{"reason":"sleep"},"weight":200,"samples":2,"links":[{"kind":"waker","thread":1,"stack":4},{"kind":"holder"}]},
{"begin":300,"event":0,"thread":1,"stack":3,"labels":{"reason":"sleep"},"weight":100,"samples":1}],
"series":[
{"name":"memory","unit":"bytes","scope":"","points":[[1,5],[2,5.125],[3,-6]]}]}
END
run_sh 'wick convert tables.json --to json -o - | cmp - tables.json'
is "$status$err" 0 'wick reads back all tables of JSON'
sed 's/"weight":300/"weight":301/; s/"caller":2/"caller":9/' tables.json >wrong.json
run wick convert wrong.json --to folded
like "$err" '1 reference to a missing entry' 'wick reports rows of JSON that do not exist'
sed 's/"weight":300/"weight":301/' tables.json >wrong.json
run wick convert wrong.json --to json
like "$err" '1 total that does not match the sum' 'wick reports samples of JSON that do not add up'
sed 's/"version":1/"version":2/' tables.json >later.json
run wick convert later.json --to folded
is "$status$err" '1wick: later.json: unsupported version 2 of wick'"'"'s JSON' 'wick rejects JSON of a later version'

# Graphviz

printf 'main;a;b;a 5\nmain;a 2\nmain;rest 990\nmain;rare 1\n' >graph.folded
run wick convert graph.folded -o out.dot
is "$status" 0 'convert writes a call graph by the extension .dot'
ok 'a call graph counts recursion once' grep -q 'label="a\\ntotal 0.7 %\\nself 0.7 %"' out.dot
ok 'a call graph says how many functions are not shown' grep -q 'functions below 0.5 %, not shown: 1' out.dot
if command -v dot >/dev/null; then
	run dot -Tplain out.dot
	is "$(echo "$out" | grep -c ^node)" 4 'dot draws each function'
	printf 'a"b\\c;d\\n;e 1\n' | wick convert -q - -o quoted.dot
	run dot -Tplain quoted.dot
	is "$status" 0 'dot reads names with quotes and backslashes'
else
	skip 'dot reads the call graph' 'no graphviz here'
fi

# Markdown

run wick convert -q in.perf -o out.md
is "$(cat out.md)" 'Event: cycles, total: 250 cycles

| self | | total | | function | module |
|---:|---:|---:|---:|---|---|
| 200 | 80.0 % | 200 | 80.0 % | leaf | app |
| 50 | 20.0 % | 50 | 20.0 % | operator "" x | lib.so |
| 0 | 0.0 % | 250 | 100.0 % | main | app |' 'Markdown has a table of functions'
run_sh 'wick convert -q clock.perf --to markdown | head -n 1'
is "$out" 'Event: cpu-clock, total: 3 samples' 'Markdown says that it counts samples'
run_sh "printf 'a|b 1\n' | wick convert -q - --to markdown | tail -n 1"
like "$out" '[^|]a\\\|b' 'Markdown escapes what would end a cell'

for file in out.md out.dot; do
	run wick flame $file
	is "$status" 1 "wick does not read $file"
	like "$err" 'use the profile that it was made from' "wick says what to use instead of $file"
done

# OpenTelemetry and Perfetto, decoded as their .proto files say

run wick convert in.perf -o out.otlp
is "$status" 0 'convert writes OpenTelemetry profiles by the extension .otlp'
run python3 "$tests/cli/protobuf.py" otlp out.otlp
is "$out" 'cycles cycles main@/bin/app:0;leaf@/bin/app:0 100 0 thread.name=app process.pid=10 thread.id=11
cycles cycles main@/bin/app:0;leaf@/bin/app:0 100 500000 thread.name=app process.pid=10 thread.id=11
cycles cycles main@/bin/app:0;operator "" x@/lib/lib.so:0 50 1000000000 thread.name=worker process.pid=10 thread.id=12
faults faults main@/bin/app:0;leaf@/bin/app:0 7 1500000000 thread.name=worker process.pid=10 thread.id=12' \
	'OpenTelemetry profiles have a profile for each event, and samples with threads and times'
wick convert -q inlined.txt -o inlined.otlp
run python3 "$tests/cli/protobuf.py" otlp inlined.otlp
like "$out" 'cpu nanoseconds main@:20;outer@:9;inner@:3 20000000$' 'OpenTelemetry profiles have inlined calls and lines'

wick convert -q full.json -o full.otlp
for event in cpu-clock faults off-cpu; do
	is "$(python3 "$tests/cli/protobuf.py" otlp full.otlp | sed -n "s/^$event [a-z]* \(.*\) \([0-9]*\) [0-9]* .*thread.name=.*/\1|\2/p" | sed 's/.*;//; s/@[^|]*//' |
		awk -F'|' -v OFS='|' '{ self[$1] += $2 } END { for (f in self) print f, self[f] }' | sort)" \
		"$(want $event | awk -F'|' -v OFS='|' '$2 { print $1, $2 }')" "OpenTelemetry profiles have the same functions of $event"
done

run wick convert in.perf -o out.pftrace
is "$status" 0 'convert writes a Perfetto trace by the extension .pftrace'
run python3 "$tests/cli/protobuf.py" perfetto out.pftrace
is "$out" 'track  pid=10 tid=11 name=app
track  pid=10 tid=12 name=worker
cycles 10 11 1000000000 100 main@/bin/app:0;leaf@/bin/app:0
cycles 10 11 1000500000 200 main@/bin/app:0;leaf@/bin/app:0
cycles 10 12 2000000000 250 main@/bin/app:0;operator "" x@/lib/lib.so:0
faults 10 12 2500000000 7 main@/bin/app:0;leaf@/bin/app:0' 'a Perfetto trace has threads, and perf samples with call stacks'
cat >overlap.json <<'END'
{"traceEvents":[{"ph":"X","name":"f","pid":1,"tid":2,"ts":10,"dur":8},{"ph":"X","name":"g","pid":1,"tid":2,"ts":12,"dur":3}]}
END
wick convert -q overlap.json -o spans.pftrace
run python3 "$tests/cli/protobuf.py" perfetto spans.pftrace
is "$out" 'track  pid=1 tid=2 name=
track time
slice time g 2000 5000
slice time f 0 8000' 'a Perfetto trace has spans as slices'
run_sh "printf 'a;b 1\n' | wick convert - --to perfetto"
is "$status" 1 'convert rejects a Perfetto trace of a profile without times'

# speedscope, evented

cat >opened.py <<'END'
import json, sys
whole = json.load(open(sys.argv[1], encoding='utf-8'))
for p in whole['profiles']:
    print(p['type'], p['startValue'], p['endValue'])
    stack, last = [], p['startValue']
    for e in p.get('events', []):
        assert e['at'] >= last
        last = e['at']
        if e['type'] == 'O':
            stack.append((e['frame'], e['at']))
        else:
            frame, begin = stack.pop()
            assert frame == e['frame']
            print(whole['shared']['frames'][frame]['name'], begin, e['at'])
    assert not stack and last <= p['endValue']
END
wick convert -q overlap.json -o spans.speedscope.json
run python3 opened.py spans.speedscope.json
is "$out" 'evented 0 8000
g 2000 5000
f 0 8000' 'speedscope has spans that open and close'
run_sh 'wick convert spans.speedscope.json --to folded'
is "$out" 'f 5000
f;g 3000' 'wick reads back the spans of speedscope'
cat >crossed.firefox.json <<'END'
{"meta":{"interval":1,"startTime":1000,"preprocessedProfileVersion":55},"libs":[],"threads":[{"name":"main","pid":"1","tid":"2",
"stringArray":["f","g"],"markers":{"length":2,"name":[0,1],"startTime":[10,12],"endTime":[18,42],"phase":[1,1]}}]}
END
wick convert -q crossed.firefox.json -e markers -o crossed.speedscope.json
run python3 opened.py crossed.speedscope.json
like "$out" '^sampled ' 'speedscope has samples in place of spans that do not nest'

# Sums of samples of a clock, which are counted by default: formats without numbers of samples have the period
cat >sums.json <<'END'
{"format":"wick-profile","version":1,
"events":[{"name":"cpu-clock","unit":"ns","source":"sampled","extent":"share"}],
"frames":[{"kind":"user","lines":[]},{"kind":"user","lines":[{"function":"a"}]},{"kind":"user","lines":[{"function":"b"}]}],
"stacks":[{"caller":0,"frame":0},{"caller":0,"frame":1},{"caller":0,"frame":2}],
"counts":[{"event":0,"stack":1,"weight":90000000,"samples":90},{"event":0,"stack":2,"weight":10000000,"samples":10}]}
END
for format in pprof otlp firefox speedscope csv; do
	run_sh "wick convert -q sums.json --to $format | wick convert -q - --to folded"
	is "$out" 'a 90
b 10' "$format gives back how many samples a sum is of"
done

# What a format cannot hold
run wick diff in.perf in.perf -o diff.pb.gz
is "$status" 2 'diff rejects a format that cannot hold a comparison'
like "$err" 'diff.pb.gz: pprof cannot hold a comparison' 'diff names the format that cannot hold a comparison'
for format in json markdown; do
	case $format in markdown) ending=md ;; *) ending=$format ;; esac
	run wick diff --$format -o diff.$ending in.perf in.perf
	like "$err" "^hint: --$format prints the report as $format to standard output" "diff hints where the report as $format goes"
done

plan
