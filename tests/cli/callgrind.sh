#!/bin/sh
# Call graphs with more ways through them than anybody could follow.
. "$(dirname "$0")/lib.sh"

# layers N WIDTH: each function of a layer calls all of the next one; one begins, and each costs 100 itself.
layers() {
	awk -v n="$1" -v width="$2" 'BEGIN {
		print "# callgrind format\nversion: 1\nevents: Ir\n"
		for (layer = 0; layer <= n; layer++)
			for (i = 0; i < (layer ? width : 1); i++) {
				printf "fn=f%d_%d\n1 100\n", layer, i
				all += 100
				for (k = 0; k < width && layer < n; k++)
					printf "cfn=f%d_%d\ncalls=1 1\n1 %d\n", layer + 1, k,
						100 * (n - layer) / (layer ? width : 1)
			}
		print "totals: " all
	}'
}

# total: of what was printed.
total() {
	awk '{ sum += $NF } END { print sum }' "$outfile"
}

layers 40 2 >in.out
run wick collapse in.out
is "$status" 0 'two to the power of forty ways are read'
is "$(total)" 8100 'the total of many callers is exact'
like "$err" 'with derived stacks' 'reports that stacks are derived'
run wick collapse -q --focus '^f40_0$' in.out
is "$(total)" 100 'a focused function keeps its own cost'

layers 20 20 >in.out
run wick collapse in.out
is "$status" 0 'a call graph with too many paths is read'
is "$(total)" 40100 'the total of a call graph with too many paths is exact'

layers 5000 1 >in.out
run wick collapse in.out
is "$(total)" 500100 'the total of a chain beyond the depth limit is exact'
like "$err" 'calls dropped: limit reached' 'reports the calls that a limit drops'

printf '# callgrind format\nevents: Ir\nfn=a\n1 9223372036854775807\n1 1\n1 99999999999999999999\n' >in.out
run wick collapse in.out
is "$out" 'a 9223372036854775807' 'counts that overflow are dropped'
like "$err" '1 invalid count, 1 count too large' 'counts that overflow are reported'
plan
