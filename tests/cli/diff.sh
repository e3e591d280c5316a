#!/bin/sh
# wick diff: what is compared, how it is counted, and the two programs it stands in for.
. "$(dirname "$0")/lib.sh"

printf 'main;a 6\nmain;b 2\n' >before
printf 'main;a 3\nmain;c 1\n' >after
want='main;a 6 3
main;b 2 0
main;c 0 1'

run wick diff before after
is "$status" 0 'diff of two files succeeds'
is "$out" "$want" 'diff prints both counts of each stack'
is "$err" '' 'diff of two files prints no message'
run wick diff before before -- after
is "$out" 'main;a 12 3
main;b 4 0
main;c 0 1' 'several before, one after'
run wick diff before -- after after
is "$out" 'main;a 6 6
main;b 2 0
main;c 0 2' 'one before, several after'
run wick diff -o out.folded before after
is "$out$(cat out.folded)" "$want" 'diff -o writes the result to a file'
run_sh 'wick diff - after <before'
is "$out" "$want" 'diff reads - from standard input'
run wick diff -n before after
is "$out" 'main;a 3 3
main;b 1 0
main;c 0 1' '-n: both weigh the same'
printf 'f+0x1a 1\nf+0x2b 2\n0x 3\n' >hex
run wick diff -s hex hex
is "$out" '0x 3 3
f+0x... 3 3' '-s: addresses are all the same'
printf 'a 9223372036854775807\nb 1\n' >large
printf 'a 1.5\nb 9223372036854775807\n' >larger
run wick diff -n large larger
is "$status" 0 'diff -n of the largest counts succeeds'
like "$out" '^a [0-9.]+ 1.5$' 'diff -n of the largest counts does not overflow'

# Any format against any other
printf 'sh 12 [000] 1.5: 1 cycles:\n\t7f12 main+0x2 (/bin/sh)\n\n' >perf.txt
printf 'sh;main 4\nsh;other 5\n' >sh.folded
run wick diff perf.txt sh.folded
is "$out" 'sh;main 1 4
sh;other 0 5' 'perf script against folded'
run wick diff sh.folded perf.txt
is "$out" 'sh;main 4 1
sh;other 5 0' 'and folded against perf script'
run wick diff before after -o diff.folded
run wick flame diff.folded -o diff.svg
like "$(frames diff.svg)" 'main \(8 samples .* 4 samples, 100 %' 'wick flame draws the output of diff'

# What is wrong
for files in '' before 'before after before' 'before --' '-- after'; do
	# shellcheck disable=SC2086  # several words
	run wick diff $files
	is "$status" 2 "one side is missing: '$files'"
	is "$err" 'wick: expected two files, or several on each side of --
hint: wick diff BEFORE AFTER, or wick diff BEFORE... -- AFTER...' 'diff rejects a command line with one side'
done
run wick diff before missing
is "$status" 1 'diff fails if a file is missing'
is "$err" 'wick: missing: No such file or directory' 'diff reports a missing file'
run wick diff -o /dev/full before after
is "$status" 1 'diff fails if the disk is full'
printf 'main;a 1\nmain;b x\n' >odd
run wick diff before odd
is "$status" 1 'diff rejects a file of unknown format'
run wick diff --help
is "$status" 0 'diff --help succeeds'
like "$out" '^Usage: wick diff ' 'diff --help prints the usage'
choices=$(sed -n 's/^ *--to //p' "$outfile")
is "$choices" 'svg|html|wick|folded' 'diff --help lists the formats that hold a comparison'
for format in $(echo "$choices" | tr '|' ' '); do
	run wick diff --to "$format" before after
	is "$status" 0 "diff --to $format succeeds"
done
run wick diff --to pprof before after
is "$status" 2 'diff --to pprof is a usage error'

