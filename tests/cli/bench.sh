#!/bin/sh
# wick bench: its command line, what runs around the commands, and what it writes.
# shellcheck disable=SC2016  # the shell of wick bench expands
. "$(dirname "$0")/lib.sh"

run wick bench --help
is "$status" 0 'prints help with --help'
like "$out" '^Usage: wick bench ' 'starts the help with the usage'

# Command lines that are wrong
wrong() {
	what=$1 pattern=$2
	shift 2
	run wick bench "$@"
	is "$status" 2 "wick bench rejects $what"
	like "$err" "$pattern" "names the reason for rejecting $what"
}
wrong 'no command' 'no command given'
wrong 'an unknown option' "unknown option '--nosuch'" --nosuch true
wrong 'no runs' '-r must be at least 1' -r 0 true
wrong 'an invalid duration' "invalid duration 'soon' for --time" --time soon true
wrong 'no time' 'time must be positive' --time 0 true
wrong 'an invalid percentage' "invalid percentage 'x' for --until" --until x true
wrong 'too many events' 'too many events \(limit: 8\)' -e r1,r2,r3,r4,r5,r6,r7,r8,r9 true
wrong '--runs with --time' 'mutually exclusive' -r 3 --time 3s true
wrong '--runs with --min-runs' 'runs and --min-runs are mutually exclusive' -r 3 -m 3 true
wrong '-N with --shell' 'mutually exclusive' -N -S sh true
wrong 'a name of no reference' 'reference-name requires --reference' --reference-name x true
wrong 'an invalid exit status' "invalid exit status '256'" -i=1,256 true
wrong 'an empty command in a shell' 'empty command' ''
wrong 'a unit of time that does not exist' 'microsecond, millisecond or second' -u minute true
wrong 'preparations without one for the reference' 'of which --reference is the first' --reference a -p 1 -p 2 b c
wrong 'fewer runs at most than at least' 'min-runs exceeds --max-runs' -m 5 -M 3 true
wrong 'more names than commands' 'given 2 times for 1 command' -n a -n b true
wrong 'preparations for some commands' 'once for each of 3 commands' -p a -p b true true true
wrong 'a step without a scan' 'requires --parameter-scan' -D 2 true
wrong 'an empty range' 'empty range 3 to 1' -P x 3 1 'echo {x}'
wrong 'a range that does not move' 'step-size must be positive' -P x 1 3 -D 0 'echo {x}'
wrong 'a range of words' "invalid number 'a'" -P x a b 'echo {x}'
wrong 'a scan without its end' 'requires VAR MIN MAX' 'echo {x}' -P x 1
wrong 'a range with too many values' 'more than 10000 values' -P x 1 1000000 'echo {x}'
wrong 'too many combinations' 'more than 10000 combinations' -P x 1 200 -P y 1 200 'echo {x}{y}'
wrong 'a parameter that is given twice' "parameter 'x' is given twice" -L x 1 -L x 2 'echo {x}'
wrong 'a quote that is never closed' 'missing closing quote' -N "echo 'a"
wrong 'an empty command' 'empty command' -N ''
wrong 'nothing between two commands' "empty command before or after '::'" -- true :: :: true
wrong 'commands on both sides of --' 'both before and after --: use one or the other' true -- true
wrong 'parameters after --' 'hint: quote each command instead: .COMMAND {x}.' -L x 1,2 -- echo '{x}'
wrong '--build without --git' 'build requires --git' --build make true
wrong 'an invalid number of profiled runs' "invalid number 'some' for --profile-runs: expected 0 to 1000, or auto" --profile-runs some true
wrong 'a range without dots' "invalid range 'HEAD'" --git HEAD true

