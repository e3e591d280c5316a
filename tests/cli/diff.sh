#!/bin/sh
# wick diff: what is compared, how it is counted, and the two programs it stands in for.
. "$(dirname "$0")/lib.sh"

printf 'main;a 6\nmain;b 2\n' >before
printf 'main;a 3\nmain;c 1\n' >after
want='main;a 6 3
main;b 2 0
main;c 0 1'

run wick diff before after
is "$status" 0 'two files'
is "$out" "$want" 'are compared'
is "$err" '' 'without a word'
run wick diff before before -- after
is "$out" 'main;a 12 3
main;b 4 0
main;c 0 1' 'several before, one after'
run wick diff before -- after after
is "$out" 'main;a 6 6
main;b 2 0
main;c 0 2' 'one before, several after'
run wick diff -o out.folded before after
is "$out$(cat out.folded)" "$want" '-o FILE'
run_sh 'wick diff - after <before'
is "$out" "$want" 'standard input'
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
is "$status" 0 'the largest counts'
like "$out" '^a [0-9.]+ 1.5$' 'do not overflow'

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
like "$(frames diff.svg)" 'main \(8 samples .* 4 samples, 100 %' 'what wick flame draws'

# What is wrong
for files in '' before 'before after before' 'before --' '-- after'; do
	# shellcheck disable=SC2086  # several words
	run wick diff $files
	is "$status" 2 "one side is missing: '$files'"
	is "$err" 'wick: two files are compared, or several before and after --' 'and that is said'
done
run wick diff before missing
is "$status" 1 'a file that is not there'
is "$err" 'wick: missing: No such file or directory' 'is named'
run wick diff -o /dev/full before after
is "$status" 1 'a full disk'
printf 'main;a 1\nmain;b x\n' >odd
run wick diff before odd
is "$status" 1 'what is of no format'
run wick diff --help
is "$status" 0 'wick diff --help'
like "$out" '^Usage: wick diff ' 'prints help'

# What changed by more than the noise
printf 'main;a 400\nmain;b 600\nmain;c 1000\n' >old
printf 'main;a 520\nmain;b 590\nmain;c 890\n' >new
run wick diff --counts samples --report old new
is "$status" 0 '--report'
is "$err" '' 'is no message'
like "$out" ' 20\.00 % +26\.00 % +\+6\.00 +\[\+[0-9.]+, \+[0-9.]+\] +400 +520  a$' 'tells what changed'
unlike "$out" ' b$' 'and not what did not'
like "$out" '^2 of 4 functions changed by less than the noise\.$' 'but how much that is'
like "$out" 'frame that changed by itself$' 'and where'
like "$out" ' main;a$' 'by its path'
run wick diff --counts samples --report --top 1 old new
like "$out" '^and 1 more \(--top 2\)$' '--top cuts the table, and says so'
run wick diff --counts samples --report --confidence 99.9999999999 old new
like "$out" '^4 of 4 functions' '--confidence: more of it, fewer claims'
run wick diff --counts samples --report old old
is "$status" 0 'a file and itself'
like "$out" '^Nothing changed: all 4 functions are the same\.$' 'are the same'
run wick diff --counts samples --report -o out.folded old new
is "$(cat out.folded)" 'main;a 400 520
main;b 600 590
main;c 1000 890' '--report with -o writes both'
like "$out" ' main;a$' 'the report on standard output'
run wick diff --counts samples --fail-above 5 old new
is "$status" 3 '--fail-above: more than 5 points'
is "$err" 'wick: a: +6.00 points, more than 5' 'says which'
run wick diff --counts samples --fail-above 7 old new
is "$status" 0 'not more than 7'
is "$err" '' 'without a word'
run wick diff --counts samples --fail-above 0 new new
is "$status" 0 'the same is nothing above 0'
run wick diff --counts samples --fail-above 5 new old
is "$status" 3 'the other way around'
is "$err" 'wick: c: +5.50 points, more than 5' 'another function is slower'
run wick diff --counts samples --report --normalize none old new
like "$out" ' \+6\.00 .* a$' '--normalize none'
printf 'main;a 800\nmain;b 1200\nmain;c 2000\n' >twice
run wick diff --counts samples --report old twice
like "$out" '^No share changed' 'twice of all is no change of shares'
run wick diff --counts samples --fail-above 50 --normalize none old twice
is "$status" 3 'but of numbers'
like "$err" '^wick: all .*\+100.00 points, more than 50$' 'of everything'
run wick diff --counts samples --report --normalize duration old new
is "$status" 1 '--normalize duration without times'
like "$err" '^hint: .*--normalize total' 'has a hint'
perf_at() { printf 'sh 12 [000] %s: 1 cycles:\n\t7f12 main+0x2 (/bin/sh)\n\n' "$@"; }
perf_at 1.0 1.5 2.0 3.0 >slow.perf
perf_at 1.0 1.25 1.5 2.0 >fast.perf
run wick diff --normalize duration slow.perf fast.perf
is "$out" 'sh;main 2 4' '--normalize duration: before in the time of after'
run wick diff --report --normalize duration slow.perf fast.perf
like "$out" '^before .*4 samples in 2\.000 s$' 'and the report tells the times'