# What changed by more than the noise
printf 'main;a 400\nmain;b 600\nmain;c 1000\n' >old
printf 'main;a 600\nmain;b 590\nmain;c 810\n' >new
run wick diff --counts samples --report old new
is "$status" 0 'diff --report succeeds'
is "$err" '' 'diff --report prints no message'
like "$out" ' 20\.00 % +30\.00 % +\+10\.00 +\[\+[0-9.]+, \+[0-9.]+\] +400 +600  a$' 'diff --report lists a function that changed'
unlike "$out" ' b$' 'diff --report does not list a function that did not change'
like "$out" '^2 of 4 functions did not change significantly\.$' 'diff --report counts the functions that did not change'
like "$out" 'call path of the change$' 'reports where in the call tree it changed'
like "$out" ' main;a$' 'diff --report lists the paths that changed'
run wick diff --counts samples --report --top 1 old new
like "$out" '^and 1 more \(--top 2\)$' '--top truncates the table and reports that'
run wick diff --counts samples --report --confidence 99.9999999999 old new
like "$out" '^4 of 4 functions' '--confidence: more of it, fewer claims'
run wick diff --counts samples --report old old
is "$status" 0 'diff --report compares a file with itself'
like "$out" '^Nothing changed: all 4 functions are the same\.$' 'diff --report says that equal files are equal'
run wick diff --counts samples --report -o out.folded old new
is "$(cat out.folded)" 'main;a 400 600
main;b 600 590
main;c 1000 810' '--report with -o writes both'
like "$out" ' main;a$' 'the report on standard output'
run wick diff --counts samples --fail-above 5 old new
is "$status" 3 '--fail-above: more than 5 points'
is "$err" 'wick: a: +10.00 points exceeds --fail-above 5' 'diff --fail-above names the function above the limit'
run wick diff --counts samples --fail-above 12 old new
is "$status" 0 'diff --fail-above 12 accepts a change of 10 points'
is "$err" '' 'diff --fail-above prints nothing below the limit'
run wick diff --counts samples --fail-above 0 new new
is "$status" 0 'diff --fail-above 0 accepts equal files'
run wick diff --counts samples --fail-above 5 new old
is "$status" 3 'the other way around'
is "$err" 'wick: c: +9.50 points exceeds --fail-above 5' 'another function is slower'
run wick diff --counts samples --report --normalize none old new
like "$out" ' \+10\.00 .* a$' 'diff --normalize none lists a change in counts'
printf 'main;a 800\nmain;b 1200\nmain;c 2000\n' >twice
run wick diff --counts samples --report old twice
like "$out" '^No share changed' 'twice of all is no change of shares'
run wick diff --counts samples --fail-above 50 --normalize none old twice
is "$status" 3 'diff --fail-above --normalize none fails if counts double'
like "$err" '^wick: all .*\+100.00 points exceeds --fail-above 50$' 'diff --fail-above --normalize none reports the change of the total'
run wick diff --counts samples --report --normalize duration old new
is "$status" 1 '--normalize duration without times'
like "$err" '^hint: .*--normalize total' 'diff --normalize duration suggests --normalize total for files without times'
perf_at() { printf 'sh 12 [000] %s: 1 cycles:\n\t7f12 main+0x2 (/bin/sh)\n\n' "$@"; }
perf_at 1.0 1.5 2.0 3.0 >slow.perf
perf_at 1.0 1.25 1.5 2.0 >fast.perf
run wick diff --normalize duration slow.perf fast.perf
is "$out" 'sh;main 2 4' '--normalize duration: before in the time of after'
run wick diff --report --normalize duration slow.perf fast.perf
like "$out" '^before .*4 samples in 2\.000 s$' 'diff --report --normalize duration prints durations'

# The spread between runs
for i in 1 2 3; do
	printf 'main;a %d\nmain;b 2000\nmain;c 3000\nmain;d 3500\n' $((400 + i * 200)) >"old$i"
	printf 'main;a %d\nmain;b 2000\nmain;c 3000\nmain;d 3500\n' $((800 + i * 200)) >"new$i"
done
run wick diff --counts samples --report old1 new1
like "$out" ' a$' 'diff --report of one run per side claims a change above sampling and the floor'
like "$out" '^Several recordings per side measure how much they vary' 'diff --report of one run per side suggests several'
run wick diff --counts samples --report old1 old2 old3 -- new1 new2 new3
like "$out" '^5 of 5 functions did not change significantly' 'diff --report of three runs per side claims no change that runs explain'
unlike "$out" '^Several recordings per side' 'diff --report of several runs per side does not suggest more'
printf 'main;a 6000\nmain;b 94000\n' >long1
printf 'main;a 6300\nmain;b 93700\n' >long2
run wick diff --counts samples --report long1 long2
like "$out" '^3 of 3 functions did not change' 'diff --report claims no change below the floor with many samples'

# Interrupts and preemption
cat >quiet <<'END'
prog;main;work 600
prog;main;rest 400
END
cat >busy <<'END'
prog;main;work 600
prog;main;rest 400
prog;main;work;asm_sysvec_apic_timer_interrupt_[k];irqentry_exit_to_user_mode_[k];schedule_[k] 60
prog;main;work;asm_exc_page_fault_[k];irqentry_exit_to_user_mode_[k];schedule_[k] 50
prog;main;rest;entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];schedule_[k];__schedule_[k] 70
prog;main;rest;preempt_schedule_irq_[k] 20
END
run wick diff --counts samples --report quiet busy
like "$out" 'are excluded: 0\.00 % of the samples before, 16\.67 % after\.$' 'sets interrupts and preemption apart'
like "$out" '^Nothing changed: all 4 functions' 'diff --report does not list interrupts of a busy machine'
run wick diff --counts samples --report --keep-interrupts quiet quiet quiet -- busy busy busy
like "$out" ' schedule_\[k\]' 'diff --keep-interrupts lists interrupts'
unlike "$out" 'excluded' 'diff --keep-interrupts excludes nothing'
run wick diff --counts samples -o busy.html -o busy.folded quiet busy
like "$err" 'interrupts and preemption excluded: 0.*samples before, 200.*samples after' 'reports what a picture leaves out'
# shellcheck disable=SC2016  # the text itself
is "$(cut -d' ' -f3 busy.folded | paste -sd+ - | sed 's/^/echo $((/;s/$/))/' | sh)" 1200 'folded stacks hold all samples'
run wick collapse -q --event 'after: interrupts' busy.html
is "$(printf '%s\n' "$out" | wc -l)" 4 'a page keeps what was set apart as an event of its own'
run wick flame -q --title 'Before and after' busy.html -o again.svg
run wick diff --counts samples -q -o busy.svg quiet busy
is "$(frames again.svg)" "$(frames busy.svg)" 'a comparison with samples set apart is drawn again alike'
cat >waits <<'END'
prog;main;work 600
prog;main;rest 400
prog;main;rest;do_syscall_64_[k];__x64_sys_futex_[k];schedule_[k] 200
END
run wick diff --counts samples --report quiet quiet quiet -- waits waits waits
like "$out" ' schedule_\[k\]' 'keeps waiting in a system call, which is the work of the program'
unlike "$out" 'excluded' 'diff excludes no system call'

