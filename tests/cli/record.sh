#!/bin/sh
# wick record: its command line.  What it records is in tests/record.
. "$(dirname "$0")/lib.sh"

run wick record --help
is "$status" 0 'record --help succeeds'
like "$out" '^Usage: wick record ' 'record --help prints the usage'
is "$err" '' 'record --help prints no message'

run wick record
is "$status" 2 'record without a command is a usage error'
like "$err" 'no command or target given' 'rejects a command line without a target'

run wick record -o picture.png true
is "$status" 2 'record with an unknown extension is a usage error'
like "$err" 'picture.png: unknown file extension' 'rejects an unknown extension'
like "$err" '^hint: .*\.svg' 'record lists the known extensions'

# Children of a process that forks: the process waits for them in a pipe that is never written to.
mkfifo never
sh -c 'cat <never & cat <never & wait' &
parent=$!
exec 3<>never
until [ "$(wc -w <"/proc/$parent/task/$parent/children" 2>>/dev/null)" -eq 2 ]; do sleep 0.01; done
run wick record -p $parent -d 10ms -o forks.folded
like "$err" '^wick: 2 child processes are not recorded; --children adds them$' 'suggests --children for a process that has some'
run wick record -p $parent --children -d 10ms -o forks.folded
unlike "$err" 'child process' 'does not suggest --children if it was given'
exec 3>&-
kill $parent
rm -f never forks.folded*

run wick record -o a.svg -o a.svg true
is "$status" 2 'a file is not written twice'

run wick record -o nowhere/a.svg touch ran
is "$status" 125 'a place that is not there'
like "$err" '^wick: nowhere/a.svg: No such file' 'record rejects an output in a directory that does not exist'
like "$err" '^hint: mkdir -p nowhere$' 'record suggests mkdir for a missing directory'
ok 'record runs nothing if the output directory is missing' test ! -e ran

mkdir folder.svg
run wick record -o folder.svg touch ran
is "$status" 125 'a folder is no place for a file'
is "$err" 'wick: folder.svg: Is a directory' 'record rejects an output that is a directory'
ok 'record runs nothing if the output is a directory' test ! -e ran
rmdir folder.svg
ln -s around.svg around.svg
run wick record -o around.svg touch ran
is "$status" 125 'record rejects an output that is a link to itself'
ok 'record runs nothing if the output cannot be opened' test ! -e ran
rm around.svg

