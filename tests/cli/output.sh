#!/bin/sh
# Where output goes, and what happens when it cannot.
. "$(dirname "$0")/lib.sh"

printf 'main;a 1\nmain;b 2\n' >in.folded
want='main;a 1
main;b 2'

run wick collapse -o out.folded in.folded
is "$status" 0 'collapse -o FILE succeeds'
is "$out" '' 'leaves standard output alone'
is "$(cat out.folded)" "$want" 'collapse -o FILE writes the file'
run wick collapse --output=out.folded in.folded in.folded
is "$(cat out.folded)" 'main;a 2
main;b 4' 'anew each time'
run wick collapse -o - in.folded
is "$out" "$want" '-o - is standard output'
cp in.folded both.folded
run wick collapse -o both.folded both.folded both.folded
is "$(cat both.folded)" 'main;a 2
main;b 4' 'a file may be read and then written'

run wick collapse -o no/such/folder in.folded
is "$status" 1 'a place that is not there'
is "$err" 'wick: no/such/folder: No such file or directory' 'collapse -o reports a missing directory'
run wick collapse -o . in.folded
is "$status" 1 'collapse -o of a directory is an error'
is "$err" 'wick: .: Is a directory' 'collapse -o reports a directory'
run wick collapse -o keep missing
ok 'collapse -o writes no file if its input is missing' test ! -e keep

run wick collapse -o /dev/full in.folded
is "$status" 1 'collapse -o fails if the disk is full'
is "$err" 'wick: /dev/full: No space left on device' 'collapse -o reports a full disk'
run_sh 'wick collapse in.folded >/dev/full'
is "$status" 1 'collapse fails if standard output is full'
is "$err" 'wick: standard output: No space left on device' 'collapse reports that standard output is full'
printf 'bash 12 [000] 1.5: 7 cycles:\n\t7f12 main+0x2 (/bin/bash)\n\n' >perf.txt
for program in inferno-collapse-perf stackcollapse-perf.pl; do
	run_sh "$program perf.txt >/dev/full"
	ok "$program fails as well" test "$status" -ne 0
	like "$err" 'standard output: No space left on device' 'reports a full disk'
done
for option in --help --version 'collapse --help' 'collapse --formats'; do
	run_sh "wick $option >/dev/full"
	is "$status" 1 "wick $option on a full disk"
	is "$err" 'wick: standard output: No space left on device' "wick $option reports that standard output is full"
done

run_sh 'wick collapse in.folded >&-'
is "$status" 1 'no standard output at all'
is "$err" 'wick: standard output: Bad file descriptor' 'collapse reports a closed standard output'
run_sh 'wick collapse -o out.folded in.folded >&-'
is "$status" 0 'collapse -o succeeds with a closed standard output'
is "$(cat out.folded)" "$want" 'collapse -o with a closed standard output writes the file'
run_sh 'wick collapse missing 2>&-'
is "$status" 1 'a closed standard error does not change the exit status'

# A file that exists stays as it was until the new one is complete.
awk 'BEGIN { for (i = 0; i < 20000; i++) print "main;function" i " 1" }' >long.folded
printf 'main;a 2\n' >after.folded
mkdir kept
for command in 'convert long.folded -o' 'flame long.folded -o' 'collapse long.folded -o' 'diff long.folded in.folded -o'; do
	for name in x.folded x.svg x.pb.gz x.speedscope.json; do
		case $command$name in
		collapse*x.folded | diff*x.folded) ;;
		collapse* | diff*) continue ;;
		esac
		echo old >kept/$name
		run_sh "trap '' XFSZ; ulimit -f 8; wick $command kept/$name"
		is "$status" 1 "wick $command $name fails if the file cannot be so large"
		like "$err" "^wick: kept/$name: File too large" "wick $command $name reports that the file cannot be so large"
		is "$(cat kept/$name)" old "wick $command $name leaves the old file if the new one cannot be written"
		run_sh "ulimit -f 8; wick $command kept/$name"
		is "$(cat kept/$name)" old "wick $command $name leaves the old file if a signal kills it"
		is "$(ls -A kept)" "$name" "wick $command $name leaves no other file"
		rm -r kept
		mkdir kept
	done
done
chmod 640 in.folded
cp -p in.folded mode.folded
ln -s mode.folded link.folded
run wick collapse -o link.folded after.folded
is "$(stat -c %a mode.folded) $(cat mode.folded)" '640 main;a 2' 'a new file has the mode of the old one, and a link stays'
ok 'a link to the output file is still one' test -L link.folded
if [ "$(id -u)" = 0 ]; then
	chown 65534:65534 mode.folded
	wick collapse -o mode.folded after.folded
	is "$(stat -c %u:%g:%a mode.folded)" 65534:65534:640 'a new file has the owner of the old one'
fi
mkdir sealed
cp in.folded sealed/x.folded
chmod 555 sealed
run wick collapse -o sealed/x.folded after.folded
is "$(cat sealed/x.folded)" 'main;a 2' 'a file in a directory that is not writable is written in place'
chmod 755 sealed

# More than a pipe holds, to a reader that goes away
awk 'BEGIN { for (i = 0; i < 100000; i++) print "main;function" i " 1" }' >large.folded
run_sh 'wick collapse large.folded | head -n 1'
is "$out" 'main;function0 1' 'a closed pipe has the lines that were read'
is "$err" '' 'a closed pipe is not reported'
run_sh "trap '' PIPE; { wick collapse large.folded; echo \$? >ended; } | head -n 1"
is "$err" '' 'a closed pipe is not reported if SIGPIPE is ignored'
is "$(cat ended)" 1 'a closed pipe is an error if SIGPIPE is ignored'
run_sh "trap '' PIPE; { inferno-collapse-perf perf.txt; echo \$? >ended; } | :"
is "$err" '' 'inferno-collapse-perf prints nothing if its output pipe is closed'

plan