# Programs that were renamed
printf 'prog-1;main;a 400\nprog-1;main;b 600\n' >prog1
printf 'prog-2;main;a 410\nprog-2;main;b 590\n' >prog2
run wick diff prog1 prog2
is "$out" 'prog-2;main;a 400 410
prog-2;main;b 600 590' 'matches the only roots of two files by position'
is "$err" 'wick: comparing prog-1 with prog-2; --match-process name compares by name only' 'reports which names were matched'
run wick diff --counts samples --fail-above 5 prog1 prog2
is "$status" 0 '--fail-above passes a program that was only renamed'
long=$(printf '%0700d' 1)
{ printf 'prog-1;%s;a 2\n' "$long" && cat prog1; } >long1
{ printf 'prog-2;%s;a 3\nprog-2;%s;b 4\n' "$long" "$long" && cat prog2; } >long2
run wick diff -q long1 long2
is "$out" "prog-2;$long;a 2 3
prog-2;$long;b 0 4
$(wick diff -q prog1 prog2)" 'matches stacks of more than 512 bytes, which are written without a copy'
run wick diff --match-process name prog1 prog2
is "$out" 'prog-1;main;a 400 0
prog-1;main;b 600 0
prog-2;main;a 0 410
prog-2;main;b 0 590' '--match-process name keeps names apart'
run wick diff --match-process x prog1 prog2
is "$status" 2 '--match-process rejects an unknown way'
run difffolded.pl prog1 prog2
like "$out" '^prog-1;main;a 400 0' 'difffolded.pl matches no names'
printf 'f;x 10\ng;x 10\n' >roots1
printf 'h;x 10\ni;x 10\n' >roots2
run wick diff roots1 roots2
is "$out" 'f;x 10 0
g;x 10 0
h;x 0 10
i;x 0 10' 'does not match several outermost functions of text'
comms() { # NAME PID SAMPLES...: a recording by perf script
	while [ $# -gt 0 ]; do
		for _ in $(seq "$3"); do printf '%s %s/%s [000] 1.5: 1 cycles:\n\t7f12 main+0x2 (/bin/x)\n\n' "$1" "$2" "$2"; done
		shift 3
	done
}
comms sh 1 3 old 2 20 older 3 10 >comms1
comms sh 4 3 new 5 11 newer 6 20 >comms2
run wick diff comms1 comms2
is "$out" 'new;main 20 11
newer;main 10 20
sh;main 3 3' 'matches processes by name, then those that are left in order'
comms sh 4 3 newer 6 20 >comms3
run wick diff comms1 comms3
is "$out" 'newer;main 20 20
older;main 10 0
sh;main 3 3' 'matches the largest where fewer are left on one side'
comms sh 4 30 tiny 6 1 >comms4
comms sh 4 30 other 6 1 >comms5
run wick diff comms4 comms5
is "$out" 'other;main 0 1
sh;main 30 30
tiny;main 1 0' 'matches processes with few samples by name only'
run wick diff -q -o renamed.html comms1 comms2
run wick collapse renamed.html
is "$out" 'new;main 20 11
newer;main 10 20
sh;main 3 3' 'a page has matched processes'

# Sampling rates
clock() { # PERIOD NR
	for i in $(seq "$2"); do printf 'x 1/1 [000] %d.%03d: %d cpu-clock:\n\t7f12 main+0x2 (/bin/x)\n\n' $((i * 2 / $2)) $((i * 2000 / $2 % 1000)) "$1"; done
}
clock 10000000 20 >rare
clock 1000000 200 >often
run wick diff rare often
is "$out" 'x;main 200 200' 'weights samples by their period'
run wick diff --report --normalize none rare often
like "$out" '^Nothing changed|^2 of 2 functions did not change' '--normalize none: a higher sampling rate is no change'
run wick diff --json --normalize duration rare often
like "$out" '"nr_changed": 0' '--normalize duration: a higher sampling rate is no change'
run wick diff -q --normalize none -o rates.svg -o rates.wick rare often
like "$(frames rates.svg)" ' main \(200 samples .* 200 samples' 'a picture has both sides at the same sampling rate'
run wick flame -q --title 'Before and after' rates.wick -o again.svg
is "$(frames again.svg)" "$(frames rates.svg)" 'drawn again, sampling rates still count'

# Reports for programs and for Markdown
run wick diff --counts samples --json old new
is "$status" 0 'diff --json succeeds'
printf '%s\n' "$out" | python3 -c 'import json, sys
r = json.load(sys.stdin)
print(*r, sep=",")
f = r["functions"][0]
print(f["function"], f["before"], f["after"], f["change"], f["samples"], f["interval"][0] > 0)
print(r["frames"][0]["stack"], r["before"], r["claim"], r["reason"], r["normalize"], r["confidence"], r["nr_functions"], r["nr_changed"])' >json
is "$(cat json)" "before,after,normalize,confidence,not_sampled,claim,reason,matched,functions,frames,nr_functions,nr_changed
a 20 30 10 [400, 600] True
['main', 'a'] {'files': 1, 'samples': 2000, 'set_apart': 0} True None total 95 4 2" '--json has the documented keys'
run wick diff --json old new
like "$out" '"reason": "counts without a unit may not be samples' '--json gives the reason where no claim is made'
run wick diff --counts samples --markdown old new
# shellcheck disable=SC2016  # the text itself
like "$out" '^\| 20\.00 % \| 30\.00 % \| \+10\.00 \| `a` \| \[\+[0-9.]+, \+[0-9.]+\] \| 400 \| 600 \|$' 'diff --markdown prints tables'
run wick diff --counts samples --json --markdown old new
is "$err" 'wick: --json and --markdown are mutually exclusive' 'rejects --json with --markdown'
run wick diff --counts samples --json --fail-above 5 old new
is "$status" 3 '--json with --fail-above exits with 3'

# Pictures
sed 's/$/.5/' old >halves
run wick diff --counts samples -o diff.svg old new
is "$status" 0 'diff -o FILE.svg succeeds'
is "$out$(printf '%s' "$err" | tr -d '\302\240')" 'wick: wrote diff.svg: 2,000samples, 3stacks (open it in a browser)' 'diff -o FILE.svg prints only the summary'
run wick diff -o diff.wick old new
unlike "$err" 'browser' 'diff -o FILE.wick does not suggest a browser'
like "$(frames diff.svg)" ' a \(400 samples .* 600 samples, 20\.0 % .* 30\.0 %, \+10\.0 pt\)' 'the SVG of a diff has both sides and the change of a frame'
like "$(cat diff.svg)" '>not significant</text>' 'the legend of a diff names insignificant changes'
run wick diff --counts samples -q --normalize none -o none.svg before after
like "$(frames none.svg)" ' a \(6 samples .* 3 samples, 75\.0 % .* 75\.0 %, .*37\.5 pt' 'a change of weights is one of all before'
run wick diff --counts samples -q --normalize none -o none.svg after before
like "$(frames none.svg)" ' a \(3 samples .* 6 samples, 75\.0 % .* 75\.0 %, \+75\.0 pt' 'diff --normalize none draws a side that grows'
like "$(frames diff.svg)" 'b \(.*, not significant\)' 'marks a change that is not significant'
run wick diff --counts samples -q -o diff.html old new
is "$err" '' '-q: without a word'
run wick collapse diff.html
is "$out" 'main;a 400 600
main;b 600 590
main;c 1000 810' 'a page holds both sides'
printf 'main;a 400\nmain;gone 600\n' >has
printf 'main;a 400\n' >lacks
run wick diff --counts samples -q -o gone.svg has lacks
like "$(frames gone.svg)" 'gone \(600 samples .* 0 samples' 'the SVG of a diff has functions that are gone'
run wick diff --counts samples -o two.svg -o two.html -o two.folded old new
is "$status" 0 'several files at once'
run wick diff --counts samples -q -o beside.svg -o beside.folded before after
is "$(cat beside.folded)" "$want" 'diff with a picture writes the same folded stacks'
run wick diff --counts samples -q --report -o beside.folded before after
is "$(cat beside.folded)" "$want" 'a report does not change the folded output'
run wick diff -o one.folded -o two.folded old new
is "$status" 2 'diff rejects two folded outputs'
run wick diff --counts samples -o two.svg -o two.svg old new
is "$status" 2 'diff rejects the same output twice'
run wick diff --counts samples -q -o runs.svg old1 old2 old3 -- new1 new2 new3
unlike "$err" '.' 'options stand before --'
run wick diff --counts samples -q -o runs.svg --report old1 old2 old3 -- new1 new2 new3
like "$(frames runs.svg)" ' a \(.*, not significant\)' 'the spread between runs counts in pictures too'
like "$out" '^5 of 5' 'diff -o FILE.svg also prints the report'
run wick diff --counts samples -q -o halves.svg old halves
unlike "$(frames halves.svg)" 'not significant' 'a picture with halves of samples calls no change insignificant'
run wick diff -q --normalize duration -o time.svg -o time.wick slow.perf fast.perf
is "$status" 0 'diff --normalize duration draws a picture'
like "$(frames time.svg)" ' main \(2 cycles .* 4 cycles, 100 % .* 100 %, \+100\.0 pt, not significant\)' 'diff --normalize duration scales the before side to the duration of after'
run wick collapse time.wick
is "$out" 'sh;main 4 4' 'a .wick file of a diff has unscaled counts'
run wick flame -q --title 'Before and after' time.wick -o again.svg -o again.html
is "$(frames again.svg)" "$(frames time.svg)" 'drawn again, it is the same comparison'
run wick flame -q --title 'Before and after' again.html -o again.svg
is "$(frames again.svg)" "$(frames time.svg)" 'wick flame draws the page of a diff like diff itself'
run wick diff -q -o shares.svg -o shares.wick old new
run wick flame -q --title 'Before and after' shares.wick -o again.svg
is "$(frames again.svg)" "$(frames shares.svg)" 'wick flame draws the .wick file of a diff like diff itself'
perf_at 1.0 1.1 1.2 4.0 >odd.perf
run wick diff -q --normalize duration -o time.svg odd.perf fast.perf
like "$(frames time.svg)" ' main \(1\.33 cycles .* 4 cycles, .*\+200\.0 pt' 'a picture by duration has parts of samples'
run wick diff --counts samples -q --normalize duration -o time.svg old new
is "$status" 1 'diff --normalize duration fails without timestamps'

# Of a comparison, what it became is compared
run_sh 'wick diff before after >compared.folded'
run wick diff --counts samples -o again.html compared.folded after
like "$err" '1 comparison reduced to its after side' 'reports that an input is a comparison itself'
run_sh 'wick diff -q compared.folded after | grep -v " 0 0"'
is "$out" "$(wick diff after after)" 'diff accepts a folded diff as input'

# Measurements: only the spread between runs says what is noise, and three runs a side show it.
# measured FILE MAIN LOAD: the slices of a trace, in microseconds
measured() {
	printf '[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":%s,"name":"main"},{"ph":"X","pid":1,"tid":1,"ts":1,"dur":%s,"name":"load"}]' \
		"$2" "$3" >"$1"
}
measured m1.json 4000 1000
measured m2.json 4010 1001
measured m3.json 3995 1003
measured n1.json 4990 1990
measured n2.json 5010 2003
measured n3.json 5005.5 2010.25
run wick diff --report m1.json n1.json
like "$out" '^Significance unknown: these are measurements, whose variation requires at least three runs per side' 'makes no claim of measurements of one run a side'
run wick diff --fail-above 2 m1.json m2.json m3.json -- n1.json n2.json
is "$status" 1 'makes no claim of measurements where a side has two runs'
run wick diff --report --normalize none m1.json m2.json m3.json -- n1.json n2.json n3.json
like "$out" 'us before' 'prints the unit of measurements'
like "$out" '^ +25.02 % +50.01 % +\+24.98  \[\+[0-9.]+, \+[0-9.]+\] +3004.00 +6003.25  load$' \
	'claims a change of measurements that three runs a side show'
run wick diff --fail-above 2 m1.json m2.json m3.json -- n1.json n2.json n3.json
is "$status" 3 'fails above a limit that measurements pass'
run wick diff --report m1.json m3.json m2.json -- m2.json m3.json m1.json
like "$out" 'functions did not change significantly|Nothing changed' 'claims nothing where measurements are the same'
# Twice as long each: the numbers of slices have nothing to do with it.
run wick diff --json --normalize none m1.json n1.json
like "$out" '"function": "load", "before": 25, "after": 49.75, "change": 24.75' 'compares durations of measurements, not numbers of slices'
# Of 5 s, a quarter is in an interrupt.
sed 's/"dur":1000,"name":"load"/"dur":1250000000,"name":"asm_sysvec_apic_timer_interrupt"/;s/"dur":4000/"dur":5000000000/' m1.json >interrupted.json
run wick diff --report m1.json interrupted.json
like "$out" 'are excluded: 0\.00 % of the total before, 25\.00 % after\.$' 'diff --report prints the share of the measured time that it excludes'
run wick diff --json m1.json interrupted.json
like "$out" '"after": \{"files": 1, "total": 3750000000, "set_apart": 1250000000\}' 'diff --json has the measured time that it excludes'
run wick diff m1.json interrupted.json -o interrupted.wick
like "$err" 'interrupts and preemption excluded: 0.*s before, 1,250.*s after' 'diff -o prints how much of the measured time it excludes'

# Sums are no samples, however few rows they are.
for n in 400000 600000; do
	printf 'events: Ir\nfn=main\n1 500000\nfn=f\n2 %s\n' "$n" >"callgrind.out.$n"
	printf 'TRACE START [x]\n1\t0\t0\t0.0\t1\t{main}\t1\tx\t0\n2\t1\t0\t0.5\t1\tf\t1\tx\t0\n2\t1\t1\t1.%s\t1\n1\t0\t1\t2.0\t1\nTRACE END [x]\n' \
		"$n" >"xdebug.$n"
	printf '@slow[\n    f+1\n    main+2\n]: %s\n@slow[\n    main+2\n]: 500000\n' "$n" >"bpftrace.$n"
	printf 'COST CENTRE MODULE SRC no. entries %%time %%alloc %%time %%alloc ticks bytes\n\n%s\n%s\n' \
		"MAIN        MAIN   <x> 1   0       50.0  0.0    100.0 0.0    500   500000" \
		" f          Main   <x> 2   0       ${n%0000}.0  0.0    50.0  0.0    ${n%000}   $n" >"ghc.$n.prof"
	printf 'contentions/count delay/nanoseconds\n 5 500000: 1\n 5 %s: 2 1\nLocations\n 1: 0x1 M=1 main x:1:0 s=0\n 2: 0x2 M=1 f x:1:0 s=0\nMappings\n' \
		"$n" | sed '1i PeriodType: contentions count\nPeriod: 1\nSamples:' >"go.$n"
	printf 'Running Time\tSelf\t\tSymbol Name\n1.0 Mc  100.0%%\t500000.0 c\t \tmain\n%s.0 c  50.0%%\t%s.0 c\t \t f\n' \
		"$n" "$n" >"instruments.$n"
	printf '<svg><g><title>main (1,000,000 cycles, 100%%)</title><rect x="10" y="50" width="1000" height="15"/></g>
<g><title>f (%s cycles, 50%%)</title><rect x="10" y="34" width="%s" height="15"/></g></svg>\n' "$n" "${n%000}" >"$n.svg"
done
# cpu/nanoseconds alone: main 500000, main;f 400000 or 600000
pprof() { # VALUE, in octal
	# shellcheck disable=SC2059  # the bytes of the last number are part of the format
	printf '\012\004\010\001\020\002\022\010\012\001\001\022\003\240\302\036\022\011\012\002\002\001\022\003'"$1"
	printf '\042\010\010\001\042\004\010\001\020\001\042\010\010\002\042\004\010\002\020\001\052\004\010\001\020\003\052\004\010\002\020\004'
	printf '\062\000\062\003cpu\062\013nanoseconds\062\004main\062\001f'
}
pprof '\200\265\030' >pprof.400000
pprof '\300\317\044' >pprof.600000
for f in callgrind.out.%s xdebug.%s go.%s instruments.%s %s.svg pprof.%s; do
	# shellcheck disable=SC2059 # the name of a file is the format
	run wick diff --report "$(printf "$f" 400000)" "$(printf "$f" 600000)"
	like "$out" '^Significance unknown: these are measurements' "$f: makes no claim of measurements"
	like "$out" '  f$' "$f: shows what differs"
	unlike "$out" 'Nothing changed|[0-9] samples' "$f: has no number of samples"
	# shellcheck disable=SC2059
	run wick diff --fail-above 1 "$(printf "$f" 400000)" "$(printf "$f" 600000)"
	is "$status" 1 "$f: --fail-above cannot pass measurements of one run"
done
run wick diff --fail-above 2 callgrind.out.400000 callgrind.out.400000 callgrind.out.400000 -- \
	callgrind.out.600000 callgrind.out.600000 callgrind.out.600000
is "$status" 3 'callgrind: three runs a side pass a limit'
for f in bpftrace.%s ghc.%s.prof; do
	# shellcheck disable=SC2059
	run wick diff --report "$(printf "$f" 400000)" "$(printf "$f" 600000)"
	like "$out" '^Significance unknown: (the number of samples is unknown|counts without a unit may not be samples)' "$f: does not know of samples"
	like "$out" '  (Main\.)?f$' "$f: shows what differs"
done
run wick diff --counts samples --report bpftrace.400000 bpftrace.600000
like "$out" '^before .* 900,000 samples' 'bpftrace: --counts samples says what values are'
like "$out" '^ +44.44 % +54.55 % +\+10.10 .* f$' 'bpftrace: values that are samples may have changed'

# No claim
run wick diff --counts samples --report halves new
is "$status" 0 'diff --report of fractional counts succeeds'
like "$out" '^Significance unknown: the number of samples is unknown' 'diff --report claims nothing for fractional counts'
like "$out" '  a$' 'diff --report lists all functions for fractional counts'
unlike "$out" ' n before ' 'diff --report prints no numbers of samples for fractional counts'
run wick diff --counts samples --fail-above 1 halves new
is "$status" 1 'diff --fail-above is an error for fractional counts'
like "$err" 'fail-above: the number of samples is unknown' '--fail-above rejects counts that are not samples'
printf 'main;a 2\nmain;b 1.75\n' >quarters
run wick diff --report quarters quarters
like "$out" '^before .* 3\.75$' 'diff --report prints fractional totals'
printf '# nothing\nmain 0\n' >nothing
run wick diff --counts samples --report nothing new
is "$status" 0 'diff --report of an empty side succeeds'
like "$out" '^Significance unknown: the before side is empty' 'diff --report claims nothing about an empty side'
for c in 0 100 -5 x; do
	run wick diff --counts samples --report --confidence "$c" old new
	is "$status" 2 "--confidence $c is none"
done

# inferno-diff-folded
run inferno-diff-folded before after
is "$status" 0 'inferno-diff-folded succeeds'
is "$out" "$want" 'inferno-diff-folded prints both counts of each stack'
run inferno-diff-folded -n before after
like "$out" '^main;b 1 0$' 'inferno-diff-folded -n normalizes'
printf 'main;a 1.5\nodd\n' >odd
run inferno-diff-folded odd after
is "$status" 0 'inferno-diff-folded accepts malformed lines'
is "$err" '[WARN  inferno::differential] Unable to parse line: odd
[WARN  inferno::differential] The input data has fractional sample counts that will be truncated to integers' 'inferno-diff-folded reports odd lines and fractions'
is "$out" 'main;a 1 3
main;c 0 1' 'and left out'
run inferno-diff-folded -q odd after
is "$err" '' 'inferno-diff-folded -q does not report malformed lines'
run inferno-diff-folded before
is "$status" 2 'inferno-diff-folded of one file is a usage error'
like "$err" '^Usage: inferno-diff-folded' 'inferno-diff-folded of one file prints the usage'
run inferno-diff-folded before missing
is "$status" 1 'inferno-diff-folded of a missing file is an error'
like "$err" '^Error: missing: No such file' 'inferno-diff-folded reports a missing file'

# difffolded.pl
run difffolded.pl before after
is "$out" "$want" 'difffolded.pl prints both counts of each stack'
run difffolded.pl -ns before after
is "$out" 'main;a 3 3
main;b 1 0
main;c 0 1' 'letters in one word'
run difffolded.pl odd after
is "$out" 'main;a 1.5 3
main;c 0 1' 'fractions stay'
run difffolded.pl before missing
is "$status" 2 'difffolded.pl of a missing file is an error'
like "$err" "^ERROR: Can't read missing" 'difffolded.pl reports a missing file'
run_sh 'difffolded.pl before after >/dev/full'
is "$status" 2 'difffolded.pl fails if the disk is full'
is "$err" 'ERROR: standard output: No space left on device' 'difffolded.pl reports a full disk as one of standard output'
run difffolded.pl before
is "$status" 2 'difffolded.pl of one file is a usage error'
like "$err" 'Usage: difffolded.pl' 'difffolded.pl of one file prints the usage'
run difffolded.pl -z before after
is "$status" 2 'difffolded.pl rejects an unknown option'

# Names and numbers that are wrong
run wick diff -o diff.png old new
is "$status" 2 'diff -o rejects an unknown extension'
like "$err" 'diff.png: unknown file extension' 'rejects an unknown extension'
run wick diff --fail-above -1 old new
is "$status" 2 '--fail-above has no negative limits'

# Folded text does not tell what it counts
run wick diff --report old new
is "$status" 0 'counts of folded text'
like "$out" '^Significance unknown: counts without a unit may not be samples \(use --counts samples if they are\)' \
	'may be anything'
like "$out" '  a$' 'diff --report lists all functions if significance is unknown'
run wick diff --fail-above 1 old new
is "$status" 1 'diff --fail-above is an error if significance is unknown'
like "$err" '--fail-above: counts without a unit may not be samples .*--counts samples' '--fail-above rejects folded text without --counts samples'
run wick diff --counts samples --report old new
like "$out" '^Counts without a unit are treated as samples.$' 'diff --counts samples reports that counts are treated as samples'
run wick flame -q old -o old.wick
run wick flame -q new -o new.html
run wick diff --report old.wick new.html
like "$out" '^Significance unknown: counts without a unit' 'a .wick file of folded text has counts of unknown meaning'
flamegraph.pl old >old.svg 2>/dev/null
run wick diff --report old.svg old.svg
like "$out" '^Significance unknown: counts without a unit' 'a picture of flamegraph.pl has counts of unknown meaning'
run wick diff -q -o unknown.svg -o unknown.wick old new
unlike "$(cat unknown.svg)" 'not significant' 'a picture of unknown counts calls no change insignificant'
run wick flame -q unknown.wick -o again.svg
unlike "$(cat again.svg)" 'not significant' 'a picture drawn from a .wick of unknown counts calls no change insignificant'
run wick diff --report perf.txt perf.txt
unlike "$out" 'folded' 'diff --report does not mention folded text for perf script'
run wick diff --report perf.txt sh.folded
like "$out" '^Significance unknown: counts without a unit' 'diff --report claims nothing if one side is folded text'
run wick diff --report perf.txt sh.folded -- perf.txt
like "$out" '^Significance unknown: counts without a unit' 'diff --report claims nothing if one file of a side is folded text'

# Different events
perf_of() { printf 'sh 12 [000] 1.5: 1 %s:\n\t7f12 main+0x2 (/bin/sh)\n\n' "$@"; }
perf_of page-faults >faults.perf
perf_of cycles >cycles.perf
perf_of cycles:u >user.perf
perf_of cycles page-faults >both.perf
run wick diff --report faults.perf cycles.perf
is "$status" 0 'diff --report of different events succeeds'
like "$out" '^before has page-faults, after has cycles\.$' 'diff --report names different events'
like "$out" '^Significance unknown: before and after count different events' 'diff --report claims nothing for different events'
is "$err" 'wick: before has page-faults, after has cycles: comparing different events; choose one with --event' \
	'diff warns of different events'
run wick diff faults.perf cycles.perf
like "$err" 'comparing different events' 'diff warns about different events'
run wick diff -q faults.perf cycles.perf -o events.wick
is "$err" '' 'diff -q does not warn about different events'
run wick diff cycles.perf user.perf
is "$err" '' 'modifiers are no other event'
run wick diff --event page-faults both.perf faults.perf
is "$err" '' 'diff does not warn if --event chooses an event'
run wick diff --event all both.perf cycles.perf
like "$err" '^wick: before has cycles and page-faults, after has cycles: comparing different events' 'diff warns if one side has one more event'

run wick diff - - <old
is "$status" 2 'diff of standard input twice is a usage error'
is "$err" 'wick: -: standard input can only be read once' 'diff reports that standard input can only be read once'
run wick diff old -- new -o late.html
is "$status" 2 'diff rejects options after --'
like "$err" 'options must come before --' 'diff reports that options must come before --'
sed 's/0$/00/' old >tenfold
run wick diff --counts samples --report old tenfold
like "$out" '^No share changed: .* the total after is 10.00 times the total before' 'all of it ten times'

# Folded stacks may have been written without marks of kernel functions.
printf 'app;main;read_[k] 500\napp;main;f 500\n' >marked
sed 's/_\[k\]//' marked >unmarked
run wick diff --counts samples --report marked unmarked
like "$out" '^Nothing changed' 'functions with and without marks of the kernel match'
run wick diff --counts samples --report --match-process name marked unmarked
like "$out" 'read_\[k\]' '--match-process name: functions with and without marks differ'

# Time in the kernel varies more between runs than user code, and so do the shares of all others.
printf 'app;main;read_[k] 400\napp;main;f 500\napp;main;g 100\n' >cold
printf 'app;main;read_[k] 100\napp;main;f 500\napp;main;g 100\n' >warm
run wick diff --counts samples --report cold warm
like "$out" '^[0-9]+ of [0-9]+ functions did not change' 'diff of one run a side claims no change of the time in the kernel'
unlike "$out" 'read_\[k\]|  f$' 'diff claims no change of a share that the time in the kernel explains'
printf 'app;main;read_[k] 100\napp;main;f 300\napp;main;g 300\n' >other
run wick diff --counts samples --report warm other
like "$out" '  g$' 'diff finds a changed user function beside time in the kernel'
run wick diff --counts samples --report cold cold cold -- warm warm warm
like "$out" 'read_\[k\]' 'several runs a side show a change of the time in the kernel'

# Recorded with the kernel, and without the permission to see it
scripted() { # EVENT SYSCALLS
	awk -v event="$1" -v syscalls="$2" 'BEGIN {
		for (i = 0; i < 600 + syscalls; i++) {
			printf "app 12 [000] %d.000000: 1 %s:\n", i, event
			if (i >= 600)
				print "\tffffffff81000001 vfs_read+0x1 ([kernel.kallsyms])"
			print "\t7f12 " (i % 3 ? "parse" : "read") "+0x2 (/bin/app)\n\t7f13 main+0x2 (/bin/app)\n"
		}
	}'
}
scripted cycles 600 >root.txt
scripted cycles:u 0 >user.txt
run wick diff --report root.txt user.txt
is "$err" 'wick: some files have samples of user code only (:u): samples in the kernel are excluded' 'diff excludes the kernel if one side lacks it'
like "$out" '^before     1 file           600 samples$' 'diff keeps the samples of user code if one side lacks the kernel'
like "$out" '^Nothing changed' 'diff finds no change if one side lacks the kernel'
run wick diff --report root.txt root.txt
is "$err" '' 'diff does not mention the kernel if both sides have it'
like "$out" '^after      1 file         1,200 samples$' 'diff keeps the samples in the kernel if both sides have them'
run_sh 'wick diff root.txt user.txt | grep -c vfs_read'
is "$out" 2 'folded stacks keep the samples in the kernel'

