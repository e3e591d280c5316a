"""Generated profiles, written and read back: each format gives back what it can hold.  Prints TAP.

usage: roundtrip.py WICK   in an empty folder
"""
import collections
import csv
import io
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap  # noqa: E402
from tap import ok  # noqa: E402

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
    'pprof': ('event', 'thread', 'pid', 'tid'),
    'speedscope': ('event', 'thread', 'pid', 'tid'),
    'folded': (),  # the thread is the first function
    'cpuprofile': (),  # the same
}
# These hold one event only.
SINGLE = {'cpuprofile', 'folded'}
NAMES = ['main', 'a b', 'operator()', 'std::map<int, char*>::find', '"quoted"', 'back\\slash', 'tab\tinside', 'Füße', '日本語',
         '<script>', "it's", 'a&b', '%s%n', '[libc.so]', '(anonymous)', 'x' * 300, '@plt', '#hash', '-', 'a=b', '$x{y}']
SIMPLE = ['main', 'read', 'write', 'parse', 'Füße', 'a::b', 'c_d', 'e2', 'x' * 300]


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
    for r in table:
        if name in ('cpuprofile', 'folded'):
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


# Complete profiles: functions with files and lines, inlined calls, modules with build IDs, labels, waits, series.
# What a format keeps of them.
WHOLE = ('event', 'unit', 'thread', 'pid', 'tid', 'labels', 'samples', 'time', 'module', 'build_id', 'inlined', 'file', 'line')
KEEPS = {
    'wick': WHOLE, 'html': WHOLE, 'svg': WHOLE, 'json': WHOLE,
    'csv': ('event', 'unit', 'thread', 'pid', 'tid', 'labels', 'samples', 'time'),
    'firefox': ('event', 'unit', 'thread', 'pid', 'tid', 'samples', 'time', 'module', 'build_id', 'inlined', 'file', 'line'),
    'perf-script': ('event', 'thread', 'pid', 'tid', 'samples', 'time', 'module', 'inlined'),
    'otlp': WHOLE,
    'pprof': tuple(k for k in WHOLE if k not in ('samples', 'time')),
    'speedscope': ('event', 'thread', 'pid', 'tid'),
    'folded': (), 'cpuprofile': (), 'callgrind': ('event',),
}
KEEPS_INTERVALS = {'wick', 'html', 'svg', 'json', 'csv', 'firefox'}
KEEPS_SERIES = {'wick', 'html', 'svg', 'json', 'firefox'}
# All but folded stacks, which have nothing but names and numbers, say whether weights were sampled or measured.
KEEPS_SOURCES = set(KEEPS) - {'folded'}
UNITS = {'nanoseconds': 'ns'}


