#!/bin/sh
# wick annotate: wrong command lines, what is not known, terminals, and sources that mean harm.
. "$(dirname "$0")/lib.sh"

case=$tests/golden/annotate
printf 'main;work 3\n' >in.folded

run wick annotate
is "$status" 2 'annotate without a function is a usage error'
is "$err" 'wick: no function given
hint: wick annotate FN [FILE...]' 'annotate without a function prints its usage as a hint'
run wick annotate nobody in.folded
is "$status" 1 'a function that is not there'
like "$err" "^wick: no function matches 'nobody'$" 'annotate rejects a function that does not exist'
run wick annotate '(' in.folded
like "$err" 'invalid pattern' 'annotate rejects an invalid pattern'
run wick annotate work in.folded
is "$status" 1 'annotate fails if no sample has source lines'
like "$err" '^wick: work: no source lines' 'annotate reports missing source lines'
like "$err" '^hint: compile with -g' 'annotate suggests -g if no sample has source lines'
printf 'main;vfs_read_[k] 3\nmain;render_[j] 3\n' >kinds.folded
run wick annotate vfs_read kinds.folded
is "$(echo "$err" | tail -n 1)" 'hint: record with wick record or perf record (perf script prints lines with -F +srcline)' \
	'a kernel function without addresses gets no advice to install debug info'
run wick annotate render kinds.folded
is "$(echo "$err" | tail -n 1)" 'hint: lines of JIT-compiled code are in a jitdump, if the runtime writes one' \
	'generated code without lines gets no advice to be built with -g'
is "$out" '' 'annotate prints only an error for functions without lines'
for event in cycles instructions; do
	printf 'app 12 [000] 1.5: 10 %s:\n\t7f12 of_%s (/bin/x)\n\n' $event $event
done >events.perf
run wick annotate of_instructions events.perf
is "$status" 1 'annotate of a function that only another event has fails'
is "$(echo "$err" | tail -n 2)" "wick: no sample of cycles has a function 'of_instructions'
hint: use --event instructions, which has it" 'annotate names the event that has the function'
run wick annotate --event instructions of_instructions events.perf
like "$err" '^wick: of_instructions: no source lines' 'annotate --event finds a function of another event'
run wick annotate --asm work in.folded
like "$err" '^wick: work: the input has no code addresses$' 'annotate --asm rejects an input without code addresses'
like "$err" '^hint: use perf.data or a file written by wick record' 'annotate --asm names the inputs that have code addresses'
run wick annotate --focus nobody work "$case/in.perf"
like "$err" "no function matches 'work'|the filter drops all samples" 'annotate reports that a filter drops all samples'
run_sh "wick annotate --source '$case' work <'$case/in.perf'"
is "$out" "$(wick annotate --source "$case" work "$case/in.perf")" 'annotate reads standard input'
is "$(wick annotate --source "$case" '^wor' "$case/in.perf")" "$out" 'a pattern that one matches'

# Of several, one that cannot be shown is told in its place.
run wick annotate --source "$case" '^(memcpy|work)$' "$case/in.perf"
is "$status" 0 'one of two can be shown'
like "$out" '^no source lines' 'annotate reports the function without source lines'
like "$out" 'sum \+= twist' 'annotate prints the function with lines beside one that has none'

printf 'a 1 1.0: 3 cycles:\n\t1 parse (/x)\n\na 1 2.0: 9 cycles:\n\t2 parse_all (/x)\n\n' >parse.perf
run wick annotate parse. parse.perf
like "$err" '^wick: parse_all: no source lines' 'a function without source lines is an error'
run wick annotate '^p' parse.perf
like "$err" '^wick: parse_all: no source lines' 'annotate reports the heaviest of several functions without source lines'

# Sources are somebody's bytes too.
esc=$(printf '\033')
like "$(cat "$case/in.source")" "$esc\\[2J" 'a source with escapes'
for color in always never; do
	run wick annotate --color=$color --source "$case" work "$case/in.perf"
	unlike "$out" "$esc\\[2J" "an escape sequence in the source does not reach the terminal (--color=$color)"
done
like "$(wick annotate --color=always --source "$case" work "$case/in.perf")" "$esc\\[31m" 'colors if they are wanted'
unlike "$(wick annotate --source "$case" work "$case/in.perf")" "$esc" 'annotate prints no colors in a pipe'
mkdir src
mkfifo src/in.source
run wick annotate --source src work "$case/in.perf"
like "$out" 'in\.source \(not found below --source' 'annotate does not wait for a source that is a named pipe'

if command -v script >/dev/null; then
	script -qec "stty cols 50; WICK_PAGER= NO_COLOR=1 wick annotate --source '$case' work '$case/in.perf'" \
		/dev/null </dev/null 2>&1 | tr -d '\r' | grep -v ' self, ' >wide
	ok 'no line is wider than the terminal' test "$(LC_ALL=C.UTF-8 wc -L <wide)" -le 50
	like "$(cat wide)" '…$' 'the end of a source line is cut'
else
	skip 'a terminal' 'script (util-linux) is not here'
fi

plan
