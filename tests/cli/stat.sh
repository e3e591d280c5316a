#!/bin/sh
# wick stat: its command line, and what it tells of a command.
. "$(dirname "$0")/lib.sh"

run wick stat --help
is "$status" 0 'stat --help succeeds'
like "$out" '^Usage: wick stat ' 'stat --help prints the usage'

run wick stat sh -c 'echo out; echo err >&2; exit 5'
is "$status" 5 'the status is that of the command'
is "$out" 'out' 'stat passes the output of the command on'
like "$err" '^err$' 'stat passes the messages of the command on'
for row in time user kernel 'peak memory' context-switches minor-faults major-faults; do
	like "$err" "^ +[0-9]+.* $row( |\$)" "stat prints $row"
done
run wick stat sh -c 'kill -TERM $$'
is "$status" 143 'the status tells which signal ended the command'
like "$err" '^wick: sh was killed by signal 15 \(Terminated\)' 'stat reports the signal that killed the command'
run_sh 'echo in | wick stat cat'
is "$out" in 'stat passes its input on to the command'

run wick stat --json -o out.json true
is "$status" 0 'stat --json succeeds'
is "$err" '' 'stat --json -o prints no message'
ok 'stat --json writes valid JSON' python3 -c '
import json
told = json.load(open("out.json"))
assert told["status"] == 0
rows = {row["name"]: row for row in told["counters"]}
assert rows["time"]["unit"] == "ns" and rows["time"]["value"] > 0
assert rows["peak memory"]["unit"] == "bytes" and rows["peak memory"]["value"] > 100000
assert all(row["value"] is not None or row["note"] for row in rows.values())
'

run wick stat -e minor-faults,nosuch true
is "$status" 2 'stat rejects an unknown event'
run wick stat
is "$status" 2 'stat without a command is a usage error'
run wick stat -e minor-faults ./none
is "$status" 127 'a command that is not there'
is "$err" 'wick: ./none: No such file or directory' 'stat reports only that the command does not exist'
run wick stat -o nowhere/out touch ran
is "$status" 125 'a place that is not there'
like "$err" '^wick: nowhere/out: ' 'stat rejects an output in a directory that does not exist'
ok 'stat runs nothing if its output cannot be written' test ! -e ran
run wick stat -e task-clock -o /dev/full true
is "$status" 1 'fails if the counts cannot be written'
like "$err" 'time' 'prints the counts where they cannot be written'
run_sh "mkdir lost; TMPDIR=$PWD wick stat -e task-clock -o lost/out.json --json rmdir lost"
is "$status" 1 'fails if the folder of its file is gone'
like "$err" "^hint: the recording is in $PWD/out-......\\.json\$" 'names the place where the counts are instead'
ok 'the counts are there instead' grep -q task-clock out-*.json

# Several runs
run wick stat -r 3 sh -c 'echo ran'
is "$out" 'ran
ran
ran' '-r runs the command that often'
like "$err" '^ +[0-9].* ± +[0-9.]+ %  time' '-r prints the deviation'
run wick stat --json -r 4 -o runs.json sh -c 'exit 3'
is "$status" 3 '-r has the status of the command'
ok '-r prints mean and deviation as JSON' python3 -c '
import json
told = json.load(open("runs.json"))
rows = {row["name"]: row for row in told["counters"]}
assert told["runs"] == 4 and rows["time"]["value"] > 0 and rows["time"]["deviation"] > 0
'
run wick stat -r 5 sh -c 'echo ran; kill -TERM $$'
is "$status $out" '143 ran' '-r does not run a command again that a signal ended'
run wick stat -r 0 true
is "$status" 2 'stat -r 0 is a usage error'
is "$err" 'wick: -r must be at least 1' 'stat -r 0 reports the least number'
run wick stat -r x true
is "$err" "wick: invalid value 'x' for -r: expected a whole number from 1 to 4294967295" 'stat -r x reports the valid range'
run wick stat -r 2 -p $$
is "$status" 2 '-r rejects a target that is not a command'

# Running processes
sh -c 'while :; do :; done' &
busy=$!
# Until the process has had a CPU for some time, however busy the machine is.
cat >had_time <<'END'
ticks() {
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 12
}
enough=$(($(ticks "$1") + 10))
until [ "$(ticks "$1")" -ge $enough ]; do sleep 0.01; done
END
run wick stat --json -o pid.json -e task-clock -p $busy sh had_time $busy
is "$status" 0 '-p counts as long as a command runs' || comment err "$err"
ok '-p counts the process and not the command' python3 -c '
import json
rows = {row["name"]: row for row in json.load(open("pid.json"))["counters"]}
assert rows["task-clock"]["value"] > 0 and "user" not in rows
'
# Does something once wick has opened its counters: sends it a signal, or another process.
cat >meanwhile.py <<'END'
import os, signal, subprocess, sys, time
whom, command = int(sys.argv[1]), sys.argv[2:]
p = subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
def counts():
    files = f'/proc/{p.pid}/fd'
    try:
        return any('perf_event' in os.readlink(f'{files}/{n}') for n in os.listdir(files))
    except OSError:
        return False
while p.poll() is None and not counts():
    time.sleep(0.01)
os.kill(whom or p.pid, signal.SIGKILL if whom else signal.SIGINT)
sys.exit(p.wait())
END
run python3 meanwhile.py $busy "$WICK" stat -e task-clock -p $busy
is "$status" 0 '-p counts until the process ends' || comment err "$err"
wait $busy 2>/dev/null
run wick stat -p $busy
is "$status" 1 '-p rejects a process that is not there'
run wick stat -p $$ -a
is "$status" 2 '-p and -a exclude each other'

# All CPUs
if [ "$(id -u)" = 0 ]; then
	run wick stat --json -o all.json -a sleep 0.1
	is "$status" 0 '-a counts as long as a command runs'
	ok '-a counts the time of all CPUs' python3 -c '
import json, os
rows = {row["name"]: row["value"] for row in json.load(open("all.json"))["counters"]}
assert rows["cpu-clock"] > 0.9 * os.sysconf("SC_NPROCESSORS_ONLN") * 1e8
'
	run python3 meanwhile.py 0 "$WICK" stat -a
	is "$status" 0 '-a counts until a signal'
	like "$err" ' cpu-clock' '-a prints the counts then'
	# Who called sudo
	chmod 755 .
	run env SUDO_UID=65534 wick stat -e task-clock -o sudo.txt id -u
	is "$out" 65534 'runs the command as the user who called sudo'
	is "$(stat -c %u sudo.txt)" 65534 'gives the file to the user who called sudo'
	run env SUDO_UID=65534 wick stat -e task-clock --target-user root id -u
	is "$out" 0 '--target-user names another user'
	# Other people's processes
	chmod 755 "$scratch"
	cp "$WICK" "$scratch/program"
	if setpriv --reuid=65534 --clear-groups "$scratch/program" --version >"$outfile" 2>&1; then
		run setpriv --reuid=65534 --clear-groups "$scratch/program" stat -p $$ true
		is "$status" 125 '-p fails on a process of another user'
		like "$err" 'it belongs to another user$' '-p reports that the process is of another user'
	else
		skip 'a process of another user' 'setpriv does not work'
	fi
fi

plan