def complete(seed, timed):
    """A profile as wick's JSON has it (docs/json.md)."""
    rng = random.Random(seed)
    threads = [{'name': ''}] + [{'name': f'worker {i}', 'pid': 10, 'tid': 10 + i} for i in range(rng.randint(1, 3))]
    modules = [{'path': '', 'build_id': ''}] + [{'path': f'/lib/lib{i}.so', 'build_id': f'{i:02x}' * 20} for i in range(1, 4)]
    frames = [{'kind': 'user', 'lines': []}]
    for i in range(rng.randint(3, 20)):
        frames.append({'kind': 'user', 'module': rng.randint(1, 3), 'lines': [
            {'function': f'f{i}_{k}', 'file': f'/src/{rng.choice("abc")}.c', 'line': rng.randint(1, 999)} for k in range(rng.choice([1, 1, 2, 3]))]})
    stacks = [{'caller': 0, 'frame': 0}]
    known = set()
    while len(stacks) < 25:
        row = rng.randrange(len(stacks)), rng.randint(1, len(frames) - 1)
        if row not in known:
            known.add(row)
            stacks.append({'caller': row[0], 'frame': row[1]})
    events = [{'name': 'cpu-clock', 'unit': 'ns', 'source': 'sampled', 'extent': 'share'},
              {'name': 'faults', 'unit': 'faults', 'source': 'sampled', 'extent': 'share'},
              {'name': 'off-cpu', 'unit': 'ns', 'source': 'measured', 'extent': 'share'}]
    samples, intervals, counts = [], [], {}
    for time in range(1, rng.randint(20, 200)):
        event, thread = rng.randrange(3), rng.randint(1, len(threads) - 1)
        row = {'event': event, 'thread': thread, 'stack': rng.randint(1, len(stacks) - 1)}
        if rng.random() < 0.5:
            row['labels'] = {'reason': rng.choice(['lock', 'sleep'])} if event == 2 else {'cpu': str(rng.randrange(4))}
        weight = (1000000, 1, rng.randint(1, 999) * 1000)[event]
        begin = time * 1000000
        at = {'time': begin + weight if event == 2 else begin, **row, 'weight': weight}
        samples.append(at)
        if event == 2:
            intervals.append({'begin': begin, 'end': begin + weight, **row, 'weight': weight, 'samples': 1})
        sum_ = counts.setdefault(json.dumps(row), {**row, 'weight': 0, 'samples': 0})
        sum_['weight'] += weight
        sum_['samples'] += 1
    series = [{'name': 'memory', 'unit': 'bytes', 'scope': '', 'points': [[1000000, 5], [2000000, 5.5], [3000000, 4]]}]
    series.append({'name': 'load', 'unit': '', 'scope': 'machine', 'points': [[1500000, -1], [1500001, 0.25], [9000000, 10 ** 15]]})
    samples.sort(key=lambda r: r['time'])
    return {'format': 'wick-profile', 'version': 1, 'shown': 0, 'spelling': 'thread', 'info': [], 'events': events, 'threads': threads,
            'modules': modules, 'frames': frames, 'stacks': stacks, 'counts': list(counts.values()),
            'samples': samples if timed else [], 'intervals': intervals if timed else [], 'series': series if timed else []}


def described(p, name, table):
    """{what a format keeps of a row of a table: the sum of its weights}; times since the first one."""
    keeps, found = KEEPS[name], collections.Counter()
    # A wait is written when it begins, and counted when it ends.
    rows_ = [r for r in p[table] if table != 'samples' or p['events'][r['event']]['name'] != 'off-cpu']
    first = min((r.get('begin', r.get('time', 0)) for r in rows_), default=0)

    def functions(stack):
        result = []
        while stack:
            frame = p['frames'][p['stacks'][stack]['frame']]
            module = p['modules'][frame.get('module', 0)]
            for i, line in enumerate(frame['lines']):
                inlined = i + 1 < len(frame['lines']) or frame.get('inlined', False)
                # perf script has "(inlined)" in place of the module, and callgrind numbers recursive calls.
                result.append((line['function'].split("'")[0],
                               module['path'] if 'module' in keeps and not (inlined and name == 'perf-script') else '',
                               module['build_id'] if 'build_id' in keeps else '',
                               inlined if 'inlined' in keeps else '',
                               line.get('file', '') if 'file' in keeps else '',
                               line.get('line', 0) if 'line' in keeps else ''))
            stack = p['stacks'][stack]['caller']
        return tuple(result[:1] if name == 'callgrind' else result)

    for r in rows_:
        event, thread = p['events'][r['event']], p['threads'][r.get('thread', 0)]
        key = [event['name'] if 'event' in keeps else '', UNITS.get(event['unit'], event['unit']) if 'unit' in keeps else '']
        key += [thread.get(k) if k in keeps or (k == 'name' and 'thread' in keeps) else '' for k in ('name', 'pid', 'tid')]
        key += [json.dumps(r.get('labels', {}), sort_keys=True) if 'labels' in keeps else '']
        key += [r[k] - first if k in r else '' for k in ('begin', 'end', 'time')] if 'time' in keeps else []
        # The thread is the first function.
        root = ((thread['name'].replace(' ', '_'), '', '', '', '', ''),) if name in SINGLE and thread['name'] else ()
        found[(*key, functions(r['stack']) + root)] += r['weight']
        # Of sums of times that were measured, these do not know how many they are of.
        if 'samples' in keeps and table == 'counts' and not (name in ('otlp', 'firefox') and event['name'] == 'off-cpu'):
            found[(*key, functions(r['stack']), 'samples')] += r['samples']
    return {k: round(v, 3) for k, v in found.items() if v}


