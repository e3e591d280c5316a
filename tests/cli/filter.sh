#!/bin/sh
# Filters: what is wrong with them, what they leave, and that every command has the same.
. "$(dirname "$0")/lib.sh"

printf 'main;work;a 6\nmain;work;b 2\nmain 2\nidle 10\n' >in.folded
cat >in.perf <<'END'
web 10/11 [000] 100.000000: 5 cycles:
	    1003 memcpy+0x3 (/usr/lib/libc.so.6)
	    2000 main+0x1 (/usr/bin/web)

worker 10/12 [001] 100.500000: 7 cycles:
	ffffffff81000010 copy_page+0x10 ([kernel.kallsyms])
	    2000 main+0x1 (/usr/bin/web)

END

# What is wrong, before anything is read
for option in focus ignore hide root; do
	run wick collapse --$option 'a(b' nowhere
	is "$status" 2 "--$option: a bad pattern"
	is "$err" "wick: --$option: invalid pattern 'a(b': at character 4: missing closing parenthesis" \
		'is told with its place'
done
run wick flame --hide '[' -o out.svg nowhere
is "$status" 2 'flame rejects an invalid pattern'
like "$err" "^wick: --hide: invalid pattern '\['" 'flame rejects an invalid pattern'
ok 'flame writes no picture for an invalid pattern' test ! -e out.svg
for range in 1 1-2 2..1 1..1 a..b -1..2 1..2..3 1e99..; do
	run wick collapse --time "$range" nowhere
	is "$status" 2 "--time $range is a usage error"
	like "$err" "^wick: invalid time range '$range'(: expected START\.\.END in seconds, such as 0\.5\.\.2|: it ends before it starts)$" \
		'rejects an invalid time range'
done
run wick collapse --collapse-module '' in.perf
is "$status" 2 'a module without a name'
run wick collapse --reverse --order input in.folded
is "$status" 2 '--reverse and --order input exclude each other'

# What is not there
run wick collapse --time 0..1 in.folded
is "$status" 1 'times of what has none'
is "$err" 'wick: the samples of this input have no timestamps' '--time of an input without timestamps is an error'
run wick collapse --thread web in.folded
is "$err" "wick: no thread 'web': the input has no threads" 'threads of what has none'
run wick collapse --thread nobody in.perf
is "$status" 1 'a thread that is not there'
is "$err" "wick: unknown thread 'nobody'; the input has: web-10/11, worker-10/12" 'an unknown thread is reported with those of the input'
is "$(wick collapse --thread web-10/11 in.perf)" "$(wick collapse --thread 11 in.perf)" '--thread accepts the form that the message prints'
run wick collapse --collapse-module libm.so in.perf
is "$status" 1 'a module that is not there'
is "$err" "wick: no module 'libm.so' in the input" '--collapse-module of an unknown module is an error'
run wick collapse --module libm.so in.perf
is "$status" 1 'samples of a module that is not there'
is "$err" "wick: no module 'libm.so' in the input
hint: \`wick report --modules\` lists them" 'are an error'

# Nothing left
nothing='wick: no stacks left: the filter drops all samples'
run wick collapse --focus nobody in.folded
is "$status" 1 'a filter that drops all samples is an error'
is "$out" '' 'a filter that drops all samples gives no output'
is "$err" "$nothing" 'reports that a filter drops everything'
run wick collapse --hide . in.folded
is "$err" "$nothing" '--hide of all frames reports that nothing is left'
run wick collapse --time 5..6 in.perf
is "$err" "$nothing" '--time outside of the recording reports that nothing is left'
run wick flame --ignore . -o out.svg in.folded
is "$status" 1 'flame fails if a filter drops all samples'
is "$err" "$nothing" 'flame reports that a filter drops all samples'
ok 'flame writes no picture if a filter drops all samples' test ! -e out.svg

# Where a sample ended
run wick collapse --module libc.so.6 in.perf
is "$out" 'web;main;memcpy 5' '--module keeps samples whose leaf is in the module'
run wick collapse --module web in.perf
is "$err" "$nothing" '--module drops samples whose callers alone are in the module'
run wick collapse --module /usr/lib/libc.so.6 --module '[kernel.kallsyms]' --hide main in.perf
is "$out" 'web;memcpy 5
worker;copy_page 7' 'or of several, before anything is hidden'
run wick flame --static --module libc.so.6 -o out.svg in.perf
is "$(grep -c copy_page out.svg)" 0 'flame --module draws only samples of the module'
rm out.svg

# Each form of output
run wick collapse --hide work --order input in.folded
is "$out" 'main;a 6
main;b 2
main 2
idle 10' 'in the order of the input'
run wick collapse --hide '^main$' --thread worker --all in.perf
is "$out" 'worker;copy_page_[k] 7' 'a pattern that ends in $ hides a function of exactly that name'
run wick collapse --focus 'copy_page$' --all in.perf
is "$out" 'worker;main;copy_page_[k] 7' 'a pattern matches a name without its mark'
run wick collapse --hide '_\[k\]$' --all in.perf
is "$out" 'web;main;memcpy 5
worker;main 7' 'a pattern matches a name with the mark that is shown'
run wick collapse --focus '_\[k\]$' in.perf
is "$err" "$nothing" 'a pattern does not match a mark that is not shown'
cp "$tests/golden/dtrace/in.txt" in.dtrace
for name in '^mutex_enter$' '^unix`mutex_enter$'; do
	run wick report --focus "$name" in.dtrace
	like "$out" '^100\.00 % +100\.00 % +15 .* unix +mutex_enter$' "a pattern matches a name with and without its module: $name"
	run wick report --callers "${name#^}" in.dtrace
	like "$out" 'unix`mutex_enter' "--callers finds a pattern with and without its module: $name"