# What runs, and how often
note='>>log; echo'
run wick bench -q -r 3 -w 2 -s "echo s $note" -p "echo p $note" -c "echo c $note" "echo r $note"
is "$status" 0 'runs a command with --setup, --prepare and --cleanup'
is "$(tr -d '\n' <log)" sprprprprprc 'runs --setup once, --prepare before each run, --cleanup at last'
is "$out$err" '' 'wick bench --quiet prints nothing'
rm log
run wick bench -q -r 4 -p "echo p1 $note" -p "echo p2 $note" "echo a $note" "echo b $note"
is "$(grep -c -x a log) $(grep -c -x b log)" '4 4' 'runs each command as often as --runs says'
is "$(grep -A1 p1 log | grep -c -x a) $(grep -A1 p2 log | grep -c -x b)" '4 4' 'runs the preparation of each command before it'
rm log
run wick bench -q -N -r 13 -- sh -c 'echo A >>log' :: sh -c 'echo B >>log'
is "$(tr -d '\n' <log | cut -c 3- | fold -w 4 | grep -c -x 'ABBA\|BAAB')" 6 'runs alternate in the order ABBA or BAAB after the first pair'
rm log
run wick bench -q -r 2 -w 1 -p "echo p $note" -C "echo C $note" "echo r $note"
is "$(tr -d '\n' <log)" prCprCprC '--conclude runs after each run'
rm log
run wick bench -q -r 2 -C "echo C $note" "echo r $note; exit 3"
is "$status:$(tr -d '\n' <log)" 1:rC '--conclude runs after a run that fails'
rm log
run wick bench -q -r 3 -w 2 -p 'echo p$HYPERFINE_ITERATION >>log' 'echo $HYPERFINE_ITERATION >>log'
is "$(tr '\n' ' ' <log)" 'p warmup-0 p warmup-1 p 0 p 1 p 2 ' 'HYPERFINE_ITERATION is the number of the run'
rm log
run wick bench -q -m 12 -M 12 --time 1s "echo r $note"
is "$(grep -c . log)" 12 '--min-runs and --max-runs bound the number of runs'
rm log
# A sleep is never shorter, and three rounds are the least: a fourth would end too late.
run wick bench -q --time 1s -N 'sleep 0.3' --export-json out.json
is "$(tr -d ' \n' <out.json | sed 's/.*"exit_codes":\[\([^]]*\)\].*/\1/')" '0,0,0' '--time bounds all runs together'
run wick bench -q --until 1000% -N 'sleep 0.05' 'sleep 0.05' --export-json out.json
is "$(tr -d ' \n' <out.json | sed 's/.*"exit_codes":\[\([^]]*\)\].*/\1/')" '0,0,0,0,0,0,0,0,0,0' '--until stops after the least number of runs if the interval is narrow'
unlike "$(cat out.json)" 'still wider' '--until does not warn if the interval is narrow'
run wick bench --until 0.000001% -M 11 -N true true --export-json out.json
is "$(tr -d ' \n' <out.json | sed 's/.*"exit_codes":\[\([^]]*\)\].*/\1/')" '0,0,0,0,0,0,0,0,0,0,0' '--until goes on to the limit if the interval is wide'
like "$err" 'still wider than ±1e-06 %' '--until warns if the interval is still wide'
run wick bench -q -r 6 'echo ${#WICK_BENCH_PADDING} >>log' 'echo ${#WICK_BENCH_PADDING} >>log'
ok 'the size of the environment is the same in a pair' test "$(uniq -c log | awk '$1 % 2' | wc -l)" = 0
ok 'the size of the environment differs between pairs' test "$(uniq log | wc -l)" -gt 1
rm log

# Results
run wick bench -r 5 -n one -n two true 'sleep 0.02' --export-json out.json --export-csv out.csv --export-markdown out.md
is "$status" 0 'wick bench of two commands succeeds'
like "$out" '^Benchmark 1: one$' 'prints the name that --command-name gives'
like "$out" '^  Time \(mean ± σ\): .* [mµ]s ± .*\[User: .*, System: .*\]$' 'prints the mean, the deviation and CPU time'
like "$out" '^  Range \(min … max\): .*s … .*s    5 runs$' 'prints the range and the number of runs'
like "$out" "^(slower|faster|no difference detected).*: 'two' .* 'one'\$" 'wick bench of two commands prints the verdict'
like "$out" '^  ratio [0-9.]+, 95 % interval [0-9.e+-]+ to [0-9.e+-]+, 5 pairs$' 'prints the ratio and its interval'
like "$out" '^peak memory .*MiB' 'prints the peak memory'
json() {
	ok "$1" python3 -c "
import json
data = json.load(open('${3:-out.json}'))
one, two = (data['results'] * 2)[:2]
assert $2, data"
}
json 'JSON has the keys of hyperfine' "set(one) >= set('command mean stddev median user system min max times exit_codes memory_usage_byte'.split())"
json 'JSON has times in seconds' "len(one['times']) == 5 and all(0 <= t < 100 for t in one['times'])"
json 'the mean in JSON is that of the times' "abs(sum(two['times']) / 5 - two['mean']) < 1e-6"
json 'JSON has the verdict' "two['verdict'] in ('faster', 'slower', 'no difference') and two['reference'] == 'one'"
json 'the interval in JSON has the ratio in it' "two['interval'][0] <= two['ratio'] <= two['interval'][1]"
json 'JSON has a ratio and an interval for each metric' "all(m['verdict'] in ('faster', 'slower', 'no difference') and m['interval'][0] <= m['ratio'] <= m['interval'][1] for m in two['metrics'].values())"
json 'JSON has no verdict on the reference' "'verdict' not in one"
json 'JSON has the facts of the machine' "data['machine']['cpus'] and data['machine']['kernel']"
json 'JSON has the order of all runs' "sorted(one['order'] + two['order']) == list(range(10))"
is "$(head -1 out.csv)" 'command,mean,stddev,median,user,system,min,max' 'CSV has the columns of hyperfine'
is "$(grep -c '^\(one\|two\),' out.csv)" 2 'CSV has a row for each command'
like "$(cat out.md)" '^\| `one` \| [0-9.]+ ± [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| .* \|$' 'Markdown has a row for each command'
is "$(grep -c '| 1.00 |$' out.md)" 1 'Markdown has one command that the others are relative to'
run wick bench -N -r 2 -n 'a|b' -n two true true --export-asciidoc out.adoc --export-orgmode out.org -u second
like "$out" '^  Time \(mean ± σ\): +[0-9]\.[0-9]{3} s ± +[0-9]\.[0-9]{3} s ' '--time-unit is the unit of all times'
numbers() {
	sed 's/[0-9][0-9]*\.[0-9][0-9]*/N/g; s/ *| *1.00 *|$/ |  N ± N |/' "$1"
}
is "$(numbers out.org | sed 's/N ± N |$/R |/; s/N |$/R |/')" '| Command  |  Mean [s] |  Min [s] |  Max [s] |  Relative |
|--+--+--+--+--|
| =a\|b=  |  N ± N |  N |  N |  R |
| =two=  |  N ± N |  N |  N |  R |' 'writes an Org table'
is "$(numbers out.adoc | sed -n '1,12p' | sed 's/ $//')" '[cols="<,>,>,>,>"]
|===
| Command
| Mean [s]
| Min [s]
| Max [s]
| Relative

