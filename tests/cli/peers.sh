#!/bin/sh
# Under every other name: how its help begins, and what of hostile arguments gets to the terminal.
. "$(dirname "$0")/lib.sh"

names=$(sed '/^#/d; /^$/d' "$repo/dropins.list")
escape=$(printf '\033')
nasty=$(printf 'x\033]0;title\007\033[31m\302\233m')

# control FILE...: the lines with bytes that steer a terminal, C1 characters among them.
control() {
	grep -aE "[$(printf '\001-\010\013-\037\177')]|$(printf '\302[\200-\237]')" "$@"
}

for name in $names; do
	said=0
	# An option, a word, a file, and the values of options that most of them have or do not have.
	for words in "--$nasty" "-$escape" "$nasty" "--palette=$nasty" "-v$nasty"; do
		run "$name" "$words" </dev/null
		case $status in
		0 | 1 | 2 | 127 | 255) said=$((said + $(wc -c <"$errfile"))) ;;
		*) is "$status" '0, 1, 2, 127 or 255' "$name has a status that it knows" ;;
		esac
		found=$(control "$errfile" "$outfile")
		[ -z "$found" ] || is "$found" '' "$name $words"
	done
	[ "$said" -gt 0 ]
	result $? "$name says what is wrong, and nothing to the terminal"
done

# The names of files that are written and read, and of programs.
# shellcheck disable=SC2016  # the inner shell's
run flamegraph -o "$nasty.folded" sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
is "$(control "$errfile" "$outfile")" '' 'the file that flamegraph writes'
like "$out" '^writing flamegraph to "x\\x1b\]0;title' 'flamegraph escapes control characters in the name of its output'
run env PERF=true flamegraph -v --cmd "$nasty" true
is "$(control "$errfile" "$outfile")" '' 'flamegraph -v escapes control characters in the command that it runs'
run flamegraph "./$nasty"
is "$(control "$errfile" "$outfile")" '' 'flamegraph escapes control characters in the name of a missing command'
run env CARGO="./$nasty" cargo-flamegraph
is "$(control "$errfile" "$outfile")" '' 'a cargo that does not exist prints no control characters'
like "$err" '^\./x\\x1b' 'cargo flamegraph escapes control characters in the name of a missing cargo'
printf 'a 1 2\n%s\n' "$nasty" >lines
for name in stackcollapse-perf.pl inferno-collapse-perf inferno-collapse-sample; do
	run "$name" lines
	is "$(control "$errfile")" '' "a line that $name does not know"
done

# How they are called
for name in $names; do
	case $name in
	stackcollapse-chrome-tracing.py | files.pl | range-perf.pl) continue ;;
	inferno-diff-folded | difffolded.pl) wanted="$name \\[" ;;
	inferno-*) wanted="$name \\[OPTIONS\\] \\[" ;;
	*.awk) wanted="$name \\[-v NAME=VALUE\\.\\.\\.\\] infile > outfile" ;;
	stackcollapse*) wanted="$name \\[options\\] infile > outfile" ;;
	cargo-*) wanted="cargo ${name#cargo-} \\[OPTIONS\\]" ;;
	*) wanted="$name \\[" ;;
	esac
	run "$name" --help
	like "$(head -n 1 "$outfile")" "^Usage: $wanted" "$name --help says how it is called"
done

plan
