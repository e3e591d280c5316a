#!/bin/sh
# wick report: wrong command lines, terminals, colors, pagers, and names that mean harm.
. "$(dirname "$0")/lib.sh"

printf 'main;work;a 6\nmain;work;b 2\nmain 2\nidle 10\n' >in.folded
printf 'main;evil\033[2J\033]0 title\007;caf\351 3\n' >evil.folded
printf 'be\033[31mta 10/11 1.0: 1 cycles:\n\t1003 work+0x3 (/usr/bin/web)\n\n' >evil.perf
printf 'main;a_very_long_name_of_a_function_that_has_no_end_at_all_and_goes_on_and_on_and_on_and_on_and_on 1\n' >long.folded
long=a_file_whose_name_is_longer_than_any_terminal_should_be_wide_or_so_one_would_think_at_least.folded

# Wrong
for views in '--tree --modules' '--callers a --callees b' '--by comm --threads' '--json --markdown' '--brief --json' '--ascii --json' '--ascii --markdown' '--brief --tree' '--system --brief'; do
	# shellcheck disable=SC2086  # two options
	run wick report $views nowhere
	is "$status" 2 "report $views is a usage error"
	like "$err" '^wick: --[a-z]+ and --[a-z]+ are mutually exclusive$' 'report rejects two views'
done
run wick report --by function,nothing nowhere
is "$status" 2 'a key that is none'
is "$err" "wick: invalid key 'nothing' for --by: expected comm, thread, cpu, parallelism, reason, lock, module, function or line" 'rejects an unknown key of --by'
run wick report --by sym,function nowhere
is "$err" 'wick: --by: function is given twice' 'report --by rejects a key under two names'
run wick report --by '' nowhere
is "$status" 2 'report --by without a key is a usage error'
run wick report --min 101 nowhere
is "$status" 2 'report --min 101 is a usage error'
run wick report --callers '(' in.folded
is "$err" "wick: invalid pattern '(': at character 2: missing closing parenthesis" 'report rejects an invalid pattern'
run wick report --callees nobody in.folded
is "$status" 1 'a function that is not there'
like "$err" "^wick: no function matches 'nobody'$" 'report --callees rejects a function that does not exist'
run wick report --modules in.folded
is "$err" 'wick: the samples of this input have no module' 'rejects a key that no sample has'
run wick report --focus nobody in.folded
is "$err" 'wick: no stacks left: the filter drops all samples' 'report reports that a filter drops all samples'
is "$out" '' 'report prints no table if a filter drops all samples'
ok 'report reads standard input' sh -c 'wick report <in.folded | grep -q "50.00 %"'

# ASCII
printf 'main;work;gr\303\266\303\237e 66\nmain;work;b 2\nmain 12\nidle 20\n' >wide.folded
for view in '' --tree --brief; do
	# shellcheck disable=SC2086  # one option, or none
	run wick report $view --ascii wide.folded
	is "$status" 0 "report $view --ascii succeeds"
	is "$(tr -d '\n -~' <"$outfile" | wc -c)" 0 "report $view --ascii prints ASCII only"
	like "$out" ' gr\?\?e' "report $view --ascii replaces other letters"
done
run wick report --ascii wide.folded
like "$out" ' ######\|   *gr' 'report --ascii draws bars'
like "$out" '^recorded +100 samples$' 'report --ascii has spaces for no-break spaces'
run wick report --ascii --tree wide.folded
like "$out" ' `- b$' 'report --ascii --tree draws branches'

# The filters of every command
in=$tests/golden/report/in.perf
is "$(wick report --by comm --thread worker "$in" | tail -n +6)" \
	"$(wick report --by comm --time 0.5.. "$in" | tail -n +6)" 'by thread, and by time'
like "$(wick report --by comm --thread worker "$in")" '^100\.00 % +10 .*worker$' 'report --thread has shares of that thread'
unlike "$(wick report --ignore work "$in")" 'memcpy.*work|work$' 'report --ignore leaves functions out'
like "$(wick report --hide memcpy "$in")" '^ *35\.00 % +35\.00 % +7 .*copy_all$' 'report --hide charges hidden functions to their callers'
run wick report --event nothing "$in"
is "$err" "wick: unknown event 'nothing'; the input has: cycles" 'an event that is not there'
like "$(wick report --weight samples "$in")" '^ *40\.00 % +40\.00 % +2 .*memcpy$' 'samples, not their weight'

# Of a comparison
printf 'main;a 3 4\nmain;b 2 0\n' >two.folded
run wick report two.folded
like "$err" '^wick: 1 comparison reduced to its after side' 'report of a diff reports that it shows the after side'
like "$out" '^ *100\.00 %.* 4 .* a$' 'report of a diff shows the after side'

# Each key of --by, in each format
printf 'web 10/11 [000] 1.0: 1 cycles:\n\t1003 work+0x3 (/usr/bin/web)\n  work.c:7\n\n' >keys.perf
for key in comm thread cpu module function line; do
	like "$(wick report --by "$key" keys.perf)" " $key\$" "sums by $key as text"
	like "$(wick report --by "$key" --markdown keys.perf)" "\\| $key +\\|" "sums by $key as Markdown"
	like "$(wick report --by "$key" --json keys.perf)" "^    \\{\"$key\": \"[^\"]+\", \"self\": 1, \"total\": 1\\}" \
		"sums by $key as JSON"