| `a\|b`
| N ± N
| N
| N' 'writes an AsciiDoc table'
run wick bench -r 2 --sort mean-time true 'sleep 0.02' 'sleep 0.01' -u millisecond --export-markdown -
means=$(printf '%s\n' "$out" | sed -n 's/^| `[^|]*| *\([0-9.]*\).*/\1/p')
is "$means" "$(printf '%s\n' "$means" | sort -n)" '--sort mean-time sorts tables by time'
run wick bench --style none -r 1 true
is "$out$err" '' '--style none prints nothing'
run wick bench --style color -r 1 true
like "$out" "$(printf '\033')\[1mBenchmark 1" '--style color has colors without a terminal'
run wick bench -r 2 -n 'a,"b"' true --export-csv -
is "${out%%,[0-9]*}" 'command,mean,stddev,median,user,system,min,max
"a,""b"""' 'CSV on standard output is alone there, with commas and quotes in quotes'
run wick bench -r 1 true --export-json out.json
like "$out" '^  Time \(abs ≡\): .*s  ' 'prints the time of a single run without a deviation'
unlike "$out" 'Range|±' 'prints no range of a single run'
json 'the deviation of one run is null' "one['stddev'] is None"
run wick bench -N -r 1 true true
like "$out" '^time +[0-9]' 'prints the metrics of a single pair'
unlike "$out" '\[[-+]|\?' 'prints no interval of a single pair'
run wick bench -r 2 true true --export-json out.json
like "$out" "^too few runs for a verdict: 'true' against 'true'\$" 'two pairs are too few for a verdict'
json 'JSON has no verdict on two pairs' "'verdict' not in two and two['interval'] == [None, None]"
run wick bench -r 3 -e page-faults,minor-faults true true --export-json out.json
json 'counts the events of --event in each run' "all(v > 10 for k, m in one['metrics'].items() if k.startswith('page-faults') for v in m['values'])"
json 'has the events of --event, or a warning' "any(k.startswith('page-faults') for k in one['metrics']) or 'page-faults cannot be counted here' in data['warnings']"

# A sanitizer takes more.
[ "$SANITIZED" = 1 ] || {
	json 'measures the memory of small programs' "data['memory_floor'] <= 2 << 20 and all(v > 600 << 10 for v in one['metrics']['memory']['values'])"
}

