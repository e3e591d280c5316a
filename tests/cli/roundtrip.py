"""Generated profiles, written and read back: each format gives back what it can hold.  Prints TAP.

usage: roundtrip.py WICK   in an empty folder
"""
import collections
import csv
import io
import json
import random
import subprocess
import sys

WICK = sys.argv[1]
# What a format keeps of a sample, besides its stack and its weight.
HOLDS = {
    'wick': ('event', 'samples', 'time', 'thread', 'pid', 'tid'),
    'html': ('event', 'samples', 'time', 'thread', 'pid', 'tid'),
    'svg': ('event', 'samples', 'time', 'thread', 'pid', 'tid'),
    'json': ('event', 'samples', 'time', 'thread', 'pid', 'tid'),
    'csv': ('event', 'samples', 'time', 'thread', 'pid', 'tid'),
    'firefox': ('event', 'samples', 'time', 'thread', 'pid', 'tid'),
    'perf-script': ('event', 'samples', 'time', 'thread', 'pid', 'tid'),
    'otlp': ('event', 'time', 'thread', 'pid', 'tid'),
    'pprof': ('event',),
    'speedscope': ('thread',),  # and its ids, in its name
    'folded': (),  # the thread is the first function
    'cpuprofile': (),  # the same
}
# These hold one event only.
SINGLE = {'cpuprofile', 'folded', 'speedscope'}
NAMES = ['main', 'a b', 'operator()', 'std::map<int, char*>::find', '"quoted"', 'back\\slash', 'tab\tinside', 'Füße', '日本語',
         '<script>', "it's", 'a&b', '%s%n', '[libc.so]', '(anonymous)', 'x' * 300, '@plt', '#hash', '-', 'a=b', '$x{y}']
SIMPLE = ['main', 'read', 'write', 'parse', 'Füße', 'a::b', 'c_d', 'e2', 'x' * 300]
nr = failed = 0


def ok(passed, title, why=''):
    global nr, failed
    nr += 1
    failed += not passed
    print(f'{"" if passed else "not "}ok {nr} - {title}')
    if not passed:
        print('\n'.join('# ' + line for line in str(why).splitlines()[:12]))


def profile(seed, names):
    """A profile as the Firefox Profiler has it, which holds all that is generated here."""
    rng = random.Random(seed)
    strings = rng.sample(names, rng.randint(2, len(names)))
    threads = []
    for thread in range(rng.randint(1, 4)):
        for event in range(rng.randint(1, 3)):
            prefix, frame = [None], [rng.randrange(len(strings))]
            for _ in range(rng.randint(1, 40)):
                prefix.append(rng.choice([None, rng.randrange(len(prefix))]))
                frame.append(rng.randrange(len(strings)))
            size = rng.randint(1, 60)
            threads.append({
                'name': f'thread {thread}', 'pid': '10', 'tid': str(11 + thread), 'event': f'event{event}', 'unit': 'count',
                'stackTable': {'length': len(prefix), 'prefix': prefix, 'frame': frame},
                'frameTable': {'length': len(strings), 'func': list(range(len(strings)))},
                'funcTable': {'length': len(strings), 'name': list(range(len(strings)))},
                'stringArray': strings,
                'samples': {'length': size, 'stack': [rng.randrange(len(prefix)) for _ in range(size)],
                            'time': sorted(rng.sample(range(1, 10 ** 6), size)),
                            'weight': [rng.choice([1, rng.randint(1, 10 ** 12)]) for _ in range(size)]}})
    return {'meta': {'interval': 1, 'startTime': 10 ** 9, 'preprocessedProfileVersion': 55}, 'libs': [], 'threads': threads}


def wick(*words):
    r = subprocess.run([WICK, *words], capture_output=True, encoding='utf-8', errors='replace')
    if r.returncode:
        raise RuntimeError(f'{" ".join(words)}: {r.stderr}')
    return r.stdout


def rows(file, options=()):
    """A dictionary for each sample, or for each stack; times since the first one."""
    table = list(csv.DictReader(io.StringIO(wick('convert', '-q', file, *options, '--to', 'csv', '-o', '-'))))
    first = min((int(r['time']) for r in table if r['time']), default=0)
    for r in table:
        if r['time']:
            r['time'] = str(int(r['time']) - first)
    return table


def spelled(table, name):
    """As the format has it."""
    threads = {r['tid'] for r in table}
    for r in table:
        if name == 'speedscope':
            r['thread'] = f'{r["thread"]}-{r["pid"]}/{r["tid"]}' if len(threads) > 1 else ''
        elif name in ('cpuprofile', 'folded'):
            r['stack'] = f'{r["thread"].replace(" ", "_")};{r["stack"]}'
    return table


def sums(table, columns):
    """{what is kept of a sample: the sum of its weights}"""
    found = collections.Counter()
    for r in table:
        found[tuple(r[c] for c in columns) + (r['stack'],)] += int(r['weight'])
    return found


def check(seed, names, formats, title):
    with open('in.json', 'w', encoding='utf-8') as f:
        json.dump(profile(seed, names), f)
    for name in formats:
        only = ['-e', 'event0'] if name in SINGLE else []
        try:
            wick('convert', '-q', 'in.json', *only, '--to', name, '-o', 'out')
            want = sums(spelled(rows('in.json', only), name), HOLDS[name])
            # pprof has a column for the number of samples.
            got = sums((r for r in rows('out') if name != 'pprof' or r['event'] != 'samples'), HOLDS[name])
            why = f'lost: {list((want - got).items())[:3]}\nnew: {list((got - want).items())[:3]}'
        except RuntimeError as e:
            want, got, why = 0, 1, e
        ok(want == got, f'{name} gives back a profile {title} (seed {seed})', why)


for seed in range(6):
    check(seed, SIMPLE, HOLDS, 'of plain names')
    check(seed, NAMES, [f for f in HOLDS if f not in ('perf-script',)], 'of odd names')
print(f'1..{nr}')
sys.exit(failed > 0)
