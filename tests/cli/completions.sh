#!/bin/sh
# What completes command lines in shells, in these shells.
. "$(dirname "$0")/lib.sh"

commands=$(wick help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
programs='wick flamegraph cargo-flamegraph cargo-wick'
touch 'a file.txt' in.svg
mkdir folder
HOME=$scratch
export HOME

# options COMMAND...: those that its help shows, in order.
options() {
	"$@" --help | awk '/^  (-.|  )[ ,] (--|  )/ {
		name = $0 ~ /^      --/ ? $1 : $2
		if (/^  -/)
			print substr($0, 3, 2)
		sub(/\[=.*/, "", name)
		if (name ~ /^--\[no-\]/) {
			sub(/\[no-\]/, "", name)
			print "--no-" substr(name, 3)
		}
		if (name ~ /^--/ && /^......--/)
			print name
	}' | sort
}

for program in $programs; do
	for shell in bash zsh fish; do
		run wick completions "$shell" "$program"
		is "$status" 0 "wick completions $shell $program"
		cp "$outfile" "$program.$shell"
		ok "$shell parses the completions of $program" "$shell" -n "$program.$shell"
	done
done
for shell in bash fish; do
	run wick completions "$shell" cargo
	is "$status" 0 "wick completions $shell cargo"
	cp "$outfile" "cargo.$shell"
	ok "$shell parses the completions of cargo" "$shell" -n "cargo.$shell"
done
run wick completions bash
ok 'wick is completed by default' cmp "$outfile" wick.bash

# bash: its functions are called as it calls them
bash_offers() {
	bash "$tests/cli/complete.bash" "$(echo ./*.bash)" "$@"
}

for command in $commands; do
	is "$(bash_offers wick "$command" - | sort)" "$(options wick "$command")" "bash: wick $command has the options of its help"
done
for program in flamegraph cargo-flamegraph; do
	is "$(bash_offers "$program" - | sort)" "$(options "$program")" "bash completes all options of $program"
done
is "$(bash_offers wick '')" "$commands" 'bash completes the commands'
is "$(bash_offers wick fl)" flame 'bash completes commands by prefix'
is "$(bash_offers wick help rec)" record 'bash completes commands after help'
is "$(bash_offers wick --ver)" --version 'the options of wick itself'
written=$(wick convert --formats | sed '1,/^Written:/d' | cut -d' ' -f1 | tr '\n' ' ')
is "$(bash_offers wick flame --to '' | tr '\n' ' ')" "$written" 'bash: the choices of an option'
is "$(bash_offers wick flame --to = h)" html 'behind an equals sign'
is "$(bash_offers wick flame --to =  | tr '\n' ' ')" "$written" 'bash completes the value after ='
is "$(bash_offers wick flame -o a)" 'a file.txt' 'bash: files, with blanks'
is "$(bash_offers wick record --symfs '')" folder 'bash completes only directories for --symfs'
is "$(bash_offers wick flame --title '')" '' 'bash completes nothing for --title'
is "$(bash_offers wick flame --title x in)" in.svg 'bash completes files after options'
is "$(bash_offers wick flame -- -)" '' 'no options behind two dashes'
is "$(bash_offers wick collapse '' | grep -v '[ .]' | sed '/^folder$/d')" "$(wick collapse --formats | sed 's/ .*//')" \
	'bash: the formats that wick collapse lists'
is "$(bash_offers wick report --from pp)" pprof 'bash: the formats that --from takes'
is "$(bash_offers wick report --by '' | tr '\n' ' ')" 'comm thread cpu parallelism reason lock module function line ' 'the keys of a report'
is "$(bash_offers wick report --by comm,m)" comm,module 'bash completes the second key of --by'
is "$(bash_offers wick report --by = comm,m)" comm,module 'behind an equals sign'
is "$(bash_offers wick report --by module,comm, | tr '\n' ' ')" \
	'module,comm,thread module,comm,cpu module,comm,parallelism module,comm,reason module,comm,lock module,comm,function module,comm,line ' 'but not what is there already'
is "$(bash_offers wick flame --to svg,)" '' 'bash completes no second value where there is only one'
is "$(bash_offers wick record -e page-f)" page-faults 'bash completes events'
is "$(bash_offers wick record -e cpu-clock,page-f)" cpu-clock,page-faults 'bash completes the second of several events'
is "$(bash_offers wick record --target-user roo)" root 'bash completes users'
like "$(bash_offers wick record -p '')" "^$$\$" 'bash completes processes'
like "$(bash_offers wick record -F 99 -- sor)" '^sort$' 'bash: programs to record'
is "$(bash_offers wick record -F 99 ls in)" in.svg 'their own arguments are files'
unlike "$(bash_offers wick record ls --)" '^--' 'bash completes no options of wick after the command'
is "$(bash_offers flamegraph --palette ru)" rust 'bash completes the palettes of flamegraph'
is "$(bash_offers cargo-flamegraph flamegraph --unit-test-kind l)" lib 'bash completes the values of cargo flamegraph'
for word in flamegraph wick; do
	is "$(bash_offers cargo "$word" - | sort)" "$(options "cargo-$word")" "bash: cargo $word as cargo-$word"
done
is "$(bash_offers cargo +nightly flamegraph --dev --palette ru)" rust 'behind the name of a toolchain, too'
is "$(bash_offers cargo build -)" "cargo's own" 'bash leaves other cargo commands to the completions of cargo'
is "$(bash_offers cargo flame)" "cargo's own" 'bash leaves the names of cargo commands to the completions of cargo'

# fish: it tells what it would offer
fish_offers() {
	# shellcheck disable=SC2016  # fish's variables
	fish --no-config -c 'for f in *.fish; source $f; end; complete -C "$argv[1]"' -- "$1" | sed 's/\t.*//'
}

is "$(fish_offers 'wick ')" "$(echo "$commands" | sort)" 'fish completes the commands'
for command in $commands; do
	is "$(fish_offers "wick $command --" | sort)" "$(options wick "$command" | grep -- --)" \
		"fish: wick $command has the options of its help"
done
for program in flamegraph cargo-flamegraph; do
	is "$(fish_offers "$program --" | sort)" "$(options "$program" | grep -- --)" "fish completes all options of $program"
done
for word in flamegraph wick; do
	is "$(fish_offers "cargo $word --" | sort)" "$(options "cargo-$word" | grep -- --)" "fish: cargo $word as cargo-$word"
done
is "$(fish_offers 'cargo +nightly flamegraph --dev --palette ru')" rust 'behind the name of a toolchain, too'
is "$(fish_offers "cargo wick --title 'a b' --unit-test-kind ")" 'bin
lib' 'and behind words with blanks'
unlike "$(fish_offers 'cargo build --')" '^--palette$' 'fish does not complete options of flamegraph for cargo build'
is "$(fish_offers 'wick flame --to ' | sort | tr '\n' ' ')" "$(echo "$written" | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's,^ ,,')" 'fish completes the values of --to'
is "$(fish_offers 'wick report --by m')" module 'fish completes the keys of --by'
is "$(fish_offers 'wick report --by comm,m')" comm,module 'fish completes the second key of --by'
is "$(fish_offers 'wick report --by=comm,m')" --by=comm,module 'behind an equals sign'
is "$(fish_offers 'wick report --by line,comm,cpu,function,')" 'line,comm,cpu,function,lock
line,comm,cpu,function,module
line,comm,cpu,function,parallelism
line,comm,cpu,function,reason
line,comm,cpu,function,thread' 'but not what is there already'
is "$(fish_offers 'wick record -e cpu-clock,page-f')" cpu-clock,page-faults 'fish completes the second of several events'
is "$(fish_offers 'wick flame a')" 'a file.txt' 'fish completes files'
is "$(fish_offers 'wick record --symfs f')" folder/ 'fish completes directories'
is "$(fish_offers 'wick collapse perf-d')" perf-data 'fish completes formats'
is "$(fish_offers 'wick help rec')" record 'commands to help with'
like "$(fish_offers 'wick record -F 99 sor')" '^sort$' 'fish completes programs'

# zsh: somebody presses the tabulator
# shellcheck disable=SC2317  # ok calls it
zsh_offers() {
	timeout 120 zsh -f "$tests/cli/complete.zsh" "$(echo ./*.zsh)" "$1" "$2"
}

ok 'zsh completes the commands with their descriptions' zsh_offers 'wick fl' 'flame  -- draw a profile'
ok 'zsh completes options' zsh_offers 'wick flame --flamec' '--flamechart'
ok 'zsh completes the values of --to' zsh_offers 'wick flame --to ' svg
ok 'zsh completes files' zsh_offers 'wick flame in' in.svg
ok 'zsh completes formats' zsh_offers 'wick collapse perf-' perf-data
ok 'zsh completes programs' zsh_offers 'wick record sor' sort
ok 'zsh completes the palettes of flamegraph' zsh_offers 'flamegraph --palette r' rust
ok 'zsh completes the keys of --by' zsh_offers 'wick report --by m' module
ok 'zsh completes the second key of --by' zsh_offers 'wick report --by comm,m' module
ok 'zsh completes the second of several events' zsh_offers 'wick record -e cpu-clock,page-f' page-faults
# cargo's own asks for it; Debian's package has that one.
[ ! -e /usr/share/zsh/vendor-completions/_cargo ] || for word in flamegraph wick; do
	ok "zsh completes the values of cargo $word" zsh_offers "cargo $word --palette r" rust
done
for command in $commands; do
	is "$(sed -n "/^_wick-$command()/,/^}/p" wick.zsh | sed "s/^[[:blank:]]*'\(([^)]*)\)\{0,1\}\**//" |
		grep -oE '^--?[a-zA-Z]+(-[a-zA-Z]+)*' | sort)" "$(options wick "$command")" \
		"zsh: wick $command has the options of its help"