# The spread between runs
for i in 1 2 3; do
	printf 'main;a %d\nmain;b 2000\nmain;c 3000\nmain;d 3500\n' $((400 + i * 200)) >"old$i"
	printf 'main;a %d\nmain;b 2000\nmain;c 3000\nmain;d 3500\n' $((550 + i * 200)) >"new$i"
done
run wick diff --counts samples --report old1 new1
like "$out" ' a$' 'one run a side: more than sampling'
run wick diff --counts samples --report old1 old2 old3 -- new1 new2 new3
like "$out" '^5 of 5 functions changed by less than the noise' 'three: less than runs differ'
unlike "$out" 'With one run' 'as far as they tell'

# Pictures
sed 's/$/.5/' old >halves
run wick diff --counts samples -o diff.svg old new
is "$status" 0 'a picture'
is "$out$(printf '%s' "$err" | tr -d '\302\240')" 'wick: wrote diff.svg: 2000samples, 3stacks (open it in a browser)' 'is written'
run wick diff -o diff.wick old new
unlike "$err" 'browser' 'what no browser opens is not said to'
like "$(frames diff.svg)" ' a \(400 samples .* 520 samples, 20\.0 % .* 26\.0 %, \+6\.0 pt\)' 'both sides, and the change'
like "$(cat diff.svg)" '>same, or noise</text>' 'and so it is in the legend'
run wick diff --counts samples -q --normalize none -o none.svg before after
like "$(frames none.svg)" ' a \(6 samples .* 3 samples, 75\.0 % .* 75\.0 %, .*37\.5 pt' 'a change of weights is one of all before'
run wick diff --counts samples -q --normalize none -o none.svg after before
like "$(frames none.svg)" ' a \(3 samples .* 6 samples, 75\.0 % .* 75\.0 %, \+75\.0 pt' 'also where after has more'
like "$(frames diff.svg)" 'b \(.*, inside the noise\)' 'what is noise is called so'
run wick diff --counts samples -q -o diff.html old new
is "$err" '' '-q: without a word'
run wick collapse diff.html
is "$out" 'main;a 400 520
main;b 600 590
main;c 1000 890' 'a page holds both sides'
printf 'main;a 400\nmain;gone 600\n' >has
printf 'main;a 400\n' >lacks
run wick diff --counts samples -q -o gone.svg has lacks
like "$(frames gone.svg)" 'gone \(600 samples .* 0 samples' 'what is gone is drawn'
run wick diff --counts samples -o two.svg -o two.html -o two.folded old new
is "$status" 0 'several files at once'
run wick diff --counts samples -q -o beside.svg -o beside.folded before after
is "$(cat beside.folded)" "$want" 'pictures do not change what is folded'
run wick diff --counts samples -q --report -o beside.folded before after
is "$(cat beside.folded)" "$want" 'nor does a report'
run wick diff -o one.folded -o two.folded old new
is "$status" 2 'but one of folded stacks'
run wick diff --counts samples -o two.svg -o two.svg old new
is "$status" 2 'and none twice'
run wick diff --counts samples -q -o runs.svg old1 old2 old3 -- new1 new2 new3
unlike "$err" '.' 'options stand before --'
run wick diff --counts samples -q -o runs.svg --report old1 old2 old3 -- new1 new2 new3
like "$(frames runs.svg)" ' a \(.*, inside the noise\)' 'the spread between runs counts in pictures too'
like "$out" '^5 of 5' 'with a report'
run wick diff --counts samples -q -o halves.svg old halves
unlike "$(frames halves.svg)" 'noise' 'no claim, no noise'
run wick diff -q --normalize duration -o time.svg -o time.wick slow.perf fast.perf
is "$status" 0 'a picture in the same time'
like "$(frames time.svg)" ' main \(2 cycles .* 4 cycles, 100 % .* 100 %, \+100\.0 pt, inside the noise\)' 'has before in the time of after'
run wick collapse time.wick
is "$out" 'sh;main 4 4' 'and holds what was counted'
run wick flame -q --title 'Before and after' time.wick -o again.svg -o again.html
is "$(frames again.svg)" "$(frames time.svg)" 'drawn again, it is the same comparison'
run wick flame -q --title 'Before and after' again.html -o again.svg
is "$(frames again.svg)" "$(frames time.svg)" 'and again'
run wick diff -q -o shares.svg -o shares.wick old new
run wick flame -q --title 'Before and after' shares.wick -o again.svg
is "$(frames again.svg)" "$(frames shares.svg)" 'as is one of shares'
perf_at 1.0 1.1 1.2 4.0 >odd.perf
run wick diff -q --normalize duration -o time.svg odd.perf fast.perf
like "$(frames time.svg)" ' main \(1\.33 cycles .* 4 cycles, .*\+200\.0 pt' 'parts of a sample too'
run wick diff --counts samples -q --normalize duration -o time.svg old new
is "$status" 1 'a picture without times'