# Filters by names that differ between the sides
sed 's,^app ,new ,; s,/bin/app,/bin/new,' root.txt >renamed.txt
for option in --thread --module; do
	run wick diff --report $option app $option new root.txt renamed.txt
	is "$status" 0 "diff $option accepts a name that only one side has"
	like "$out" '^Nothing changed' "diff $option keeps the samples of the names on both sides"
	run wick diff --report $option app root.txt renamed.txt
	is "$status" 1 "diff $option rejects a side without any of the names"
	like "$err" "^wick: renamed.txt: .* 'app'" "diff $option names the file without any of the names"
done

# All and nothing
echo 'old;main 208' >all.folded
echo 'new;main 1' >nothing.folded
run wick diff --counts samples --match-process name --report all.folded nothing.folded
like "$out" '^before     1 file           208 samples$' 'diff counts samples'
like "$out" '^after      1 file             1 sample$' 'diff counts one sample in the singular'
echo 'new;main 206' >nothing.folded
run wick diff --counts samples --match-process name --report all.folded nothing.folded
like "$out" ' -100\.00  \[-100\.00, -[0-9.]+\] .* old$' 'a share decreases by at most 100 points'
like "$out" ' \+100\.00  \[\+[0-9.]+, \+100\.00\] .* new$' 'a share increases by at most 100 points'