done

# powershell and elvish: Debian does not have both; their shape
for shell in bash zsh fish powershell elvish; do
	run flamegraph --completions "$shell"
	is "$status" 0 "flamegraph --completions $shell succeeds"
	cp "$outfile" "own.$shell"
	run wick completions "$shell" flamegraph
	ok "wick completions $shell flamegraph prints the same as flamegraph --completions" cmp "$outfile" "own.$shell"
done
like "$(head -n 3 own.powershell)" "^Register-ArgumentCompleter -Native -CommandName 'flamegraph' -ScriptBlock \{$" \
	'powershell: registered'
is "$(grep -oE "::new\('[^']*'" own.powershell | cut -d "'" -f 2 | sort)" "$(options flamegraph)" 'the PowerShell completions have all options'
like "$(head -n 3 own.elvish)" '^set edit:completion:arg-completer\[flamegraph\] = \{\|@words\|$' 'the elvish completions register themselves'
is "$(sed -n 's/^\t*edit:complex-candidate \([^ ]*\) .*/\1/p' own.elvish | sort)" "$(options flamegraph)" \
	'with all options'
wick completions powershell >wick.powershell
wick completions elvish >wick.elvish
for command in $commands; do
	is "$(sed -n "/^\t'$command' {/,/^\t}/p" wick.powershell | grep -oE "::new\('[^']*'" | cut -d "'" -f 2 | sort)" \
		"$(options wick "$command")" "powershell: wick $command has the options of its help"
	is "$(awk -v "is=$command)" '/^\t}/ { on = $5 == is } on && $1 == "edit:complex-candidate" { print $2 }' wick.elvish |
		sort)" "$(options wick "$command")" 'and in elvish'
