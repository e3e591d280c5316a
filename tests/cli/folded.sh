#!/bin/sh
# Folded text: numbers of every size, names of every byte.
. "$(dirname "$0")/lib.sh"

# folded TEXT: reads the text, with printf's escapes.
folded() {
	printf '%b' "$1" >in
	shift
	run wick collapse folded in "$@"
}

folded 'b 1\na 2\nb 3\n'
is "$out" 'a 2
b 4' 'duplicates add up, in order'
folded 'a;b 1\na 2\na b 3\na!b 4\na:b 5\na<b 6\na;b;c 7\na;bc 8\n'
is "$out" "$(cut -d ' ' -f 1- in | LC_ALL=C sort)" 'the order is that of LC_ALL=C sort'
folded '# comment\n#\na 1\n  # indented\n\n#x 2\n'
is "$out" '#x 2
a 1' 'comments are left out'
is "$err" '' 'folded text is read without messages'
folded 'a b;c d  e 1\n  x 2\n'
is "$out" 'a b;c d  e 1
x 2' 'names hold blanks'
folded 'a\0b;c 1\n'
run_sh 'wick collapse folded in | od -An -c'
like "$out" 'a +.0 +b +; +c +1' 'a NUL byte in a name is kept'

# Numbers
folded 'a 1.5\na 2\nb 0.25\n'
is "$out" 'a 3.5
b 0.25' 'fractions'
folded 'a 1.0\nb 2.500\n'
is "$out" 'a 1
b 2.5' 'as short as they can be'
folded 'a 0.1\na 0.2\n'
is "$out" 'a 0.3' 'decimal counts add up exactly'
folded 'a 0.1234567899\n'
is "$out" 'a 0.12345679' 'decimal counts have nine digits'
folded 'a 0\n'
is "$out" 'a 0' 'zero is a number'
folded 'a 9223372036854775807\nb 9223372036854775806\nb 1\n'
is "$out" 'a 9223372036854775807
b 9223372036854775807' 'the largest count'
is "$err" '' 'the largest count is accepted'
folded 'a 9223372036854775807\na 1\nb 9223372036854775808\nc 18446744073709551616\nd 1\n'
is "$out" 'a 9223372036854775807
d 1' 'a larger one never wraps around'
is "$err" 'wick: 3 counts too large to add up (-v lists them)' 'counts too large to add up are reported'
folded 'a 9223372036854775807\nb 0.5\n'
is "$out" 'a 9223372036854775807
b 0' 'a count has no more digits than its scale'
like "$err" '1 count truncated to a whole number' 'reports a count that is truncated to a whole number'
printf 'a 1 1.5: 9223372036854775807 c:\n\t7f f (x)\n\na 2 1.5: 9223372036854775807 c:\n\t7f f (x)\n\n' >in.perf
run wick collapse in.perf
is "$out" 'a;f 18446744073709551614' 'sums of what fits are as large as they are'

# Bytes
folded 'caf\0303\0251;\0377\0376 1\n'
is "$out" "$(printf 'caf\303\251;\377\376 1')" 'bytes come out as they went in'
printf 'a\377 1 1.5: c:\n\t7f f\376 (x)\n\n' >in.perf
run wick collapse in.perf
is "$out" "$(printf 'a\377;f\376 1')" 'invalid UTF-8 in perf script names is kept'
run inferno-collapse-perf in.perf
is "$out" "$(printf 'a\357\277\275;f\357\277\275 1')" 'inferno-collapse-perf replaces invalid UTF-8'
folded 'a_[k];b_[j];c_[i];d_[w];e_[x];f_[j]_[j] 1\n'
is "$out" 'a_[k];b_[j];c_[i];d_[w];e_[x];f_[j]_[j] 1' 'marks come out as they went in'

# Two counts: before and after
folded 'main;a 1 2\nmain;b 0 5\nmain;a 10 20\nmain;c 3 0\n'
is "$out" 'main;a 11 22
main;b 0 5
main;c 3 0' 'two counts are two columns'
is "$err" '' 'a line with two counts is read completely'
folded 'a 1.5 2\nb 1 0.25\n'
is "$out" 'a 1.5 2
b 1 0.25' 'with fractions'
folded 'a 1.5 2\n' --event before
is "$out" 'a 1.5' '--event before selects the first count'
folded 'a 1.5 2\n' --event after
is "$out" 'a 2' '--event after selects the second count'
folded 'a 1.5 2\n' --event all
is "$out" 'a 3.5' '--event all adds up both counts'
folded 'a 1 2\nb 7\n'
is "$out" 'a 1 2
b 7 7' 'a line with one count has not changed'

# Order
folded 'b 1\na 2\nb 3\n# x\nc 4\n' --order input
is "$out" 'b 1
a 2
b 3
c 4' '--order input keeps the lines'
folded 'b 1 2\na 3 4\nb 5 6\n' --order input
is "$out" 'b 1 2
a 3 4
b 5 6' 'with both of their counts'
folded 'b 1.5\na 2\n' --order input
is "$out" 'b 1.5
a 2' 'and fractions'
printf 'a 1 1.5: 3 c:\n\t7f g (x)\n\na 1 1.6: 4 c:\n\t7f f (x)\n\na 1 1.7: 5 c:\n\t7f g (x)\n\n' >in.perf
run wick collapse --order input in.perf
is "$out" 'a;g 3
a;f 4
a;g 5' 'samples of perf script too'

# Names and depths at their limits
awk 'BEGIN { for (i = 0; i < 65537; i++) printf "x"; print " 1" }' >in
run wick collapse folded in
is "$(printf '%s' "$out" | wc -c)" 65538 'a name too long is cut'
like "$err" '1 name longer than the limit' 'a name longer than the limit is counted'
awk 'BEGIN { for (i = 0; i < 65536; i++) printf "f%d;", i; print "leaf 1" }' >in
run wick collapse folded in
like "$out" '^f1;.*;leaf 1$' 'a stack too deep keeps its leaf'
like "$err" '1 stack deeper than the limit' 'a stack deeper than the limit is counted'

plan