def begin_of(p):
    """When the first thing happens: a wait is counted at its end."""
    times = [r['begin'] for r in p['intervals']] + [point[0] for s in p['series'] for point in s['points']]
    return min(times + [r['time'] for r in p['samples'] if p['events'][r['event']]['name'] != 'off-cpu'], default=0)


def series_of(p):
    return [{**s, 'points': [[time - begin_of(p), value] for time, value in s['points']]} for s in p['series']]


def sources_of(p):
    """{name of an event with counts: where its weights come from}"""
    return {p['events'][r['event']]['name']: p['events'][r['event']]['source'] for r in p['counts']}


def check_trace(seed):
    """A Chrome trace has other weights: a sample lasts until the next one."""
    whole = complete(seed, True)
    with open('in.json', 'w', encoding='utf-8') as f:
        json.dump(whole, f)
    wick('convert', '-q', 'in.json', '--to', 'chrome', '-o', 'out')
    wick('convert', '-q', 'out', '-o', 'out.json')
    with open('out.json', encoding='utf-8') as f:
        got = json.load(f)
    want = {'time' if name == 'cpu-clock' else name: source for name, source in sources_of(whole).items()}
    ok(want == sources_of(got), f'chrome gives back which events were sampled (seed {seed})', f'{want} {sources_of(got)}')
    ok(series_of(whole) == series_of(got), f'chrome gives back series (seed {seed})', f'{series_of(whole)}\n{series_of(got)}')


def check_complete(seed, timed):
    whole = complete(seed, timed)
    with open('in.json', 'w', encoding='utf-8') as f:
        json.dump(whole, f)
    for name, keeps in KEEPS.items():
        title = f'{name} gives back a complete profile with{"" if timed else "out"} times (seed {seed})'
        event = name in ('folded', 'cpuprofile')
        try:
            wick('convert', '-q', 'in.json', *(['-e', 'off-cpu'] if event else []), '--to', name, '-o', 'out')
            wick('convert', '-q', 'out', '-o', 'out.json')
            with open('out.json', encoding='utf-8') as f:
                got = json.load(f)
        except RuntimeError as e:
            ok(False, title, e)
            continue
        want = dict(whole)
        if event:
            want['counts'] = [{**r, 'weight': r['weight'] / (1000 if name == 'cpuprofile' else 1)} for r in whole['counts'] if r['event'] == 2]
        # pprof has a column for the number of samples.
        got['counts'] = [r for r in got['counts'] if name != 'pprof' or got['events'][r['event']]['name'] != 'samples']
        tables = ['counts'] + ['samples'] * ('time' in keeps and timed) + ['intervals'] * (name in KEEPS_INTERVALS and timed)
        why = []
        for table in tables:
            a, b = (described(p, name, table) for p in (want, got))
            if a != b:
                why += [f'{table}: lost {[i for i in a.items() if i not in b.items()][:2]}', f'new {[i for i in b.items() if i not in a.items()][:2]}']
        if name in KEEPS_SERIES and series_of(want) != series_of(got):
            why += [f'series: {series_of(got)}']
        a, b = ({source for source in sources_of(p).values()} if event else sources_of(p) for p in (want, got))
        if name in KEEPS_SOURCES and a != b:
            why += [f'sources: {b} instead of {a}']
        ok(not why, title, '\n'.join(why))


def main():
    for seed in range(6):
        check(seed, SIMPLE, HOLDS, 'of plain names')
        check(seed, NAMES, [f for f in HOLDS if f not in ('perf-script',)], 'of odd names')
        check_complete(seed, True)
        check_complete(seed, False)
        check_trace(seed)


tap.main(main)