# Parameters
run wick bench -r 1 -P x 1 2 -D 0.5 'echo {x}' --export-csv -
is "$(printf '%s\n' "$out" | cut -d, -f1,9 | grep '^echo')" 'echo 1,1
echo 1.5,1.5
echo 2.0,2.0' '--parameter-scan puts numbers into commands'
run wick bench -r 1 -L x 'a,b\,c' -L y 1,2 'echo {x}{y}{z}' --export-json out.json
is "$(printf '%s\n' "$out" | sed -n 's/^Benchmark . *: //p')" 'echo a1{z}
echo b,c1{z}
echo a2{z}
echo b,c2{z}' '--parameter-list puts all combinations into commands'
json 'JSON has the parameters' "two['parameters'] == {'x': 'b,c', 'y': '1'}"
titles() {
	printf '%s\n' "$out" | sed -n 's/^Benchmark . *: //p' | tr '\n' ' '
}
run wick bench -r 1 -L x a,b -n 'name {x}' 'echo {x}1' 'echo {x}2'
is "$(titles)" 'name a name a name b name b ' 'one name with parameters is that of all commands'
run wick bench -r 1 -L x a,b -n '1{x}' -n '2{x}' 'echo {x}1' 'echo {x}2'
is "$(titles)" '1a 2a 1b 2b ' 'names may be given for each command line'
run wick bench -r 1 -L x a,b -n 1 -n 2 -n 3 -n 4 'echo {x}1' 'echo {x}2'
is "$(titles)" '1 2 3 4 ' 'names may be given for each combination'
run wick bench -r 1 -L x a,,b 'echo "({x})"'
is "$(titles)" 'echo "(a)" echo "()" echo "(b)" ' '--parameter-list has empty values'
run wick bench -r 1 -P x 0.30 0.7 -D 0.2 'echo {x}'
is "$(titles)" 'echo 0.30 echo 0.50 echo 0.70 ' '--parameter-scan keeps the digits of its numbers'
run wick bench -r 1 -P x -1 1 -D 0.5 'echo {x}'
is "$(titles)" 'echo -1 echo -0.5 echo 0.0 echo 0.5 echo 1.0 ' '--parameter-scan begins below 0'
run wick bench -r 1 -L y a,b -L x 1 'echo {y}' --export-csv out.csv --export-markdown -
like "$out" '^\| `echo b \(x = 1\)` \|' 'parameters that a command does not have are shown with it'
is "$(cut -d, -f1,9,10 out.csv | tr '\n' ' ')" 'command,parameter_x,parameter_y echo a,1,a echo b,1,b ' 'CSV has parameters in the order of their names'
run wick bench -q -r 2 -L x a,b -s "echo set {x} $note" "echo {x} $note"
is "$(tr '\n' ' ' <log)" 'set a a a set b b b ' 'runs in blocks if --setup has a parameter'
is "$err" '' 'runs in blocks quietly with --quiet'
rm log
run wick bench -r 3 --reference 'sleep 0.05' true 'sleep 0.01'
like "$out" '^Benchmark 1: sleep 0.05$' 'runs the command of --reference first'
like "$out" "^Compared with 'sleep 0.05':\$" 'compares all others with --reference'
is "$(printf '%s\n' "$out" | grep -c '\(slower\|faster\|no difference detected.*\)$')" 2 'has a row for each comparison with --reference'
run wick bench -r 1 --reference 'echo r >>log' --reference-name ref -n one -p 'echo p1 >>log' -p 'echo p2 >>log' 'echo c >>log'
is "$(titles)" 'ref one ' '--reference-name names the command of --reference'
is "$(grep -A1 p1 log | tail -1)$(grep -A1 p2 log | tail -1)" rc 'the first preparation is that of --reference'
rm log
run wick bench -r 1 --reference 'echo r' -L x 1,2 'echo {x}' --export-csv -
is "$(printf '%s\n' "$out" | sed -n 's/^echo r.*,//p')" '' 'CSV has as many fields for --reference as for the others'

# Shells, input and output
run wick bench -q -r 1 -S 'sh -e' 'false; touch late'
ok '-S runs commands with the options of that shell' test ! -e late
run wick bench -q -r 1 -N "touch 'a b' \"c'd\" e\\ f"
ok '-N keeps words in single quotes together' test -e 'a b'
ok '-N keeps words in double quotes together' test -e "c'd"
ok '-N keeps blanks behind backslashes' test -e 'e f'
echo text >in
run wick bench -q -r 1 --input in 'cat >copy'
is "$(cat copy)" text '--input is what commands read'
run wick bench -q -r 3 --input in 'cat >>copies'
is "$(grep -c text copies)" 3 '--input is read from its beginning by each run'
run wick bench -q -r 1 'cat >copy'
is "$(cat copy)" '' 'commands read nothing by default'
run wick bench -q -r 2 --output inherit 'echo shown'
is "$out" 'shown
shown' '--output inherit shows what commands print'
run wick bench -q -r 3 --output file 'echo kept; echo err >&2'
is "$(cat file)" 'kept' '--output FILE has what the last run prints, without its errors'
run wick bench -q -r 2 --output file -p 'echo p' -c 'echo c' 'echo kept'
is "$(cat file)" 'kept' '--output FILE has nothing of --prepare and --cleanup'
run wick bench -q -r 2 --output file1 --output file2 'echo 1' 'echo 2'
is "$(cat file1 file2)" '1
2' '--output may be given for each command'
run wick bench -q -r 2 --output pipe 'test -p /dev/stdout && seq 100000'
is "$status" 0 '--output pipe reads what commands print'