done

# As others have the keys
is "$(wick report --by sym in.folded)" "$(wick report --by function in.folded)" 'report --by accepts the names of perf'
is "$(wick report --by dso,symbol,tid "$tests/golden/report/in.perf")" \
	"$(wick report --by module,function,thread "$tests/golden/report/in.perf")" 'all of them'
# A name is a name before it is a pattern.
printf 'main;operator+ 1\nmain;operator++ 2\n' >operators.folded
like "$(wick report --callers operator+ operators.folded)" '^ *33\.33 %  operator\+$' 'a name that is no pattern'
is "$(wick report --callers 'operator' operators.folded | grep -c '%.*operator')" 2 'a pattern that two match'

# Rows
is "$(wick report -n 1 in.folded | tail -1)" 'and 4 more (-n 0 shows all)' 'report -n 1 prints one row and counts the others'
is "$(wick report -n 0 in.folded | grep -c %)" 6 'report -n 0 prints all rows'
is "$(wick report --json -n 2 in.folded | grep -c '"self"')" 2 'report --json -n 2 prints two rows'
is "$(wick report --tree -n 2 --min 0 in.folded | tail -1)" '… (-n 0 shows all)' 'report --tree -n 2 marks what is left out'

# JSON is JSON
for view in '' --tree '--callers main' --by=function,comm --modules; do
	# shellcheck disable=SC2086  # none, or two
	run wick report --json $view "$tests/golden/report/in.perf"
	ok "report --json $view prints valid JSON" python3 -m json.tool "$outfile"
done
run wick report --json evil.folded
ok 'JSON of evil names' python3 -m json.tool "$outfile"
unlike "$out" "$(printf '\033')" 'report --json has no escape characters'

# Names
esc=$(printf '\033')
for view in '' --tree '--callers caf' '--callees evil' --markdown --json --color=always; do
	# shellcheck disable=SC2086  # none, or two
	run wick report $view evil.folded
	is "$status" 0 "report $view of hostile names succeeds"
	unlike "$out" "$esc\\[2J|$esc\\]" 'do not reach the terminal'
done
like "$(wick report evil.folded)" 'evil\\x1b\[2J\\x1b\]0 title\\x07$' 'report escapes control characters in names'

# Colors
unlike "$(wick report in.folded)" "$esc" 'no colors in a pipe'
like "$(wick report --color=always in.folded)" "$esc\\[31m" 'report --color=always prints colors in a pipe'
run wick report --color=some in.folded
is "$status" 2 'report --color=some is a usage error'

if ! command -v script >/dev/null; then
	skip 'a terminal' 'script (util-linux) is not here'
	plan
fi

# on_terminal 'COMMAND LINE': what it writes to a terminal of 80 columns.
on_terminal() {
	script -qec "stty cols 80 rows 24; $1" /dev/null </dev/null 2>&1 | tr -d '\r'
}
export TERM=xterm
unset NO_COLOR PAGER LESS
like "$(on_terminal 'WICK_PAGER= wick report in.folded')" "$esc\\[31m" 'colors on a terminal'
unlike "$(on_terminal 'WICK_PAGER= NO_COLOR=1 wick report in.folded')" "$esc" 'NO_COLOR=1 turns colors off'
like "$(on_terminal 'WICK_PAGER= NO_COLOR= wick report in.folded')" "$esc" 'an empty NO_COLOR leaves colors on'
unlike "$(on_terminal 'WICK_PAGER= TERM=dumb wick report in.folded')" "$esc" 'report uses no colors on a dumb terminal'
unlike "$(on_terminal 'WICK_PAGER= wick report --color=never in.folded')" "$esc" 'report --color=never uses no colors'
export NO_COLOR=1
for view in '' --tree '--callers name'; do
	cp long.folded "$long"
	on_terminal "WICK_PAGER= wick report $view $long" >wide
	ok "no line is wider than the terminal $view" test "$(LC_ALL=C.UTF-8 wc -L <wide)" -le 80
	like "$(cat wide)" '…' 'since names are shortened'
	# shellcheck disable=SC2086  # none, or two
	like "$(wick report $view long.folded)" 'on_and_on$' 'names are whole in a pipe'
done
awk 'BEGIN { for (i = 0; i < 30; i++) { printf "%sfunction%d [library.so] 9\n", s, i; s = s "function" i " [library.so];" } }' >deep.folded
for view in '' --modules --lines '--by comm,module,function'; do
	on_terminal "stty cols 40; WICK_PAGER= wick report $view $tests/golden/annotate/in.perf" >narrow
	ok "report $view fits into 40 columns" test "$(LC_ALL=C.UTF-8 wc -L <narrow)" -le 40
	like "$(cat narrow)" '^ *[0-9.]+ %  ' "report $view has rows in 40 columns"