# Of a comparison, what it became is compared
run_sh 'wick diff before after >compared.folded'
run wick diff --counts samples -o again.html compared.folded after
like "$err" '1 comparison of which only what it became counts' 'and that is told'
run_sh 'wick diff -q compared.folded after | grep -v " 0 0"'
is "$out" "$(wick diff after after)" 'as it is done'

# No claim
run wick diff --counts samples --report halves new
is "$status" 0 'fractions are no samples'
like "$out" '^No claim is made: these numbers do not tell' 'so no claim is made'
like "$out" '  a$' 'and all is shown'
run wick diff --counts samples --fail-above 1 halves new
is "$status" 1 'which --fail-above cannot do without'
like "$err" 'fail-above: these numbers do not tell' 'as it says'
unlike "$out" ' n before ' 'nor are there numbers of samples'
printf 'main;a 2\nmain;b 1.75\n' >quarters
run wick diff --report quarters quarters
like "$out" '^before .* 3\.75$' 'fractions stay'
printf '# nothing\nmain 0\n' >nothing
run wick diff --counts samples --report nothing new
is "$status" 0 'an empty side'
like "$out" '^No claim is made: there is nothing before' 'is nothing to compare with'
for c in 0 100 -5 x; do
	run wick diff --counts samples --report --confidence "$c" old new
	is "$status" 2 "--confidence $c is none"
done

# inferno-diff-folded
run inferno-diff-folded before after
is "$status" 0 'inferno-diff-folded'
is "$out" "$want" 'compares'
run inferno-diff-folded -n before after
like "$out" '^main;b 1 0$' 'and normalizes'
printf 'main;a 1.5\nodd\n' >odd
run inferno-diff-folded odd after
is "$status" 0 'odd lines'
is "$err" '[WARN  inferno::differential] Unable to parse line: odd
[WARN  inferno::differential] The input data has fractional sample counts that will be truncated to integers' 'are told'
is "$out" 'main;a 1 3
main;c 0 1' 'and left out'
run inferno-diff-folded -q odd after
is "$err" '' 'unless nobody wants to know'
run inferno-diff-folded before
is "$status" 2 'one file only'
like "$err" '^Usage: inferno-diff-folded' 'is a wrong command line'
run inferno-diff-folded before missing
is "$status" 1 'a missing file'
like "$err" '^Error: missing: No such file' 'is an error'

