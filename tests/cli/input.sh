#!/bin/sh
# Where input comes from, and how its format is told.
. "$(dirname "$0")/lib.sh"

printf 'main;a 1\nmain;b 2\n' >a.folded
printf 'main;a 10\nmain;c 3\n' >b.folded
printf 'bash 12 [000] 1.5: 7 cycles:\n\t7f12 main+0x2 (/bin/bash)\n\n' >perf.txt
want='main;a 1
main;b 2'

run wick collapse a.folded
is "$status" 0 'collapse of a file succeeds'
is "$out" "$want" 'collapse prints the folded stacks of a file'
is "$err" '' 'collapse of a file prints no message'

run wick collapse - <a.folded
is "$out" "$want" 'standard input as -'
run wick collapse <a.folded
is "$out" "$want" 'collapse without a file reads standard input'
run_sh 'cat a.folded | wick collapse'
is "$out" "$want" 'collapse reads a pipe'

# Nobody types a profile
if command -v script >/dev/null; then
	for command in collapse flame report view 'annotate main'; do
		run script -qec "wick $command" /dev/null </dev/null
		is "$status" 2 "wick $command without a file, on a terminal, waits for nothing"
		like "$out" '^wick: no input file given, and standard input is a terminal' "wick $command does not wait for input from a terminal"
	done
	touch perf.data
	run script -qec 'wick report' /dev/null </dev/null
	like "$out" '^hint: wick report perf.data, or: perf script \| wick report' 'wick report suggests perf.data if there is one'
	rm perf.data
	run script -qec 'wick annotate a.folded' /dev/null </dev/null
	like "$out" '^wick: no function given: a.folded is a file' 'wick annotate asks for a function if it only gets a file'
else
	skip 'a terminal' 'script (util-linux) is not here'
fi

run wick collapse a.folded b.folded
is "$out" 'main;a 11
main;b 2
main;c 3' 'several files add up'
run wick collapse a.folded - <b.folded
is "$out" 'main;a 11
main;b 2
main;c 3' 'standard input among them'
run wick collapse -- a.folded
is "$out" "$want" 'collapse reads a file after --'

# Packed: told by the content, never by the name
gzip -c a.folded >packed-1
zstd -qc a.folded >packed-2
gzip -c b.folded | cat packed-1 - >packed-3
zstd -qc b.folded | cat packed-2 - >packed-4
for i in 1 2; do
	run wick collapse packed-$i
	is "$out" "$want" "packed input is unpacked ($i)"
	run wick collapse <packed-$i
	is "$out" "$want" 'collapse reads compressed standard input'
done
for i in 3 4; do
	run wick collapse packed-$i
	is "$out" 'main;a 11
main;b 2
main;c 3' "and so is one behind the other ($i)"
done
cp a.folded plain.gz
run wick collapse plain.gz
is "$out" "$want" 'collapse reads an uncompressed file with the name of a compressed one'

# Formats
run wick collapse perf.txt
is "$out" 'bash;main 7' 'perf script text is recognized'
run wick collapse perf perf.txt
is "$out" 'bash;main 7' 'collapse accepts the name of the format of perf script text'
run wick collapse folded a.folded
is "$out" "$want" 'collapse accepts the name of the format of folded text'
run wick collapse --weight samples perf perf.txt
is "$out" 'bash;main 1' 'options may come first'
run wick collapse perf.txt perf
is "$status" 1 'a format is the first operand'
like "$err" '^wick: perf: No such file or directory$' 'collapse takes a format only as its first argument'
cp perf.txt perf
run wick collapse ./perf
is "$out" 'bash;main 7' 'a file that is called like a format'

run wick collapse perf.txt a.folded --event all
is "$status" 0 'files of several formats'
is "$out" 'bash;main 7
main;a 1
main;b 2' 'are each read as what they are'
run wick collapse a.folded perf.txt --event all
is "$out" 'bash;main 7
main;a 1
main;b 2' 'in any order'

printf 'a 1\nb 2\n' >letters
run wick collapse letters
is "$out" 'a 1
b 2' 'names that could be addresses are names'

# Another end of line, and none
printf 'main;a 1\r\nmain;b 2\r\n' >crlf
run wick collapse crlf
is "$out" "$want" 'CR LF ends a line'
sed 's/$/\r/' perf.txt >crlf-perf
run wick collapse crlf-perf
is "$out" 'bash;main 7' 'collapse reads perf script text with CRLF'
printf 'main;a 1\nmain;b 2' >open-end
run wick collapse open-end
is "$out" "$want" 'the last line needs no newline'
printf 'bash 12 [000] 1.5: 7 cycles:\n\t7f12 main+0x2 (/bin/bash)' >open-end
run wick collapse open-end
is "$out" 'bash;main 7' 'collapse reads a last stack without an empty line'

plan
