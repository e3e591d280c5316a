#!/bin/sh
# wick view and wick top in a real terminal, which tmux is: keys are sent, and the screen is looked at.
# Nothing is waited for by time: the screen is asked again and again until it shows what it should.
. "$(dirname "$0")/lib.sh"

# Without a terminal

printf '%s\n' 'main;read;parse 30' 'main;read 10' 'main;write;format;parse 20' 'main;write;flush 40' >in.folded
run wick view in.folded
is "$status" 0 'view without a terminal prints text'
is "$out" "$(wick report in.folded)
$(wick report --tree in.folded | sed -n '/^$/,$p')" 'as wick report has it, and its tree'
for how in '' --report; do
	# shellcheck disable=SC2086  # one option, or none
	run wick view --ascii $how in.folded
	is "$(tr -d '\n -~' <"$outfile" | wc -c)" 0 "view --ascii $how prints text in ASCII"
	like "$out" '^40\.00 % .* ####  ' "view --ascii $how draws bars"
done
run wick view --time 1..2 in.folded
is "$status" 1 'view without a terminal reports errors'
run wick top -p 1
is "$status" 2 'top without a terminal is a usage error'
like "$err" 'not a terminal' 'top reports that standard output is not a terminal'
like "$err" 'hint: for text: wick record' 'top without a terminal suggests record'
run wick top
like "$err" 'no target given' 'top without a target reports that'
run wick top -p 1 --decay 0.001
like "$err" '--decay must be' 'top rejects a --decay that is too short'
run wick top -a -p 1
is "$status" 2 'top rejects -a with -p'
run wick view --threads in.folded
is "$status" 2 'threads are listed in a pane, and no option'
like "$err" '.--thread.' 'view suggests --thread for --threads'
run wick view --help
like "$out" 'wick view \[options\]' 'view --help prints the usage'
run wick top --help
like "$out" 'wick top \[options\]' 'top --help prints the usage'

if ! command -v tmux >/dev/null; then
	skip 'the view in a terminal' 'tmux is not here'
	plan
fi

server=none nr_server=0
limit=${WAIT:-1200} # times that the screen is asked
# Its sockets are not where those of others are.
export TMUX_TMPDIR="$scratch"
trap 'tmux -L "$server" kill-server 2>/dev/null; kill $busy $theirs 2>/dev/null; chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
busy='' theirs=''

term() {
	LC_ALL=C.UTF-8 tmux -u -L "$server" "$@"
}

echo "PS1='ready> '" >rc

# begin COLUMNS ROWS: a terminal of that size, with a shell that says ready> in it.
begin() {
	tmux -L "$server" kill-server 2>/dev/null
	nr_server=$((nr_server + 1))
	server=wick-cli-$$-$nr_server
	env -u NO_COLOR -u COLORFGBG LC_ALL=C.UTF-8 COLORTERM=truecolor ENV="$PWD/rc" \
		tmux -u -L "$server" -f /dev/null new-session -d -x "$1" -y "$2" "sh -i"
	term set -g set-clipboard on
	rm -f raw
	term pipe-pane 'cat >raw'
	shows '^ready>' || result 1 'a shell is there'
}

screen() {
	term capture-pane -p
}

# shows PATTERN: is it on the screen, now or soon?
shows() {
	tries=0
	until screen | grep -Eq -- "$1"; do
		tries=$((tries + 1))
		[ $tries -lt "$limit" ] || return 1
		sleep 0.05
	done
}

# wait_for PATTERN WHAT
wait_for() {
	shows "$1"
	result $? "$2" || comment 'screen' "$(screen)"
}

# until_true WHAT COMMAND...: the command succeeds, now or soon.
until_true() {
	what=$1 tries=0
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt "$limit" ] || break
		sleep 0.05
	done
	[ $tries -lt "$limit" ]
	result $? "$what" || comment 'screen' "$(screen)"
}

keys() {
	term send-keys "$@"
}

