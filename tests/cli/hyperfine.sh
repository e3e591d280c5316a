#!/bin/sh
# wick bench and hyperfine with the same options: what they run, and what they write.
# shellcheck disable=SC2016  # the shell of both expands
. "$(dirname "$0")/lib.sh"

command -v hyperfine >/dev/null || {
	skip 'options of hyperfine' 'hyperfine is not installed'
	plan
}

# What commands log, in any order: wick alternates them.
logged() {
	sort log 2>/dev/null
	rm -f log
}

# Both run the same, and succeed or fail alike.
same() {
	what=$1
	shift
	rm -f log
	run timeout 60 hyperfine --style none "$@"
	failed=$((status != 0)) theirs=$(logged)
	run wick bench --style none "$@"
	is "$((status != 0))" "$failed" "exits like hyperfine with $what"
	is "$(logged)" "$theirs" "runs what hyperfine runs with $what"
}
same 'a command' -r 3 'echo a >>log'
same 'several commands' -r 3 'echo a >>log' 'echo b >>log'
same 'warm-ups, --setup, --prepare and --cleanup' -r 3 -w 2 -s 'echo s >>log' -p 'echo p >>log' -c 'echo c >>log' 'echo r >>log' 'echo q >>log'
same 'a preparation for each command' -r 2 -p 'echo p >>log' -p 'echo q >>log' 'echo a >>log' 'echo b >>log'
same 'a preparation for some commands' -r 2 -p 'echo p >>log' -p 'echo q >>log' 'echo a >>log' 'echo b >>log' 'echo c >>log'
same '--min-runs and --max-runs' -m 4 -M 4 'echo a >>log'
same '--max-runs below the default' -M 3 'echo a >>log'
same '--runs and --min-runs' -r 3 -m 3 'echo a >>log'
same '--min-runs above --max-runs' -m 4 -M 3 'echo a >>log'
same 'a scan' -r 1 -P x 1 5 -D 2 'echo {x} >>log'
same 'a scan of two commands' -r 1 -P x 1 2 'echo a{x} >>log' 'echo b{x} >>log'
same 'a scan with decimals' -r 1 -P x 0.30 0.7 -D 0.2 'echo {x} >>log'
same 'a scan with a decimal step' -r 1 -P x 1 2 -D 0.25 'echo {x} >>log'
same 'a scan below 0' -r 1 -P x -2 1 'echo {x} >>log'
same 'a scan backwards' -r 1 -P x 3 1 'echo {x} >>log'
same 'a scan that does not move' -r 1 -P x 1 3 -D 0 'echo {x} >>log'
same 'a scan of words' -r 1 -P x a c 'echo {x} >>log'
same 'a scan in preparations' -r 1 -P x 1 2 -p 'echo p{x} >>log' -c 'echo c{x} >>log' 'echo {x} >>log'
same 'a list' -r 1 -L x a,b,c 'echo {x} >>log'
same 'a list with escapes' -r 1 -L x 'a\,b,\\,c\n' "echo '{x}' >>log"
same 'a list with empty values' -r 1 -L x ,a, 'echo "({x})" >>log'
same 'several lists' -r 1 -L x 1,2 -L y a,b,c 'echo {x}{y} >>log' 'echo {y}{z} >>log'
same 'a list whose values look like parameters' -r 1 -L x '{y}' -L y 1,2 'echo "{x}{y}" >>log'
same 'a parameter that is given twice' -r 1 -L x 1 -L x 2 'echo {x} >>log'
same 'no shell' -r 1 -N "sh -c 'echo \"a b\" >>log' x 'y z'"
same 'quotes without a shell' -r 1 -N "sh -c 'printf \"%s|\" \"\$@\" >>log' - a\\ b \"c'd\" 'e\"f' \"g\\\"h\" i''j \"\""
same 'a quote that is never closed' -r 1 -N "sh -c 'echo >>log"
same '--shell none' -r 1 -S none "sh -c 'echo a >>log'"
same '--shell default' -r 1 -S default 'echo a >>log'
same 'a shell' -r 1 -S bash 'echo ${BASH_VERSION:+bash} >>log'
same 'a shell with options' -r 1 -S 'bash -e' -i 'false; echo a >>log'
same 'a shell that does not exist' -r 1 -S nosuch 'echo a >>log'
same 'an empty shell' -r 1 -S '' 'echo a >>log'
same '-N and --shell' -r 1 -N -S sh 'echo a >>log'
same 'an empty command' -r 1 ''
same 'no command' -r 1
same 'a command that fails' -r 3 'echo a >>log; exit 3'
same 'a command that fails later' -r 3 'echo a >>log; test "$(wc -l <log)" -lt 2'
same 'a command that is killed' -r 3 'echo a >>log; kill -9 $$'
same 'failures that are ignored' -r 3 -i 'echo a >>log; exit 3'
same 'a program that does not exist' -r 3 -N nosuch
same 'a preparation that fails' -r 3 -p 'exit 1' 'echo a >>log'
same 'a cleanup that fails' -r 3 -c 'exit 1' 'echo a >>log'
same '--output null' -r 1 --output null 'test -c /dev/stdout && echo a >>log'
same '--output pipe' -r 1 --output pipe 'test -p /dev/stdout && seq 100000 && echo a >>log'
same '--output FILE' -r 3 --output ./log 'echo shown; echo hidden >&2'
same 'a closed standard input' -r 2 'cat >>log; echo a >>log'
same 'more names than commands' -r 1 -n a -n b 'echo a >>log'
same 'too few names for parameters' -r 1 -L x 1,2,3 -n a -n b 'echo {x} >>log'
same 'an unknown option' --nosuch 'echo a >>log'
same 'a file that cannot be written' -r 1 'echo a >>log' --export-json nowhere/out