# difffolded.pl
run difffolded.pl before after
is "$out" "$want" 'difffolded.pl'
run difffolded.pl -ns before after
is "$out" 'main;a 3 3
main;b 1 0
main;c 0 1' 'letters in one word'
run difffolded.pl odd after
is "$out" 'main;a 1.5 3
main;c 0 1' 'fractions stay'
run difffolded.pl before missing
is "$status" 2 'a missing file'
like "$err" "^ERROR: Can't read missing" 'cannot be read'
run_sh 'difffolded.pl before after >/dev/full'
is "$status" 2 'a full disk'
is "$err" 'ERROR: standard output: No space left on device' 'is no fault of the input'
run difffolded.pl before
is "$status" 2 'one file only'
like "$err" 'Usage: difffolded.pl' 'is a wrong command line'
run difffolded.pl -z before after
is "$status" 2 'an unknown letter'

# Names and numbers that are wrong
run wick diff -o diff.png old new
is "$status" 2 'a format that is not known'
like "$err" 'diff.png: the name of the file does not tell its format' 'is not folded stacks'
run wick diff --fail-above -1 old new
is "$status" 2 '--fail-above has no negative limits'

# Folded text does not tell what it counts
run wick diff --report old new
is "$status" 0 'counts of folded text'
like "$out" '^No claim is made: folded text does not say whether its counts are samples \(--counts samples if they are\)' \
	'may be anything'
like "$out" '  a$' 'so all is shown'
run wick diff --fail-above 1 old new
is "$status" 1 'and there is no limit'
like "$err" '--fail-above: folded text does not say .*--counts samples' 'until it is told'
run wick diff --counts samples --report old new
like "$out" '^Counts of folded text are taken for samples.$' 'that they are samples'
run wick flame -q old -o old.wick
run wick flame -q new -o new.html
run wick diff --report old.wick new.html
like "$out" '^No claim is made: folded text' 'a file made of it tells no more'
flamegraph.pl old >old.svg 2>/dev/null
run wick diff --report old.svg old.svg
like "$out" '^No claim is made: folded text' 'nor does a picture that calls everything samples'
run wick diff -q -o unknown.svg -o unknown.wick old new
unlike "$(cat unknown.svg)" 'noise' 'a picture calls nothing noise then'
run wick flame -q unknown.wick -o again.svg
unlike "$(cat again.svg)" 'noise<' 'nor one that is drawn again'
run wick diff --report perf.txt perf.txt
unlike "$out" 'folded' 'others do tell'
run wick diff --report perf.txt sh.folded
like "$out" '^No claim is made: folded text' 'which needs both sides'
run wick diff --report perf.txt sh.folded -- perf.txt
like "$out" '^No claim is made: folded text' 'and all files of them'

# Different events
perf_of() { printf 'sh 12 [000] 1.5: 1 %s:\n\t7f12 main+0x2 (/bin/sh)\n\n' "$@"; }
perf_of page-faults >faults.perf
perf_of cycles >cycles.perf
perf_of cycles:u >user.perf
perf_of cycles page-faults >both.perf
run wick diff --report faults.perf cycles.perf
is "$status" 0 'different events'
like "$out" '^before has page-faults, after has cycles\.$' 'are named'
like "$out" '^No claim is made: before and after count different events' 'and nothing is claimed'
is "$err" 'wick: before has page-faults, after has cycles: two different things are compared (--event chooses one)' \
	'nor is that kept quiet'
run wick diff faults.perf cycles.perf
like "$err" 'two different things' 'without a report either'
run wick diff -q faults.perf cycles.perf -o events.wick
is "$err" '' 'but with -q'
run wick diff cycles.perf user.perf
is "$err" '' 'modifiers are no other event'
run wick diff --event page-faults both.perf faults.perf
is "$err" '' 'nor is one that was chosen'
run wick diff --event all both.perf cycles.perf
like "$err" '^wick: before has cycles and page-faults, after has cycles: two' 'one more is'

run wick diff - - <old
is "$status" 2 'standard input twice'
is "$err" 'wick: -: standard input can be read once only' 'is refused'
run wick diff old -- new -o late.html
is "$status" 2 'options behind --'
like "$err" 'options stand before --' 'are told apart from files'
sed 's/0$/00/' old >tenfold
run wick diff --counts samples --report old tenfold
like "$out" '^No share changed: .* after has 10.00 times the total of before' 'all of it ten times'

plan