line() {
	term send-keys -l "$1"
	term send-keys Enter
}

# bytes HEX...: as a terminal sends them.
bytes() {
	term send-keys -H "$@"
}

# told FORMAT: what tmux knows of the terminal.
told() {
	term display-message -p "#{$1}"
}

# shellcheck disable=SC2317 # until_true calls it
is_told() {
	[ "$(told "$1")" = "$2" ]
}

# is_ready: is it over, and does the shell wait for a line?  What is typed before that may get lost.
# shellcheck disable=SC2317 # until_true calls it
is_ready() {
	[ "$(told alternate_on)" = 0 ] && screen | sed '/^ *$/d' | tail -n 1 | grep -q '^ready> *$'
}

# has PATTERN, lacks PATTERN: something, or nothing, that was sent to this terminal until the end is so.
# shellcheck disable=SC2317 # ok calls it
has() {
	tries=0
	until LC_ALL=C grep -q '\[?1049l' raw; do
		tries=$((tries + 1))
		[ "$tries" -lt "$limit" ] || return 2
		sleep 0.05
	done
	LC_ALL=C grep -Eq -- "$1" raw
}

# shellcheck disable=SC2317 # ok calls it
lacks() {
	has "$1"
	[ $? = 1 ]
}

# line_is NUMBER PATTERN: that line of the screen.
# shellcheck disable=SC2317 # until_true calls it
line_is() {
	screen | sed -n "$1p" | grep -Eq -- "$2"
}

# are_told WANT FORMAT...
# shellcheck disable=SC2317 # until_true calls it
are_told() {
	wanted=$1 found=''
	shift
	for format in "$@"; do
		found=$found$(told "$format")
	done
	[ "$found" = "$wanted" ]
}

# The flame graph

begin 80 20
line 'wick view in.folded'
wait_for '1 Flame.*in.folded · 100 samples' 'the view names itself'
wait_for '^main$' 'the root is on top'
wait_for 'read +[^ ]*write' 'what it calls is below, side by side'
until_true 'it is the other screen' is_told alternate_on 1
like "$(term capture-pane -pe)" '48;2;' 'view draws in true color'
keys Down Down
wait_for '60 samples · 60.0 % of total · 0 % self' 'down is to the widest callee'
keys Left
wait_for '40 samples · 40.0 % of total · 10.0 % self' 'left is beside it'
keys Enter
wait_for '^read$' 'Enter zooms in'
wait_for '100 % of the zoom' 'and numbers tell of it'
keys Escape
wait_for 'read +[^ ]*write' 'Esc zooms out'
keys i
wait_for '^all$' 'upside down, all is'
until_true 'at the bottom' line_is 17 '^all'
keys i r
wait_for '^parse +[^ ]*flush' 'from the leaves, the heaviest first'
keys r / p a r
wait_for '/par/: 50.0 %' 'a search tells the share while it is typed'
keys Enter
wait_for '^ parse' 'and Enter goes to the first'
keys n
wait_for '20 samples · 20.0 %' 'n to the next'
keys Escape
bytes 1b 5b 3c 30 3b 35 3b 34 4d
wait_for '40 samples · 40.0 % of total · 10.0 %' 'a click selects'
bytes 1b 5b 3c 30 3b 35 3b 34 4d
wait_for '100 % of the zoom' 'a second one zooms'
keys BSpace '?'
wait_for 'arrows, h j k l +move' '? helps'
keys End
wait_for 'quit; Ctrl-Z suspend' 'and scrolls'
keys x

# Other panes

keys 2
wait_for 'self +total +function' 'the table'
wait_for '50.0 % +50.0 % +.* parse' 'has the functions'
keys Home Down 3
wait_for '^main' 'the sandwich has callers above'
until_true 'and the function in the middle' line_is 4 '^flush'
keys 4
wait_for 'no source lines' 'the source says when there is none'
keys 5
wait_for 'share +thread +process/thread' 'threads'
wait_for 'no timestamps' 'say when they have no times'
keys Tab
wait_for 'flush' 'and Tab goes on to the first'