# Failures
run wick bench -r 3 'exit 3'
is "$status" 1 'fails if a command fails'
like "$err" "^wick: 'exit 3' failed with exit status 3 in run 1\$" 'names the exit status of a command that fails'
like "$err" '^hint: use -i to ignore failures' 'tells how to ignore failures'
run wick bench -r 3 'kill -9 $$'
is "$status" 1 'fails if a command is killed'
like "$err" 'was killed by signal 9' 'names the signal that killed a command'
run wick bench -i -r 3 'exit 3' --export-json out.json
is "$status" 0 'wick bench -i ignores failures'
json 'JSON has the exit status of each run' "one['exit_codes'] == [3, 3, 3]"
like "$err" "warning: 3 of 3 runs of 'exit 3' failed" 'reports how many runs failed'
run wick bench -i=2,3 -r 3 'exit 3'
is "$status" 0 '-i ignores the exit statuses it names'
run wick bench --ignore-failure=2,4 -r 3 'exit 3'
is "$status" 1 '-i ignores no other exit status'
run wick bench --ignore-failure=137 -r 3 'kill -9 $$'
is "$status" 0 '-i ignores a signal by its exit status in a shell'
run wick bench -r 3 -N 'nosuch a'
is "$status" 1 'fails if a program does not exist'
like "$err" '^wick: nosuch: ' 'names the program that does not exist'
run wick bench -r 3 -N "sh -c 'kill -9 \$(cat /proc/\$PPID/task/*/children | xargs -n 1 | grep -v -x \$\$)'"
is "$status" 1 'fails if its helper is killed'
like "$err" '^wick: the process that starts commands was killed' 'says that its helper was killed'
run wick bench -r 1 -N --output inherit "sh -c 'cat /proc/\$PPID/comm'"
like "$out" '^wick$' 'commands are children of wick'
run wick bench -r 3 -p 'exit 2' true
is "$status" 1 'fails if a preparation fails'
like "$err" "^wick: --prepare 'exit 2' failed with exit status 2" 'names the preparation that fails'
run wick bench -r 2 --input nosuch true
is "$status" 1 'fails if the input does not exist'
run wick bench -r 2 true --export-json nowhere/out.json
is "$status" 1 'fails if a file cannot be written'
like "$err" '^wick: nowhere/out.json: ' 'names the file that cannot be written'
run wick bench -r 2 'touch ran' --export-json .
is "$status" 1 'fails if a file is a folder'
run wick bench -r 2 'touch ran' -o nowhere/out.html
ok 'runs nothing if a file cannot be written' test ! -e ran

# Saved results, and limits.  These times are so far away that no load makes a difference.
saved_times() {
	printf '{"results": [{"command": "x", "times": [%s]}]}' "$(seq -s, -f "$1%g" 10 29)"
}
saved_times 0.00000 >short.json
saved_times 10 >long.json
run wick bench -r 20 -N -n x true --baseline short.json
is "$status" 0 'reads what hyperfine exports as a baseline'
like "$out" "^slower: 'x' takes [0-9.]+ times as long as 'x' of the baseline\$" 'a command is slower than one that takes no time'
like "$err" 'warning: the baseline does not say which machine' 'warns of a baseline without a machine'
run wick bench -r 20 -N -n x true --baseline long.json --fail-above 50%
like "$out" "^faster: 'x' takes [0-9.]+ % less time than 'x' of the baseline\$" 'a command is faster than one that takes long'
is "$status" 0 '--fail-above accepts a faster command'
run wick bench -r 20 -N true --baseline short.json --fail-above 50% --export-json out.json
is "$status" 3 '--fail-above makes a slower command exit with 3'
like "$err" "^wick: 'true' is [0-9.]+ % slower, above the limit of 50 %" 'wick bench --fail-above names the slower command'
json 'JSON has the verdict against a baseline' "one['verdict'] == 'slower' and one['interval'][0] > 1"
run wick bench -r 2 -N true true --baseline short.json
like "$err" "warning: the baseline has no 'true'" 'warns of a command that the baseline does not have'
run wick bench -q -r 5 -N true --save base
is "$status" 0 'wick bench --save succeeds'
run wick bench -r 5 -N true --baseline base --export-json out.json
is "$status" 0 '--baseline reads what --save keeps'
json 'compares all metrics with those that were saved' "all('ratio' in m for m in one['metrics'].values())"
unlike "$err" 'another machine' 'accepts a baseline of the same machine'
sed 's/"cpus": "[0-9]*"/"cpus": "1234"/' base >other
run wick bench -r 5 -N true --baseline other
like "$err" "warning: .*another machine: cpus was '1234'" 'warns of a baseline of another machine'
for bad in '' '{' '[]' '{"results": 1}' '{"results": [1]}' '{"results": [{"command": "x"}]}' \
	'{"results": [{"command": "x", "times": [1e999]}]}' '{"results": {"command": "x", "times": [1]}}' \
	'{"results": [{"command": 1, "times": [1]}]}' '{"results": [{"command": "x", "times": []}]}' '\0\1\2' 'time: 1 s' \
	'{"results": [{"command": "x", "times": [-1]}]}' '{"results": [{"command": "x", "times": ["a"]}]}'; do
	printf '%s' "$bad" >bad.json
	run wick bench -r 2 -N touch\ ran --baseline bad.json
	is "$status" 1 "rejects the baseline '$bad'"
	ok "runs nothing with the baseline '$bad'" test ! -e ran