# What they write, with times replaced.  Without a shell: on a busy machine, starting one may take longer than the command, and
# hyperfine, which subtracts that, has times of 0 then.
written() {
	what=$1
	shift
	for tool in hyperfine 'wick bench'; do
		# shellcheck disable=SC2086  # two words
		run $tool --style none -N -r 3 "$@" --export-csv out.csv --export-json out.json \
			--export-markdown out.md --export-asciidoc out.adoc --export-orgmode out.org
		# Which one is the fastest is chance.
		cat out.csv out.md out.adoc out.org | sed 's/ ± /±/g; s/[0-9][0-9.e-]*±[0-9.e-]*/N/g; s/[0-9][0-9]*\.[0-9.e-]*/N/g; s/,0\b/,N/g' >"${tool%% *}"
		python3 - >>"${tool%% *}" <<'P'
import json
for r in json.load(open('out.json'))['results']:
    kept = 'command mean stddev median user system min max times exit_codes parameters'.split()
    print([(k, len(v) if k == 'times' else sorted(v.items()) if k == 'parameters' else v if k in ('command', 'exit_codes')
            else type(v).__name__ != 'str') for k, v in sorted(r.items()) if k in kept])
P
	done
	is "$(cat wick)" "$(cat hyperfine)" "writes what hyperfine writes with $what"
}
written 'two commands' -u millisecond 'sleep 0.01' 'sleep 0.02'
written 'seconds' -u second 'sleep 0.01' 'sleep 0.02'
written 'names' -u millisecond -n 'a,"b"' -n 'c|d' 'sleep 0.01' 'sleep 0.02'
written 'parameters' -u millisecond -L y a,b -L x 1,2 "sh -c 'sleep 0.01; echo {x}{y}'"
written 'failures' -u millisecond -i "sh -c 'sleep 0.01; exit 3'" "sh -c 'sleep 0.01; kill -9 \$\$'"

run hyperfine --style none -r 5 -N 'sleep 0.01' --export-json theirs
run wick bench -r 5 -N 'sleep 0.01' --baseline theirs
is "$status" 0 'compares with what hyperfine exports'
like "$out" "'sleep 0.01' of the baseline\$" 'finds the command in what hyperfine exports'

plan