# A part

keys f
wait_for 'only flush · 40' 'f shows what has the function'
keys u
wait_for 'in.folded · 100 samples' 'u shows all again'

printf 'app 7/7 1.0: cycles:\n\t1 leaf (/lib/libc.so)\n\t2 main (/bin/app)\n\napp 7/8 1.5: cycles:\n\t3 sys ([kernel.kallsyms])\n\t2 main (/bin/app)\n\n' >limits.perf
keys q
until_true 'q ends it' is_ready
line 'wick view limits.perf'
wait_for 'limits.perf · 2 cycles' 'samples of two threads'
keys / l e a f Enter d
wait_for 'limits.perf · in libc.so · 1 cycles' 'd shows what ended in its module'
keys d t
wait_for 'thread app-7/7 · 1 cycles' 't its thread, and d again all modules'
keys t K
wait_for 'kernel only · 1 cycles' 'K what ended in the kernel'
keys K s
wait_for 'sorted by width' 's sorts otherwise'
keys q
until_true 'q ends it' is_ready
line 'wick view in.folded'
wait_for 'in.folded · 100 samples' 'and again'
keys / f l u s h Enter
wait_for '/flush/: 40.0 %' 'with a search'
keys Escape
wait_for '40.0 % self *$' 'without the search'

# The clipboard

keys y
until_true 'y copies the name' sh -c "tmux -L $server show-buffer | grep -qx flush"
keys Y
until_true 'Y copies the stack' sh -c "tmux -L $server show-buffer | tr '\n' ' ' | grep -q 'main write flush'"

# Writing

keys w
wait_for 'Write .*: flamegraph.svg' 'w asks where to'
keys Enter
wait_for 'wrote flamegraph.svg' 'and writes'
like "$(frames flamegraph.svg)" 'flush' 'the SVG written by view has the frames on the screen'
keys w C-u
keys -l picture.png
keys Enter
wait_for 'expected the extension .svg, .html, .wick or .folded' 'rejects an unknown extension'
keys w C-u
keys -l /nowhere/x.html
keys Enter
wait_for 'No such file' 'and be possible'
keys w C-u
keys -l page.html
keys Enter
wait_for 'wrote page.html' 'a page too'
ok 'view writes a page' grep -q '<html' page.html

# Another size

keys g
term resize-window -x 50 -y 12
until_true 'another size' sh -c "tmux -L $server capture-pane -p | sed -n 12p | grep -q 'q quit'"
is "$(screen | awk 'length($0) > 120' | wc -l)" 0 'no line is too long'
term resize-window -x 80 -y 20
until_true 'and back' sh -c "tmux -L $server capture-pane -p | sed -n 20p | grep -q 'q quit'"

# Suspended

keys C-z
wait_for 'Stopped' 'Ctrl-Z stops it'
until_true 'on the screen of before' is_ready
line 'stty -a | grep -o -e " icanon" -e " echo "; echo "and $?"'
wait_for 'icanon' 'with a terminal that takes lines'
line fg
wait_for 'in.folded · 100 samples' 'and goes on'
until_true 'on its own screen' is_told alternate_on 1
keys j
wait_for 'in.folded · 100 samples' 'with keys'

# The end

keys q
until_true 'q gives the screen back' is_ready
until_true 'the mouse, the cursor and lines are as before' are_told 011 mouse_any_flag cursor_flag wrap_flag
line 'echo status $?'
wait_for 'status 0' 'that is a good end'
for signal in TERM HUP SEGV; do
	line 'clear; wick view in.folded'
	wait_for '1 Flame' "for a signal: $signal"
	pid=$(pgrep -P "$(told pane_pid)" -f 'wick view' | head -n1)
	kill -$signal "$pid"
	until_true 'the screen comes back' is_ready
	until_true 'and the rest' are_told 01 mouse_any_flag cursor_flag
	line 'stty -a | grep -c -e " icanon"; echo "after $?"'
	wait_for 'after 0' 'lines are taken again'