done
echo 'no JSON' >bad.json
run wick bench -r 2 -N true --baseline bad.json
like "$err" '^wick: bad.json: line 1, column 1: ' 'names the place where a baseline is not JSON'
like "$err" '^hint: --baseline takes what --save or --export-json wrote' 'says what a baseline is'
run wick bench -r 2 true --baseline nosuch
is "$status" 1 'rejects a baseline that does not exist'

# Warnings: each situation is made, so that it is there on any machine.
run wick bench -r 10 -N "sh -c 'test -e ran || sleep 1; touch ran'"
like "$err" "warning: the first run of .* took [0-9]+ % longer than the median" 'warns of a slow first run'
like "$err" '^hint: use --warmup 3 ' 'suggests --warmup after a slow first run'
run wick bench -r 10 -w 1 -N "sh -c 'echo >>nr; test \$(wc -l <nr) != 7 || sleep 1'"
like "$err" 'warning: [1-9] of 10 runs of .* took much longer than the others' 'warns of a run that took much longer'
rm -f ran nr
run wick bench -r 12 -N "sh -c 'echo >>nr; sleep \$(wc -l <nr | awk \"{ print \\\$1 / 10 }\")'"
like "$err" "warning: .* got [0-9.]+ % slower between the first runs and the last" 'warns of runs that get slower'
rm -f nr
sh -c 'while :; do :; done' &
busy=$!
run wick bench -r 6 -N 'sleep 0.3'
kill "$busy"
like "$err" 'warning: other processes kept [0-9.]+ of [0-9]+ CPUs busy' 'warns of a process that keeps a CPU busy'
# On a busy machine it may take longer, but not every time.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	run wick bench -r 3 true
	case $err in *'less than 5 ms'*) break ;; esac
done
like "$err" "warning: 'true' takes less than 5 ms, which the shell's start-up time can distort" 'warns of a command that is too short for a shell'
run wick bench -r 3 -N true
unlike "$err" 'less than 5 ms' 'does not warn of a short command without a shell'
mkdir -p cpu0/cpufreq
for governor in powersave performance; do
	echo $governor >cpu0/cpufreq/scaling_governor
	run unshare -m sh -c 'mount --bind cpu0 /sys/devices/system/cpu/cpu0 || exit 125; wick bench -r 3 -N true'
	if [ "$status" != 0 ]; then
		skip "the governor $governor" 'this process cannot mount'
	elif [ $governor = powersave ]; then
		like "$err" "warning: the CPU frequency varies with the load \(governor 'powersave'\)" 'warns of a governor other than performance'
	else
		unlike "$err" 'governor' 'does not warn of the governor performance'
	fi
done

# Pages
run wick bench -r 4 -N -n '<b>&' 'sleep 0.01' 'sleep 0.02' --profile-runs 0 -o page.html
is "$status" 0 'wick bench -o succeeds'
like "$(cat page.html)" '&lt;b&gt;&amp;' 'escapes names in the page'
is "$(grep -c ' run" cx=' page.html)" 16 'the page has a dot for each run in both charts'

# Progress
if command -v script >/dev/null; then
	run script -qec "stty cols 100; wick bench -r 4 -N 'sleep 0.3'" /dev/null
	like "$out" 'round [234] of 4' 'shows its progress on a terminal'
	run script -qec "stty cols 100; wick bench -m 3 --time 1s -N 'sleep 0.3'" /dev/null
	like "$out" 'round [23], [0-9]+ s of 1 s' 'shows how much time is left on a terminal'
	run script -qec "stty cols 100; wick bench -q -r 4 -N 'sleep 0.3'" /dev/null
	unlike "$out" 'round' '--quiet shows no progress on a terminal'