# Stacks that lack callers on one side.
printf 'main;sort;merge 600\nmain;work 400\n' >whole.folded
printf 'main;sort;merge 250\n[truncated];merge 350\nmain;work 200\nmain;new 200\n' >truncated.folded
run wick diff --counts samples --report whole.folded truncated.folded
like "$out" '^Truncated stacks: 0.00 % of the samples before, 35.00 % after; they lack callers, so smaller decreases are not significant\.$' \
	'diff reports that stacks are truncated on one side'
like "$out" '  new$' 'diff finds a new function in spite of truncated stacks'
unlike "$out" ' (main|sort|\[truncated\])$' 'diff claims no change of callers that truncated stacks explain'
unlike "$out" ';merge$' 'diff claims no change of a frame that lost its callers'
run wick diff --counts samples --report truncated.folded truncated.folded
unlike "$out" 'Truncated' 'diff does not mention truncated stacks if both sides have equally many'

# How the sides were sampled, and how much of the CPU time was not.
sampled() { # FILE HOW [NOT]
	wick convert --to json -o - "$1" |
		sed "s/^\"info\":\[/&\n{\"key\":\"sampling\",\"value\":\"$2\"},${3:+{\"key\":\"not sampled\",\"value\":\"$3\"\},}/"
}
printf 'sh;main;f 900\nsh;main;g 100\n' >a.folded
printf 'sh;main;f 800\nsh;main;g 100\nwc;main 100\n' >b.folded
sampled a.folded 'per thread' >thread.json
sampled b.folded 'per thread' >other.json
sampled b.folded 'per CPU' >cpu.json
sampled a.folded 'per thread' '12 % of the CPU time' >missed.json
sampled a.folded 'per thread' '2 % of the CPU time' >little.json
run wick diff --counts samples --report thread.json other.json
like "$out" '  wc$' 'diff of sides that were sampled alike finds a new process'
unlike "$out" 'sampled per' 'diff does not say how sides were sampled alike'
run wick diff --counts samples --report missed.json cpu.json
like "$out" '^Before was sampled per thread, after per CPU; up to 12 % of the samples are missing' 'diff reports that the sides were sampled differently'
unlike "$out" '  wc$' 'diff claims no change that what was not sampled explains'
run wick diff --counts samples --report little.json cpu.json
like "$out" 'up to 5 % of the samples are missing' 'diff assumes that sides that were sampled differently miss 5 %'
like "$out" '  wc$' 'diff finds a change that what was not sampled does not explain'
run wick diff --counts samples --report missed.json other.json
like "$out" '^Up to 12 % of the samples are missing' 'diff reports what was not sampled of sides that were sampled alike'
run wick diff --counts samples --json missed.json cpu.json
like "$out" '"not_sampled": 12,' 'diff --json has what was not sampled'
run wick diff --counts samples missed.json cpu.json -o sampled.wick
like "$err" 'before was sampled per thread, after per CPU' 'diff -o reports that the sides were sampled differently'
run wick diff missed.json cpu.json -o sampled.wick
unlike "$err" 'not sampled' 'diff -o of weights says nothing of what was not sampled, which does not count there'

plan