done

# Standard input

line 'clear; cat in.folded | wick view'
wait_for 'standard input · 100 samples' 'standard input is looked at'
keys j
wait_for '^ main' 'with keys of the terminal'
keys q
until_true 'to the end' is_ready
line 'clear; TERM=dumb wick view in.folded; echo status $?'
wait_for 'status 0' 'a terminal that cannot be drawn on gets text'
wait_for '^ +60.00 % +0.00 %  .* write' 'also with a tree'
line 'clear; WICK_PAGER=cat wick view --report in.folded; echo status $?'
wait_for 'status 0' 'and so does who asks for it'

# Hostile names

printf 'main;a\033[31mred\033]52;c;ZXZpbA==\007;\342\200\256evil;\346\274\242\345\255\227;e\314\201x\302\2332J 1\n' >hostile.folded
begin 60 14
line 'wick view hostile.folded'
wait_for '漢字' 'wide characters are shown'
keys Down Down
wait_for 'a[^ ]*\[31mred' 'and names, without what they would do'
keys Y q
until_true 'to the end' is_ready
ok 'no escape of a name is sent' lacks "$(printf '\033\\[31m')"
ok 'no bidirectional override reaches the terminal' lacks "$(printf '\342\200\256')"
ok 'no clipboard sequence reaches the terminal' lacks "$(printf '\033]52;c;ZXZpbA')"
ok 'no C1 control character reaches the terminal' lacks "$(printf '\302\233')"

# Fewer colors

begin 60 14
line 'NO_COLOR=1 wick view in.folded'
wait_for '^▏main' 'without colors there are lines'
keys q
until_true 'to the end' is_ready
ok 'view sends no colors without a color terminal' lacks '\[[0-9;]*[34]8;|\[0;([0-9];)*[34][0-7]m'
begin 60 14
line 'COLORTERM= TERM=xterm-256color wick view in.folded'
wait_for '^main' 'with 256 colors'
keys q
until_true 'to the end' is_ready
ok 'view sends 256 colors to a terminal with 256 colors' has '48;5;'
ok 'view sends no true color to a terminal with 256 colors' lacks '48;2;'
begin 60 14
line 'COLORTERM= TERM=xterm wick view in.folded'
wait_for '^main' 'with 16 colors'
keys q
until_true 'to the end' is_ready
ok 'view sends 8 colors to a terminal with 8 colors' has '\[0;[0-9;]*4[0-7]m'
ok 'view sends no more than 8 colors to a terminal with 8 colors' lacks '48;'
begin 60 14
line 'LC_ALL=C wick view in.folded'
wait_for '^main' 'without UTF-8'
keys q
until_true 'to the end' is_ready
ok 'ASCII is sent, and no more' lacks "$(printf '[\200-\377]')"

# Live

cat >busy.c <<-'END'
	volatile unsigned long sum;
	__attribute__((noinline)) void spin(void) { for (int i = 0; i < 100000; i++) sum += i; }
	int main(void) { for (;;) spin(); }
END
if ! gcc -g -O1 -o busy busy.c 2>/dev/null; then
	skip 'top' 'there is no compiler'
	plan