else
	skip 'a terminal' 'script (util-linux) is not here'
fi
run wick bench -r 4 -N 'sleep 0.3'
unlike "$out$err" 'round' 'shows no progress in a pipe'

# Revisions
git init -q repo
cd repo || exit 1
git config user.name name
git config user.email mail@example.org
mkdir sub
echo 'sleep 0.01' >sub/run
git add .
git commit -qm one
echo 'sleep 0.02' >sub/run
git commit -qam two
cd sub || exit 1
run wick bench -r 4 --git HEAD~1..HEAD --build "cp run built; pwd >>'$scratch/builds'" 'sh ./built'
is "$status" 0 '--git compares two revisions'
like "$out" "'sh ./built \(HEAD\)' .* 'sh ./built \(HEAD~1\)'\$" 'runs the command in the same folder of each revision'
is "$(sort -u "$scratch/builds" | wc -l) $(wc -l <"$scratch/builds")" '2 2' 'builds each revision once, in a folder of its own'
is "$(grep -c '/sub$' "$scratch/builds")" 2 'builds in the same folder of each revision'
is "$(git worktree list | wc -l)" 1 'wick bench --git removes its worktrees'
run wick bench -r 2 --git HEAD~1.. --build 'exit 4' 'sh ./run'
is "$status" 1 'fails if a build fails'
like "$err" "HEAD~1: --build 'exit 4' failed with exit status 4" 'names the revision whose build fails'
like "$err" '^hint: it printed nothing' 'says that a build that fails printed nothing'
run wick bench -r 2 --git HEAD~1.. --build 'echo printed; echo wrong >&2; exit 4' 'sh ./run'
log=$(printf '%s\n' "$err" | sed -n 's/^hint: its output is in //p')
is "$(cat "$log")" 'printed
wrong' 'keeps the output of a build that fails'
rm -f "$log"
ok 'leaves nothing but the log of a build that fails' rmdir "${log%/*}"
run wick bench -r 2 -N --git HEAD~1.. 'sh ./run' --output inherit --build 'echo built'
is "$(printf '%s\n' "$out" | grep -c -x built)" 2 '--output inherit shows what builds print'
run wick bench -r 2 --git HEAD~1.. 'sh ./run' --output inherit --build 'exit 4'
unlike "$err" 'hint' 'has no hint about the output of a build that was shown'
echo changed >run
run wick bench -r 2 -N --git HEAD~1.. 'sh ./run'
like "$err" 'warning: the working tree has uncommitted changes' '--git warns of uncommitted changes'
git checkout -q run
run wick bench -r 2 -N --git HEAD~1.. 'sh ./run'
unlike "$err" 'uncommitted' '--git does not warn of a clean working tree'
echo 'touch here' >new
run wick bench -r 2 --git HEAD~1.. './new'
is "$status" 1 '--git does not run what is not committed'
like "$err" '^hint: a worktree has committed files only: use --build' '--git suggests --build if the program is not there'
rm new
printf '#!/bin/sh\nexit 0\n' >prog
chmod +x prog
git add prog
git commit -qm three
run wick bench -r 2 -N --git HEAD.. ./prog
is "$status" 0 '--git finds a relative program in the worktree'
run wick bench -r 2 -N --git HEAD~1.. ./prog
is "$status" 1 '--git fails if a relative program is in one revision only'
like "$err" '^wick: \./prog: ' 'names the program that is not in a revision'
git reset -q --hard HEAD~1
mkdir later
echo >later/file
git add later
git commit -qm four
cd later || exit 1
run wick bench -r 2 --git HEAD~1.. true
is "$status" 1 '--git fails if a revision does not have the current directory'
like "$err" "'HEAD~1' has no directory 'sub/later/'" 'names the revision without the current directory'
cd .. || exit 1
git reset -q --hard HEAD~1
git -c protocol.file.allow=always submodule --quiet add "$scratch/work/repo/.git" inner 2>/dev/null
git commit -qam five
run wick bench -r 2 -N --git HEAD~1.. true
like "$err" "warning: the submodules of 'HEAD' are not checked out" '--git warns of submodules'
like "$err" "^hint: --build 'git submodule update --init && make'" '--git tells how to check out submodules'
run wick bench -r 2 --git HEAD~1.. --build 'git -c protocol.file.allow=always submodule update --init' 'true'
is "$status" 0 '--git builds with submodules'
is "$(git worktree list | wc -l)" 1 'removes worktrees with submodules'
is "$(git worktree list | wc -l)" 1 'removes worktrees after a build that fails'
run wick bench -r 2 --git nosuch..HEAD 'sh ./run'
is "$status" 1 'rejects an unknown revision'
like "$err" "revision 'nosuch'" 'names the unknown revision'
run wick bench -r 2 --git HEAD~1..HEAD true true
is "$status" 2 '--git rejects several commands'
run_sh 'cd / && wick bench -r 2 --git A..B true'
is "$status" 1 '--git fails outside of a repository'
cd ../..

