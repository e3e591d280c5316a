#!/bin/sh
# wick doctor: its command line.  What it finds is in tests/record/machine.
. "$(dirname "$0")/lib.sh"

run wick doctor --help
is "$status" 0 'doctor --help succeeds'
like "$out" '^Usage: wick doctor ' 'doctor --help prints the usage'

run wick doctor
like "$out" '^  (ok|FAILS) +recording your programs' 'doctor reports recording first'
is "$(printf '%s\n' "$out" | grep -Ecv '^(this machine|  (ok|limited|FAILS) +[^ ].*| {11}fix: .*)$')" 0 'each line is a finding or what helps'

run wick doctor ./none
is "$status" 1 'a program that is not there'
like "$out" '^  FAILS    no such program' 'doctor reports a program that does not exist'
run wick doctor .
like "$out" '^  FAILS    not a program' 'doctor reports that a directory is not a program'
run wick doctor nosuchcommand
like "$out" '^nosuchcommand$' 'a name that is nowhere stays as it is'
run wick doctor --nosuch
is "$status" 2 'doctor rejects an unknown option'

# A name alone is looked for where the shell does; what is there may be any bytes.
mkdir bin
{
	printf noise
	head -c 4000 /dev/urandom
} >bin/noise
chmod +x bin/noise
PATH=$PWD/bin:$PATH
run wick doctor noise
is "$status" 1 'doctor of a file that is not a program fails'
like "$out" "^$PWD/bin/noise\$" 'doctor prints the path that it found'

# apt finds a debug package only if its sources have the archive of them.
if grep -qs '^ID=debian$' /etc/os-release && grep -qs '^VERSION_CODENAME=' /etc/os-release &&
	[ -e /var/lib/dpkg/info/dash.list ] && [ ! -e /var/lib/dpkg/info/dash-dbgsym.list ] &&
	! grep -rqs debian-debug /etc/apt/sources.list /etc/apt/sources.list.d; then
	run env -u DEBUGINFOD_URLS wick doctor dash
	like "$out" 'fix: sudo apt install dash-dbgsym \(in sources\.list: deb http://deb\.debian\.org/debian-debug [a-z]+-debug main\)$' \
		'doctor names the archive of a debug package that apt cannot find'
else
	skip 'the archive of debug packages' 'this is not Debian, or apt has that archive'
fi

plan
