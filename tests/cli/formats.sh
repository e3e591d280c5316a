#!/bin/sh
# --from and --to: the same formats in every command that reads or writes.
. "$(dirname "$0")/lib.sh"

printf 'main;work;a 6\nmain;work;b 2\n' >in.folded
recording=$repo/fuzz/corpus/perf-data/chains

# Commands that write agree on the formats
wick convert in.folded -o /nowhere.png 2>convert.err
wick flame in.folded -o /nowhere.png 2>flame.err
wick record -o /nowhere.png true 2>record.err
ok 'flame has the extensions of convert' cmp convert.err flame.err
ok 'record has the extensions of convert' cmp convert.err record.err
for format in svg html wick folded; do
	run wick flame in.folded -o "flame.$format"
	is "$status" 0 "flame writes .$format"
	run wick convert in.folded -o "convert.$format"
	is "$status" 0 "convert writes .$format"
	run wick flame in.folded --to $format -o -
	ok "flame --to $format -o - prints the same" cmp "$outfile" "flame.$format"
	run wick convert --to $format in.folded
	ok "convert --to $format prints the same" cmp "$outfile" "convert.$format"
	is "$(wick collapse "flame.$format")" "$(cat in.folded)" "reads .$format of flame back"
	is "$(wick collapse --from $format <"convert.$format")" "$(cat in.folded)" "--from $format reads what --to $format wrote"
	run wick diff --to $format in.folded in.folded
	is "$status" 0 "diff --to $format writes to standard output"
	ok "diff --to $format prints something" test -s "$outfile"
done
ok 'an .htm is a page' sh -c 'wick flame in.folded -o a.htm && cmp a.htm flame.html'
is "$(cat flame.folded)" "$(cat in.folded)" 'flame writes folded stacks'
run wick flame --hide work in.folded -o hidden.folded
is "$(cat hidden.folded)" 'main;a 6
main;b 2' 'flame filters folded stacks'
run wick flame --format html in.folded -o out.x
ok 'flame --format is an alias of --to' cmp out.x flame.html
run wick flame --to html in.folded
ok '--to html without -o writes flamegraph.html' cmp flamegraph.html flame.html
run wick convert --to pdf in.folded
is "$status" 2 'rejects an unknown format to write'
like "$err" '^hint: .*wick convert --formats' 'an unknown format to write points to --formats'

# perf.data
run wick convert "$recording" -o convert.data
run wick flame "$recording" -o flame.data -o both.folded
is "$status" 0 'flame writes .data'
ok 'flame writes the same .data as convert' cmp convert.data flame.data
ok 'flame writes other files beside .data' test -s both.folded
run wick flame "$recording" --hide . -o none.data
is "$err" 'wick: none.data: a perf.data file cannot be filtered' 'rejects filters with .data'
run_sh "wick flame -o a.svg -o a.data <'$recording'"
is "$err" 'wick: a.data: standard input can only be read once; name a file' 'rejects .data and others of standard input'
ok 'leaves no file behind' test ! -e none.data -a ! -e a.svg -a ! -e a.data
for command in 'convert' 'flame' 'record'; do
	run_sh "wick $command --to perf-data -o - '$recording' | cat"
	is "$err" 'wick: perf.data cannot be written to standard output' "$command rejects perf.data on standard output"