fi
./busy &
busy=$!
begin 80 20
ok 'record of a busy process succeeds' wick record -q -p $busy -d 2 -o busy.wick
line 'wick view busy.wick'
wait_for 'spin' 'a recording is looked at'
keys / s p i n Enter a
wait_for '%.*void spin\(void\)' 'with the source of a function, and what each line took'
keys Enter
wait_for 'address +instruction' 'and its instructions'
keys 5
wait_for 'over time' 'threads have times'
# Most of the time, as a process may get no CPU for a while.
# shellcheck disable=SC2046  # keys
keys v $(yes Right | head -50) Enter
wait_for 'busy.wick · 0[.]0+ to [0-9.]+ s' 'the threads pane selects a part of the time'
keys q
until_true 'to the end' is_ready
line "clear; wick top -p $busy -i 0.2"
wait_for 'spin' 'top shows what runs, by name'
wait_for "$busy · [1-9][0-9]* s · " 'and for how long it does'
keys z
wait_for 'FROZEN' 'z freezes the picture'
frozen=$(screen | sed -n 1p)
keys j j
wait_for "of total" 'in which one can walk'
is "$(screen | sed -n 1p)" "$frozen" 'a paused top does not change'
keys z
until_true 'z goes on' sh -c "! tmux -L $server capture-pane -p | grep -q FROZEN"
wait_for "$busy · ([6-9]|[1-9][0-9]+) s" 'and time passes'
keys R
wait_for "$busy · [0-5] s" 'R begins anew, and so does the time'
keys D
wait_for "$busy · [0-9]+ s · half-life 10 s" 'D makes older samples count less and shows the half-life'
keys D
until_true 'and all the same again' sh -c "! tmux -L $server capture-pane -p | grep -q half-life"
keys w C-u
keys -l live.svg
keys Enter
wait_for 'wrote live.svg' 'it can be written'
like "$(frames live.svg)" 'spin' 'top writes what it shows as SVG'
keys q
until_true 'q ends it' is_ready
ok 'top leaves its target running' kill -0 $busy
like "$(cat /proc/$busy/status)" 'TracerPid:.0$' 'top leaves no tracer behind'
line "clear; wick top -p $busy -i 0.2 --decay 2.5"
wait_for 'half-life 2.5 s' 'once more, with the half-life that is asked for'
wait_for 'spin' 'and what runs'
keys w C-u
keys -l faded.wick
keys Enter
wait_for 'wrote faded.wick' 'which can be written'
ok 'report reads the file that top wrote' wick report faded.wick
kill $busy
wait_for 'ended' 'who ends is told of'
keys q
until_true 'and the view stays till q' is_ready
sleep 1000 &
sleeper=$!
line "clear; wick top -p $sleeper -e off-cpu -i 0.2"
wait_for '\[sleep\]' 'top -e off-cpu shows a wait that goes on'
wait_for 'waits: sleep 100 %' 'top has the reasons of waits in its title'
keys q
until_true 'q ends top -e off-cpu' is_ready
kill $sleeper
line "clear; wick top -p $busy; echo status \$?"
wait_for 'status [12]' 'who is not there is an error'

# Where events are refused, threads are stopped and looked at
if gcc -o refuse "$tests/programs/refuse.c" 2>/dev/null; then
	./busy &
	busy=$!
	line "clear; ./refuse EPERM perf_event_open wick top -p $busy -i 0.2"
	wait_for 'spin' 'top without events'
	keys C-z
	wait_for 'cannot suspend during ptrace sampling' 'is not suspended, or a thread could stay stopped'
	keys q
	until_true 'q ends it' is_ready
	like "$(cat /proc/$busy/status)" 'TracerPid:.0$' 'top with ptrace sampling leaves no tracer behind'
	kill $busy
else
	skip 'top without events' 'refuse.c cannot be compiled'
fi

# Not as root, where that can be tried
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
chmod 755 "$scratch" "$scratch/bin" "$scratch/work"
if [ "$(id -u)" = 0 ] && $nobody "$WICK" --version >/dev/null 2>&1; then
	$nobody ./busy &
	theirs=$!
	# Until it is busy, it is still setpriv, and root's.
	while [ "$(stat -c %u /proc/$theirs)" = 0 ]; do sleep 0.05; done
	line "clear; $nobody wick top -p $theirs -i 0.2"
	wait_for 'spin' 'as nobody, too'
	keys q
	until_true 'q ends it' is_ready
	ok "top of another user's process leaves it running" kill -0 $theirs
	kill $theirs
else
	skip 'top as nobody' 'we are nobody, or nobody can run it'
fi

plan