run wick record -e nosuch true
is "$status" 2 'an event that is not there'
like "$err" "unknown event 'nosuch'" 'record rejects an unknown event'
run wick record -e page-fault true
is "$err" "wick: unknown event 'page-fault'
hint: did you mean page-faults?  \`wick list\` lists all events" 'with the one that was meant'
run wick record -e L1-dcache-load true
like "$err" 'did you mean L1-dcache-loads' 'record suggests a cache event'
run wick record -e cpu-clock:x true
is "$status" 2 'a letter that means nothing'
like "$err" 'invalid event modifier .*: expected u, k or p' 'record reports the modifier of an event, not the event'

run wick stat --json -e r1a8:u true
like "$err" '"name": "r1a8:u"' 'a number is called as it was written'
run wick record -e sched:nosuch true
unlike "$status" '^0$' 'a tracepoint that is not there'

run wick record -e uprobe:/bin/sh true
is "$status" 2 'a probe without a function'
run wick record -e uprobe:libnowhere.so:f true
like "$err" '^wick: libnowhere.so: No such file' 'a probe of a file that is not there'
like "$err" '^hint: use the path of the file' 'record explains that a probe needs a path'

for wrong in '-d x' '--delay -1' '-c 0' '-F 0' '--call-graph none' '--call-graph dwarf,99999999' '--runs 0' \
	'--frames x' '--memory x' '--memory 0' '--memory 99999999999G' '--per-thread --merge-threads' '--frames pid --merge-threads' '-p 1 -a' '--wide -a' '-C x' '-C 0-65535' '--delay 1 --signal' '-d 0' '-F 9 -c 9' '--flamechart --no-time'; do
	# shellcheck disable=SC2086  # the words of an option
	run wick record $wrong touch ran
	is "$status" 2 "record $wrong is a usage error"
	ok "$wrong: nothing is run" test ! -e ran
done

run wick record -F 9 -c 9 true
is "$err" 'wick: --freq and --count are mutually exclusive' 'a rate and a count'
run wick record -d 0 true
is "$err" 'wick: --duration must be positive' 'no time at all'
run wick record -d soon true
is "$err" "wick: invalid duration 'soon' for --duration: expected a number with an optional unit, such as 10, 1.5s or 500ms" 'rejects an invalid duration'
run wick record --runs 3 -p 1
is "$err" 'wick: --runs requires a command to record' 'a process that is run again'

run wick record -C 65535 true
like "$err" '^wick: no CPU 65535' 'record rejects a CPU that does not exist'

run wick record -p nosuchprogram
is "$status" 1 'a process that is not there'
is "$err" "wick: no process named 'nosuchprogram'" 'record rejects a process that does not exist'

run wick record --frq 100 true
is "$status" 2 'record rejects an unknown option'
like "$err" 'did you mean --freq' 'record suggests the option that was meant'

run wick record -o a.svg ./none
is "$status" 127 'a command that is not there'
is "$err" 'wick: ./none: No such file or directory' 'record reports a command that does not exist'
is "$(ls -A)" '' 'record of a missing program leaves nothing behind'
run wick record nosuchcommand
is "$status" 127 'a command of the PATH that is not there'
is "$err" 'wick: nosuchcommand: command not found' 'record reports a command that is not found'
run wick record './none with words'
like "$err" "^hint: pass command and arguments as separate words, or use sh -c './none with words'" 'words in quotes are no command'
printf '#!/nowhere/sh\n' >shellscript
run wick record ./shellscript
is "$status" 126 'a file that is no program'
is "$err" 'wick: ./shellscript: Permission denied
hint: chmod +x ./shellscript' 'is told with what makes it one'
chmod +x shellscript
run wick record shellscript
like "$err" '^hint: did you mean ./shellscript\?$' 'a file of this folder is not in the PATH'
run wick record ./shellscript
is "$status" 127 'record of a script with a missing interpreter exits with 127'
is "$err" 'wick: ./shellscript: its interpreter /nowhere/sh is missing' 'record reports the missing interpreter of a script'
printf '#!/bin/sh\r\n' >shellscript
run wick record ./shellscript
like "$err" "^hint: sed -i 's/\\\\r\\\$//' ./shellscript" 'record suggests a fix for a #! line with a Windows line ending'
rm shellscript
mkdir folder
run wick record ./folder
is "$status" 126 'record of a directory exits with 126'
is "$err" 'wick: ./folder: Is a directory' 'record reports that a directory is not a command'
rmdir folder
run wick record --cgroup nowhere true
is "$err" "wick: --cgroup: no cgroup 'nowhere'
hint: \`cat /proc/PID/cgroup\` shows the cgroup of a process" 'a control group that is not there'

# flamegraph of flamegraph-rs

run flamegraph
is "$status" 1 'flamegraph without a command'
is "$err" 'Error: no workload given to generate a flamegraph for' 'flamegraph reports that no command was given'
run flamegraph -p 1 true
is "$err" 'Error: cannot pass in command with --pid' 'a command and a process'
run flamegraph -F 9 --cmd 'record' true
is "$err" 'Error: Cannot pass both a custom command and a frequency.' 'a frequency and a command for perf'
run flamegraph --cmd 'record -o' true
is "$err" "Error: missing '-o' argument" 'half of an option for perf'
for wrong in '--palette none true' '--flamechart --reverse true' '--pid 1 --perfdata x' '--nosuch' '--completions none' '-F 0 true' '-z=300 true' '-z=x true'; do
	# shellcheck disable=SC2086  # the words of an option
	run flamegraph $wrong
	is "$status" 2 "flamegraph $wrong is a usage error"
	like "$err" "^error: " 'tells it as the peer does'
done
version=$(wick --version | head -n 1 | cut -d ' ' -f 1-2)
run flamegraph --version
is "$out" "flamegraph ($version)" 'flamegraph --version prints the version'
run cargo-flamegraph flamegraph -V
is "$out" "cargo-flamegraph ($version)" 'cargo flamegraph -V prints the version'
run flamegraph --perfdata nowhere
is "$status" 1 'a recording that is not there'
for shell in bash zsh fish; do
	run flamegraph --completions "$shell"
	is "$status" 0 "flamegraph --completions $shell succeeds"
	like "$out" 'skip-after' "flamegraph --completions $shell has the options"
done
lost=$(sed -n 's/.*[^0-9]\([0-9][0-9]*\) samples lost.*/\1/p' "$tests/golden/perf-records/want.err")
for below in '' Below; do
	# shellcheck disable=SC2086  # two words, or none
	run flamegraph --perfdata "$tests/golden/perf-records/in.txt" -o lost.svg ${below:+--subtitle $below}
	is "$(frames lost.svg | sed -n 's/^subtitle: //p')" "${below:+$below, }$lost samples lost" 'the subtitle of flamegraph has the lost samples'
done
printf 'a;main;b;c 3\na;b 2\n' >in.folded
run flamegraph --perfdata in.folded -o out.svg --skip-after main --post-process "sed 's/b/new name/'"
is "$out" 'writing flamegraph to "out.svg"' 'a picture of what was recorded before'
like "$(cat out.svg)" '>main \(3 samples, 60.00%\)' 'begins where it was told to'
like "$(cat out.svg)" '>new name \(3 samples, 60.00%\)' 'flamegraph --post-process draws what the program prints'
for way in '' '--post-process cat'; do
	# shellcheck disable=SC2086  # an option, or none
	run flamegraph --perfdata in.folded -o out.folded $way
	is "$(cat out.folded)" "$(printf 'a;b 2\na;main;b;c 3')" "flamegraph -o FILE.folded $way writes folded stacks"
	# shellcheck disable=SC2086
	run flamegraph --perfdata in.folded -o out.html $way
	like "$(head -c 100 out.html)" '^<!DOCTYPE html>' "flamegraph -o FILE.html $way writes a page"
	# shellcheck disable=SC2086
	run flamegraph --perfdata in.folded -o out.data $way
	is "$status" 1 "flamegraph -o FILE.data $way is an error for folded stacks"
	like "$err" '^Error: out.data: .data output is only possible for unmodified recordings' 'rejects a .data file of what was processed'
done
for way in '' '--post-process cat'; do
	# shellcheck disable=SC2086  # an option, or none
	run flamegraph --perfdata in.folded -o - $way
	like "$(head -n 1 "$outfile")" '^<\?xml ' "standard output is the picture and nothing else $way"
	is "$err" 'writing flamegraph to "-"' 'flamegraph -o - prints its message to standard error'
	: >empty.folded
	# shellcheck disable=SC2086
	run flamegraph --perfdata empty.folded -o empty.svg $way
	unlike "$out" writing "nothing is written of nothing $way"
	ok "flamegraph $way without samples writes no file" test ! -e empty.svg
done
run flamegraph --perfdata in.folded -o out.svg --post-process false
is "$err" 'Error: post-process exited with a non zero exit code' 'flamegraph reports a --post-process that fails'
run flamegraph --perfdata in.folded -o out.svg --post-process "sed 's/b"
is "$err" 'Error: unable to parse post-process command' 'flamegraph reports a --post-process that cannot be parsed'

# Only user code
run wick record --no-kernel -e cpu-clock:k true
is "$status" 2 '--no-kernel rejects an event of the kernel'
is "$err" 'wick: --no-kernel cannot be combined with cpu-clock:k: it is a kernel event' '--no-kernel names an event of the kernel'

plan