done
printf 'main;lock_[k] 3\nmain;lock_slow_[k] 4\n' >marked.folded
run wick report --callers lock marked.folded
unlike "$out" lock_slow '--callers NAME means the function of exactly this name, though it is shown with a mark'
run wick collapse --time 0.5.. --order input in.perf
is "$out" 'worker;main;copy_page 7' '--time and --order input go together'

# perf.data has times too
recording=$repo/fuzz/corpus/perf-data/chains
all=$(wick collapse "$recording" 2>>/dev/null | awk '{ n += $NF } END { print n }')
first=$(wick collapse --time 0..0.01 "$recording" 2>>/dev/null | awk '{ n += $NF } END { print n }')
rest=$(wick collapse --time 0.01.. "$recording" 2>>/dev/null | awk '{ n += $NF } END { print n }')
ok 'a part of a recording' test "$first" -gt 0 -a "$rest" -gt 0
is "$((first + rest))" "$all" 'two halves of the time add up to the whole'

# So do waits, whose ends alone have lines
waits() { # time, text
	printf 'db 21 [001] %s: sched:sched_%s\n\tffffffff8100 schedule+0x23 ([kernel.kallsyms])\n\n' "$@"
}
{
	waits 100.000000 'switch: db:21 [120] S ==> swapper/1:0 [120]'
	waits 100.100000 'stat_sleep: comm=db pid=21 delay=100000003 [ns]'
} >waits.txt
wick convert -q waits.txt -o waits.wick
wick convert -q waits.txt -o waits.json
for file in waits.txt waits.wick waits.json; do
	is "$(wick collapse $file)" 'db;schedule 100000.003' "$file: the whole wait"
	is "$(wick collapse --time ..0.05 $file)" 'db;schedule 50000' "$file: the time of a wait begins where it does"
	is "$(wick collapse --time 0.05.. $file)" 'db;schedule 50000.003' "$file: two parts of a wait add up to the whole"
done
sed 's/"weight":100000\.003/"weight":0.005/' waits.json >coarse.json
is "$(wick collapse --time ..0.05 coarse.json) $(wick collapse --time 0.05.. coarse.json)" \
	'db;schedule 0.002 db;schedule 0.003' 'even where the weights are rounded'
run wick collapse -q --event all --time 0.05..0.4 waits.txt in.perf
is "$out" 'db;schedule 50000.003' 'samples and waits of two inputs have one time'
run wick diff --normalize duration "$recording" "$recording"
is "$status" 0 'recordings are compared in the same time'
run wick collapse --thread 'worker-10/12' --tid in.perf
is "$out" 'worker-10/12;main;copy_page 7' 'a thread as it is shown'
run wick flame --focus work --hide '^b$' -o - in.folded
is "$(frames "$outfile")" 'title: Flame Graph
details: 8 samples
0 0-100 all (8 samples, 100 %)
1 0-100 main (8 samples, 100 %)
2 0-100 work (8 samples, 100 %)
3 25-100 a (6 samples, 75.0 %)' 'a picture'
run wick flame --sort time --ignore idle --hide work -o - in.folded
is "$(frames "$outfile" | sed -n '5,$p')" '2 0-60 a (6 samples, 60.0 %)
2 60-80 b (2 samples, 20.0 %)' 'a chart'
run wick flame --hide '^work$' --collapse-recursion --reverse -o - in.folded
like "$(frames "$outfile")" '^2 0-30 main' '--reverse draws what --hide and --collapse-recursion leave'
printf 'm;a 1 2\nm;b 3 4\n' >two.folded
run wick collapse --focus b two.folded
is "$out" 'm;b 3 4' '--focus keeps both sides of a diff'

# A pattern that would take until tomorrow
awk 'BEGIN { for (i = 0; i < 60; i++) printf "a"; print "b 1" }' >slow.folded
run wick collapse --focus '^(a+)+$' slow.folded
is "$status" 2 'a pattern that does not end'
like "$err" "takes too long to match 'aaaa" 'a pattern that takes too long is reported'

# The kernel
for command in collapse report; do
	run wick $command --no-kernel in.perf
	is "$status" 0 "wick $command --no-kernel succeeds"
	unlike "$out" copy_page "$command --no-kernel leaves kernel frames out"
done
run wick collapse --no-kernel in.perf
is "$out" 'web;main;memcpy 5
worker;main 7' '--no-kernel charges the cost of kernel frames to their callers'


# Reasons of waits
waits=$repo/tests/golden/perf-timehist/in.txt
is "$(wick collapse -q --reason 'cpu wait' "$waits" | grep -c '\[cpu wait\] ')" "$(wick collapse -q "$waits" | grep -c '\[cpu wait\] ')" '--reason keeps the waits for it'
is "$(wick collapse -q --reason 'cpu wait' "$waits" | grep -vc '\[cpu wait\] ')" 0 '--reason keeps nothing else'
run wick collapse --reason lok "$waits"
is "$status" 2 'rejects an unknown reason'
like "$err" "invalid value 'lok' for --reason: expected .*lock.*" 'an unknown --reason is reported with the known ones'
like "$err" "did you mean 'lock'" 'suggests the nearest reason'
run wick collapse --reason lock "$waits"
is "$status" 1 'a reason that nothing waits for is an error'
like "$err" "no waits for 'lock' in the input" 'names the reason that nothing waits for'

plan
