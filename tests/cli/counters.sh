#!/bin/sh
# Counters of other programs' traces are series of the profile, and are written as counters again.
. "$(dirname "$0")/lib.sh"

# series FILE: a line for each: name|unit|scope|points
series() {
	wick convert -q "$1" --to json -o - | python3 -c '
import json, sys
for s in json.load(sys.stdin)["series"]:
    print(s["name"], s["unit"], s["scope"], *("%d=%s" % tuple(p) for p in s["points"]), sep="|")'
}

cat >trace.json <<'END2'
[{"ph":"B","name":"f","pid":1,"tid":1,"ts":100},
{"ph":"C","name":"mem","pid":1,"ts":90.5,"args":{"value":12.5}},
{"args":{"cats":1,"dogs":-2},"ph":"C","name":"pets","pid":1,"ts":120},
{"ph":"C","name":"mem","pid":1,"ts":200,"args":{"value":1e3}},
{"ph":"C","name":"mem","pid":1,"ts":95,"args":{"value":3,"note":"text"}},
{"ph":"C","name":"mem","pid":1,"args":{"value":4}},
{"ph":"E","pid":1,"tid":1,"ts":210}]
END2
run series trace.json
is "$out" 'mem|||0=12.5|4500=3|109500=1000
pets cats|||29500=1
pets dogs|||29500=-2' 'reads counters of a Chrome trace, in order of time, and each value of an event as one'
run wick convert trace.json --to folded
like "$err" '1 line that is not an event' 'reports a counter without a time'
is "$out" 'f 110' 'counters of a Chrome trace are no slices'
run wick collapse --strict trace.json
is "$status" 1 'rejects a counter without a time, if reading is strict'
run stackcollapse-chrome-tracing.py trace.json
is "$err$out" '' 'stackcollapse-chrome-tracing.py ignores counters'
sed 's/"pid":1,"ts":120/"pid":2,"id":"x","ts":120/' trace.json >processes.json
run series processes.json
is "$out" 'mem||process 1|0=12.5|4500=3|109500=1000
pets cats||process 2 x|29500=1
pets dogs||process 2 x|29500=-2' 'the counters of several processes have them as scopes'
wick convert -q trace.json -o again.trace.json
wick convert -q trace.json -o again.firefox.json
is "$(series again.trace.json)" "$(series trace.json)" 'counters of a Chrome trace can be read back'
is "$(series again.firefox.json)" "$(series trace.json)" 'counters of a Firefox profile can be read back'
run wick convert trace.json -o out.pb.gz
like "$err" 'cannot hold .*counters' 'reports that a pprof profile has no counters'
run wick convert trace.json -o out.trace.json
unlike "$err" 'counters' 'does not report counters that a format can hold'
run wick flame -q trace.json -o out.html
is "$(series out.html)" "$(series trace.json)" 'a page has the counters of a trace'

# As the profiler and Firefox write them
profile='"meta":{"interval":1,"startTime":1000,"preprocessedProfileVersion":55,"version":24},"libs":[],"threads":[{"name":"t","pid":"12","tid":"12",
"stackTable":{"prefix":[null],"frame":[0]},"frameTable":{"func":[0]},"funcTable":{"name":[0]},"stringArray":["a"],"samples":{"stack":[0],"time":[1]}}]'
printf '{%s,"counters":[{"name":"malloc","category":"Memory","description":"Amount of memory","pid":"12",
"samples":{"length":3,"timeDeltas":[1,2,0.5],"count":[100,-30.5,0]}},
{"name":"power","category":"power","display":{"unit":"pWh"},"pid":"12","sampleGroups":[{"id":0,"samples":{"time":[1,null,3],"number":[0,0,0],"count":[5,7,8]}}]}]}' "$profile" >columns.json
run series columns.json
is "$out" 'malloc|bytes||1001000000=100|1003000000=69.5|1003500000=69.5
power|pWh||1001000000=5|1003000000=20' 'the samples of a Firefox counter are added up, and its unit is known'
printf '{%s,"counters":[{"name":"malloc","category":"Memory","sample_groups":[{"id":0,"samples":{"schema":{"time":0,"number":1,"count":2},
"data":[[1,0,100],[2,0,1],[3]]}}]},7,{"name":"empty"}]}' "$profile" >rows.json
run series rows.json
is "$out" 'malloc|bytes||1001000000=100|1002000000=101|1003000000=101' 'reads rows of Firefox counters'

# More than a series can hold, backwards
python3 -c '
import json
json.dump([{"ph": "X", "name": "f", "pid": 1, "tid": 1, "ts": 0, "dur": 300000}] +
          [{"ph": "C", "name": "n", "pid": 1, "ts": 299999 - i, "args": {"value": i % 1000}} for i in range(200000)], open("many.json", "w"))'
run_sh 'wick convert -q many.json --to json -o - | python3 -c "
import json, sys
points = json.load(sys.stdin)[\"series\"][0][\"points\"]
print(len(points) <= 65536, max(p[1] for p in points), points == sorted(points))"'
is "$out" 'True 999 True' 'a counter with too many points keeps its peaks, in order of time'
run wick convert many.json -o out.folded
like "$err" 'rounded to fit in memory' 'reports that the points of a counter are fewer'
plan
