#!/bin/sh
# stackcollapse-perf.pl --inline, on a program that is built here.
. "$(dirname "$0")/lib.sh"

cat >spin.c <<'END'
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void leaf(unsigned long x)
{
	for (int i = 0; i < 50; i++)
		sink = sink * 31 + x;
}
static inline __attribute__((always_inline)) void middle(unsigned long x)
{
	leaf(x ^ x >> 7);
}
__attribute__((noinline)) void outer(unsigned long x)
{
	middle(x);
}
int main(void)
{
	outer(1);
	return 0;
}
END
for tool in cc nm addr2line; do
	command -v $tool >/dev/null || {
		skip 'inlined calls' "no $tool here"
		plan
	}
done
cc -g -O2 spin.c -o spin

# Some place in outer() where leaf() is.
base=$(nm spin | sed -n 's/ T outer$//p')
offset=0
while [ $offset -lt 100 ]; do
	address=$(printf %x $((0x$base + offset)))
	case $(addr2line -f -i -e spin "$address") in leaf*) break ;; esac
	offset=$((offset + 1))
done

sample() {
	printf 'spin 12 1.000000: 5 cycles: \n\t%s outer+0x%x (%s)\n\tff start ([kernel.kallsyms])\n\n' \
		"$1" $offset "$2"
}
sample "$address" "$PWD/spin" >in.txt
run stackcollapse-perf.pl --inline in.txt
is "$out" 'spin;start;outer;middle;leaf 5' 'inlined calls become frames'
is "$err" '' 'inlined calls produce no message'
run stackcollapse-perf.pl --inline --context in.txt
like "$out" '^spin;start;outer:spin.c:[0-9]+;middle:spin.c:[0-9]+;leaf:spin.c:[0-9]+ 5$' \
	'with their lines'

sample 7ffff7dd1234 "$PWD/spin" >in.txt
run stackcollapse-perf.pl --inline in.txt
is "$out" 'spin;start;outer;middle;leaf 5' 'the symbol helps where the address is not of the file'

mkfifo pipe
sample "$address" "$PWD/pipe" >in.txt
run timeout 60 stackcollapse-perf.pl --inline in.txt
is "$out" 'spin;start;outer 5' 'stackcollapse-perf.pl --inline does not open a path that is not a file'
like "$err" 'addr2line does not read .*/pipe' 'reports a file that addr2line cannot read'

sample "$address" "$PWD/spin" >in.txt
mkdir empty
ln -s "$WICK" empty/stackcollapse-perf.pl
run env PATH="$PWD/empty" stackcollapse-perf.pl --inline in.txt
is "$out" 'spin;start;outer 5' 'stackcollapse-perf.pl --inline without addr2line keeps the names that perf printed'
is "$err" 'cannot run addr2line' 'reports that addr2line cannot be run'

plan