# Ctrl-C
cat >interrupt.py <<'P'
import os, signal, subprocess, sys, time
# The third run tells that it is there, and is interrupted.
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not os.path.exists('third'):
    assert p.poll() is None
    time.sleep(0.01)
os.killpg(p.pid, signal.SIGINT)
out, err = p.communicate()
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(p.returncode)
P
run python3 interrupt.py wick bench -c 'echo clean >>log' --export-json out.json 'echo >>count; test $(wc -l <count) -lt 5 || { touch third; sleep 100; }' 'true'
is "$status" 130 'exits with 130 after Ctrl-C'
like "$out" '^Benchmark 2: true' 'prints the results so far after Ctrl-C'
like "$err" '^wick: interrupted: reporting the runs so far' 'says that it was interrupted'
json 'writes the results so far after Ctrl-C' "data['interrupted'] and len(one['times']) == 4"
is "$(grep -c clean log)" 2 'cleans up after Ctrl-C'
rm -f count third log
run python3 interrupt.py wick bench -r 2 --export-json out.json -s 'true {x}' -L x 0,100 'test {x} = 0 || touch third; sleep {x}'
is "$status" 130 'exits with 130 after Ctrl-C in the first run of the second command'
json 'keeps the runs of the first command after Ctrl-C in those of the second' "len(one['times']) == 2 and not two['times'] and 'verdict' not in two"
rm -f third
cd repo || exit 1
run python3 ../interrupt.py wick bench --git HEAD~1..HEAD 'touch ../../../'"$PWD"'/third; sleep 100'
is "$status" 130 'exits with 130 after Ctrl-C in the first run'
like "$err" '^wick: interrupted before a run has ended: no results' 'says that there are no results after Ctrl-C in the first run'
is "$(git worktree list | wc -l)" 1 'removes worktrees after Ctrl-C'
rm -f third
run python3 ../interrupt.py wick bench --git HEAD~1..HEAD --build "touch '$PWD/third'; sleep 100" true
is "$status" 130 'exits with 130 after Ctrl-C in a build'
like "$err" '^wick: interrupted before a run has ended: no results' 'says that there are no results after Ctrl-C in a build'
is "$(git worktree list | wc -l)" 1 'removes worktrees after Ctrl-C in a build'
cd "$scratch/work" || exit 1

# Who called sudo
if [ "$(id -u)" = 0 ]; then
	chmod 755 . "$scratch"
	touch setup
	chmod 666 setup
	run env SUDO_UID=65534 wick bench -N -r 1 -s 'sh -c "id -u >>setup"' --output sudo.txt --export-json sudo.json 'sh -c "id -u; echo $HOME"'
	is "$status" 0 'bench under sudo succeeds'
	is "$(cat sudo.txt)" "65534
$(getent passwd 65534 | cut -d : -f 6)" 'runs the command as the user who called sudo'
	is "$(cat setup)" 65534 'runs --setup as the user who called sudo'
	is "$(stat -c %u sudo.txt sudo.json)" '65534
65534' 'gives the files to the user who called sudo'
	run env SUDO_UID=65534 wick bench -N -r 1 --profile-runs 1 --output inherit 'id -u'
	is "$(grep -c '^65534$' "$outfile")" 2 'profiles the command as the user who called sudo'
	run env SUDO_UID=65534 wick bench -N -r 1 --output inherit --target-user root 'id -u'
	like "$out" '^0$' '--target-user names another user'
	chown -R 65534:65534 repo
	cd repo || exit 1
	run env SUDO_UID=65534 TMPDIR=/tmp wick bench -r 1 --git HEAD~1..HEAD --build 'id -u >who' --output inherit 'cat who'
	is "$status" 0 'bench --git under sudo succeeds'
	is "$(grep -c '^65534$' "$outfile")" 2 'builds as the user who called sudo'
	run env SUDO_UID=65534 TMPDIR=/tmp wick bench -r 1 --git HEAD~1..HEAD --build 'echo broken; false' true
	log=$(printf '%s\n' "$err" | sed -n 's/.*its output is in //p')
	is "$(cat "$log")" broken 'keeps the log of a build that failed under sudo'
	rm -r "${log%/*}"
fi

plan