done
is "$(sed -n "/^\t'' {/,/^\t}/p" wick.powershell | grep -oE "::new\('[a-z]*'" | cut -d "'" -f 2)" "$commands" \
	'powershell: the commands'
is "$(sed -n 's/^\t*edit:complex-candidate \([a-z]*\) .*/\1/p' wick.elvish)" "$commands" 'the elvish completions have all commands'
for script in own.powershell own.elvish wick.powershell wick.elvish; do
	is "$(sed "s/'[^']*'//g" $script | tr -cd '({[' | wc -c)" "$(sed "s/'[^']*'//g" $script | tr -cd ')}]' | wc -c)" \
		"$script: brackets close"
	is "$(($(tr -cd "'" <$script | wc -c) % 2))" 0 "quotes in $script are balanced"
done

run flamegraph --completions csh
is "$status" 2 'flamegraph --completions rejects an unknown shell'
like "$err" "invalid value 'csh' for '--completions <SHELL>'" 'flamegraph --completions reports an unknown shell like flamegraph-rs'
run wick completions csh
is "$status" 2 'unknown to wick too'
like "$err" "^wick: invalid value 'csh' for SHELL: expected bash, zsh, fish, powershell or elvish\$" 'wick completions lists the known shells'
run wick completions
is "$status" 2 'wick completions without a shell is a usage error'
run wick completions zsh cargo
is "$status $err" "2 wick: no completions for 'cargo'
hint: programs with completions: wick, cargo-flamegraph, cargo-wick, flamegraph" 'zsh needs nothing for cargo'
run wick completions bash inferno-flamegraph
is "$err" "wick: no completions for 'inferno-flamegraph'
hint: programs with completions: wick, cargo-flamegraph, cargo-wick, flamegraph" 'the other names have their --help and no more'

plan