done
run wick convert in.folded -o -
is "$err" "wick: standard output requires a format
hint: name it with --to FORMAT; \`wick convert --formats\` lists all" 'convert -o - needs --to'

# Commands that read take the formats by name
printf 'main;a 6 1\n' >in.ambiguous
for command in collapse 'flame -o -' 'convert --to folded' 'report' 'view --report' 'annotate main'; do
	run_sh "wick $command --from prof in.folded"
	is "$status" 2 "$command rejects an unknown format"
	is "$err" "wick: unknown format 'prof'
hint: did you mean 'pprof'?  \`wick convert --formats\` lists all" "$command suggests the nearest"
	run_sh "wick $command --from nothing-like-it in.folded"
	is "$err" "wick: unknown format 'nothing-like-it'
hint: \`wick convert --formats\` lists all" "$command points to the list of formats"
done
run wick diff --from prof in.folded in.folded
like "$err" "^wick: unknown format 'prof'" 'diff rejects an unknown format'
run wick collapse --from perf in.folded
like "$err" 'no stacks found' '--from is not second-guessed'
is "$(wick collapse --from folded in.folded)" "$(wick collapse folded in.folded)" '--from FORMAT is the operand FORMAT'
cp in.folded perf
is "$(wick collapse --from folded perf)" "$(cat in.folded)" 'with --from, a file may be called like a format'
is "$(wick collapse --from data "$recording" 2>>/dev/null | wc -l)" "$(wick collapse "$recording" 2>>/dev/null | wc -l)" '--from takes the extensions of what wick writes'
run wick convert --formats
is "$(sed -n '/^Read:/,/^$/p' "$outfile" | sed '1d;$d')" "$(wick collapse --formats)" 'convert --formats lists what collapse reads'
is "$(sed -n '/^Written:/,$p' "$outfile" | sed 1d | cut -d' ' -f1 | tr '\n' ' ')" 'svg html wick folded perf-data pprof speedscope perf-script callgrind chrome firefox perfetto otlp cpuprofile csv json dot markdown ' 'convert --formats lists what is written'

# A plain file is mapped, not copied: its size is no matter
if [ "$SANITIZED" = 0 ]; then
	{
		printf '{"shared":{"frames":[{"name":"a"}]},"profiles":['
		head -c 100000000 /dev/zero | tr '\0' ' '
		printf '{"type":"sampled","name":"","unit":"none","startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}]}'
	} >large.json
	run_sh 'ulimit -d 80000; wick collapse -n 1 large.json'
	is "$out" 'a 1' 'reads a speedscope file that is larger than the memory for data'
	rm large.json
fi

# Slices of a trace that cross: at any time the stack is what is open then.
cat >crossed.json <<'END'
{"traceEvents":[{"ph":"X","name":"f","pid":1,"tid":2,"ts":10,"dur":8},{"ph":"X","name":"g","pid":1,"tid":2,"ts":12,"dur":30},
{"ph":"X","name":"h","pid":1,"tid":2,"ts":14,"dur":20}]}
END
run wick convert crossed.json --to folded
is "$out" 'f 2
f;g 2
f;g;h 4
g 8
g;h 16' 'shares the time of slices that cross among what is open'
like "$err" 'slices that end after the slice around them' 'reports slices that cross'
run_sh "printf '[{\"ph\":\"X\",\"name\":\"f\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":8},{\"ph\":\"X\",\"name\":\"g\",\"pid\":1,\"tid\":2,\"ts\":12,\"dur\":-5}]' | wick convert - --to folded"
is "$out" 'f 8
f;g 0' 'takes nothing for a slice that ends before it begins'
like "$err" '1 out-of-order event' 'reports a slice that ends before it begins'
python3 -c 'import json
slices = [(i, 10000 - i) for i in range(1000)] + [(2000 + i, 20000) for i in range(9)]
print(json.dumps([{"ph": "X", "name": "f", "pid": 1, "tid": 1, "ts": a, "dur": b - a} for a, b in slices]))' >crossing.json
run wick convert crossing.json --to folded -o crossing.folded
is "$status" 0 'reads slices that all cross each other'
like "$err" 'calls dropped: limit reached' 'convert reports slices dropped because they all cross each other'
cat >back.json <<'END'
{"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"evented","unit":"none","startValue":0,"endValue":9,"events":[
{"type":"O","frame":0,"at":1},{"type":"O","frame":1,"at":4},{"type":"C","frame":1,"at":3},{"type":"C","frame":0,"at":6.5}]}]}
END
run wick convert back.json --to folded
is "$out" 'a 5.5
a;b 0' 'takes nothing for a speedscope event that closes before it opens'
like "$err" '1 out-of-order event' 'reports a speedscope event that closes before it opens'
python3 -c 'print("{\"shared\":{\"frames\":[" + ",".join("{\"name\":\"f%d\",\"file\":\"a\",\"line\":1,\"col\":2}" % i for i in range(1000000)) + "]},\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\",\"samples\":[[999999]],\"weights\":[1]}]}")' >frames.json
run wick convert frames.json --to folded
is "$out" 'f999999 1' 'reads a million frames of speedscope'
rm frames.json

# node --prof
run wick convert "$repo/fuzz/corpus/v8-log/ticks" --to folded
is "$out" '(anonymous) my w.js:1;outer, a;inner 2
(anonymous) my w.js:1;outer, a;inner;(garbage collector) 1
ArrayPush 1
outer, a;ArrayPush 1
outer, a;[unknown] 1' 'reads the log of node --prof, where code moves and goes'
like "$err" '2 malformed lines' 'reports malformed lines of the log of node --prof'
plan