done
for view in --tree '--tree --min 5' '--callers function29' '--callees function3'; do
	on_terminal "stty cols 40; WICK_PAGER= wick report $view deep.folded" >narrow
	ok "report $view fits into 40 columns" test "$(LC_ALL=C.UTF-8 wc -L <narrow)" -le 40
done

wick convert in.folded -o in.wick 2>/dev/null
run wick report --by cpu in.wick
is "$status" 1 'a file without processors'
like "$err" '^hint: record CPUs: ' 'reports how to record CPUs'

like "$(wick report --tree --markdown in.folded)" '^ +total +self +function$' 'a tree in Markdown has its heading'
for option in --callers --callees; do
	run wick report $option '' in.folded
	is "$status" 2 "report $option '' is a usage error"
	is "$err" "wick: $option requires a function" 'rejects an empty function name'
done

# Messages quote names, too.
like "$(on_terminal "wick report --callees '${esc}c' in.folded")" "matches '\\\\x1bc'" 'messages escape control characters in names'
run wick report --callees "${esc}c" in.folded
like "$err" "matches '\\\\x1bc'" 'report escapes control characters of a pattern in a pipe'
run wick report --thread zz evil.perf
is "$status" 1 'a thread that is not there'
unlike "$err" "$esc" 'report escapes control characters of thread names in messages'
run wick annotate evil evil.folded
unlike "$err" "$esc" 'messages of annotate escape control characters in names'

# Pagers
awk 'BEGIN { for (i = 0; i < 40000; i++) print "main;function" i " 1" }' >many.folded
like "$(on_terminal "WICK_PAGER='sed s/^/paged:/' wick report in.folded")" '^paged:.*main' 'a pager of its own'
like "$(on_terminal "PAGER='sed s/^/paged:/' wick report in.folded")" '^paged:.*main' 'report calls PAGER on a terminal'
like "$(on_terminal "WICK_PAGER=cat PAGER='sed s/^/paged:/' wick report in.folded")" '^ *50.00 %' 'report prefers WICK_PAGER to PAGER'
like "$(on_terminal "PAGER='sed s/^/paged:/' wick report --no-pager in.folded")" '^ *50.00 %' 'report --no-pager calls no pager'
# shellcheck disable=SC2016  # for the pager
like "$(on_terminal "WICK_PAGER='echo LESS=\$LESS; cat' wick report in.folded")" '^LESS=FRX$' 'less leaves when all fits'
like "$(on_terminal 'PAGER=no-such-pager wick report --tree in.folded')" 'idle' 'one that is not there loses nothing'
: >cannot-run
like "$(on_terminal 'PAGER=./cannot-run wick report -n 0 many.folded')" 'function39999' 'a pager that cannot be run loses no output'
run_sh "WICK_PAGER='sed s/^/paged:/' wick report in.folded"
unlike "$out" '^paged' 'no pager in a pipe'
is "$(on_terminal "WICK_PAGER='head -n 1' wick report -n 0 many.folded; echo \$?" | tail -1)" 0 \
	'who leaves the pager early has seen enough'

# Brief
awk 'BEGIN { for (i = 0; i < 300; i++) { s = "f" i; while (length(s) < 400) s = s "\303\244\303\266"; print "main;" s, i + 1 } }' >many.folded
run wick report --brief many.folded
is "$status" 0 'prints a brief report of a profile with long names'
is "$([ "$(printf '%s\n' "$out" | wc -c)" -le 4096 ] && echo yes)" yes 'keeps a brief report within 4096 bytes'
like "$out" 'and [0-9]+ more functions' 'counts the functions that a brief report leaves out'
run wick report --brief in.folded
like "$out" "^next: wick report --callers 'idle' 'in.folded'\$" 'names the command that shows the callers of the largest function'
run wick report --brief evil.folded
is "$(printf '%s' "$out" | tr -d '\n' | LC_ALL=C tr -d '[:print:]\200-\377' | wc -c | tr -d ' ')" 0 'writes no control characters into a brief report'

# The next command of a report of waits shows what the report is of, pasted into a shell.
cp "$tests/golden/report-brief-waits/in.json" waits.json
for given in '--event off-cpu' '--reason sleep' '--event off-cpu --thread 10 --hide parse|x'; do
	# shellcheck disable=SC2086  # options
	run wick report --brief $given waits.json
	next=$(printf '%s\n' "$out" | sed -n 's/^next: //p')
	run sh -c "$next"
	is "$status" 0 "the next command of report --brief $given works"
	like "$out" '^event +off-cpu$' "the next command of report --brief $given shows waits"
done

# Locks
run wick report --by lock --reason sleep waits.json
is "$err" 'wick: no thread waited for a lock' 'does not ask for a recording of waits if no wait is for a lock'
run wick report --by lock in.folded
like "$err" '^hint: record with wick record --off-cpu' 'names the recording that has locks'

# System
run wick report --system in.folded
is "$status" 1 'fails to report the system of a profile that has none'
is "$err" "wick: the profile has no system metrics
hint: wick record stores them in .wick, .html, .svg and .data files" 'names the files that have system metrics'

plan
