#!/bin/sh
# speedscope's own importers and page, in Chromium: what they show of what wick writes.
. "$(dirname "$0")/../cli/lib.sh"

# Twelve functions; the first line of each stack is an inlined call.
python3 - >in.txt <<'END'
print('PeriodType: samples count\nSamples:\nsamples/count')
for i, percent in enumerate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 33]):
    print(f'{percent:10}: {i + 1} 13')
print('Locations')
for i in range(12):
    print(f'  {i + 1}: 0x{i + 1}000 M=1 leaf{i} /src/a.c:{i + 3} s=0\n             caller{i % 3} /src/a.c:9 s=0')
print('  13: 0xf000 M=1 main /src/b.c:20 s=0\nMappings')
END
# A time for each sample.
cat >times.py <<'END'
import sys
time = 0
for line in sys.stdin:
    stack, count = line.rsplit(' ', 1)
    for _ in range(int(count)):
        time += 1
        print(f'app 10/10 {time // 1000}.{time % 1000:03}000: 1000000 cpu-clock:')
        for name in reversed(stack.split(';')):
            print(f'\t1000 {name} (/bin/app)')
        print()
END
wick convert -q in.txt --to folded -o in.folded
python3 times.py <in.folded >timed.perf
set --
for name in a.speedscope.json a.folded a.callgrind; do
	wick convert -q in.txt -o "$name"
	set -- "$@" "$name"
done
for name in b.pb.gz b.trace.json b.cpuprofile b.speedscope.json b.perf; do
	wick convert -q timed.perf -o "$name"
	set -- "$@" "$name"
done
# All that a profile can have
python3 "$tests/consumers/full.py" >full.json
for name in full.speedscope.json full.folded full.callgrind full.pb.gz full.trace.json full.cpuprofile; do
	wick convert -q full.json -o "$name"
	set -- "$@" "$name"
done
node "$tests/consumers/speedscope.mjs" in.folded in.txt "$@"
