#!/usr/bin/env python3
"""A profile with all that one can have, and what programs should show of it.

usage: full.py                      the profile, as docs/json.md describes it
       full.py top EVENT [THREAD]   its functions: name|self|total, the largest first; of all threads, or of one
       full.py outermost EVENT      the same without inlined calls

Three threads of two processes; samples of a clock, faults and waits; inlined calls (also two in one), recursion, functions of the kernel
and of a JIT, lines, labels, wakers and two series.  A function's total counts recursion once.
"""
import collections
import json
import sys

MS = 1000000
EVENTS = [
    {'name': 'cpu-clock', 'unit': 'ns', 'period': MS, 'source': 'sampled', 'extent': 'share'},
    {'name': 'faults', 'unit': 'faults', 'source': 'sampled', 'extent': 'share'},
    {'name': 'off-cpu', 'unit': 'ns', 'source': 'measured', 'extent': 'share'},
]
CLOCK, FAULTS, WAITS = range(3)
THREADS = [('', 0, 0), ('app', 10, 10), ('worker', 10, 11), ('db', 20, 20)]
APP, WORKER, DB = range(1, 4)
MODULES = [('', ''), ('/bin/app', '00ff' * 10), ('/usr/lib/libdb.so.5', 'ab01' * 10), ('[kernel.kallsyms]', 'cd02' * 10)]

# name: (kind, module, [(function, file, line), innermost first])
FRAMES = {
    'main': ('user', 1, [('main', '/src/main.c', 20)]),
    'fib': ('user', 1, [('fib', '/src/fib.c', 4)]),
    'quoted': ('user', 1, [('operator "" x<a, b>', '/src/my file.cc', 8)]),
    'nested': ('user', 1, [('innermost', '/src/nested.h', 1), ('inner', '/src/nested.h', 11), ('outer', '/src/nested.c', 30)]),
    'lock': ('user', 2, [('db_lock', '/src/db/lock.c', 70)]),
    'query': ('user', 2, [('db_query', '/src/db/query.c', 90)]),
    'script': ('jit', 0, [('handler app.js:3', '', 0)]),
    'syscall': ('kernel', 3, [('do_syscall_64', '', 0)]),
    'futex': ('kernel', 3, [('futex_wait', '', 0)]),
    **{f'leaf{i}': ('user', 1, [(f'leaf{i}', '/src/leaf.h', 3 + i), (f'caller{i % 3}', '/src/caller.c', 9 + i)]) for i in range(12)},
}
# How often each of the leaves is sampled
LEAVES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 33]


def rows():
    """(event, thread, begin, end, weight, names of frames from the root, labels)"""
    # app: a sample each millisecond, first the leaves, then recursion and inlined calls
    time = 1000 * MS
    for i, nr in enumerate(LEAVES):
        for k in range(nr):
            yield CLOCK, APP, time, None, MS, ('main', f'leaf{i}'), {'cpu': str(k % 2), 'cgroup': '/user.slice'}
            time += MS
    for names in [('main', 'fib'), ('main', 'fib', 'fib'), ('main', 'fib', 'fib', 'fib'), ('main', 'quoted'), ('main', 'nested'), ('main', 'nested'),
                  ('main', 'script'), ('main', 'syscall')]:
        yield CLOCK, APP, time, None, MS, names, {'cpu': '0', 'cgroup': '/user.slice'}
        time += MS
    # worker and db: they run, wait and run again
    for thread, names, reason in (WORKER, ('main', 'lock'), 'lock'), (DB, ('query', 'lock'), 'disk'):
        time = 1000 * MS
        for k in range(4):
            for _ in range(5):
                yield CLOCK, thread, time, None, MS, names[:1], {'cpu': '1'}
                time += MS
            yield FAULTS, thread, time, None, 3 + k, names, {'cpu': '1'}
            wait = (k + 1) * 2 * MS
            yield WAITS, thread, time, time + wait, wait, (*names, 'syscall', 'futex'), {'reason': reason if k % 2 else 'sleep'}
            time += wait


def profile():
    numbers = {name: i + 1 for i, name in enumerate(FRAMES)}
    stacks, counts, samples, intervals = {(0, 0): 0}, {}, [], []

    def stack_of(names):
        stack = 0
        for name in names:
            stack = stacks.setdefault((stack, numbers[name]), len(stacks))
        return stack

    for event, thread, begin, end, weight, names, labels in rows():
        row = {'event': event, 'thread': thread, 'stack': stack_of(names), 'labels': labels}
        samples.append({'time': begin if end is None else end, **row, 'weight': weight})
        if end is not None:
            waker = {'kind': 'waker', 'thread': APP, 'stack': stack_of(('main', 'fib'))}
            intervals.append({'begin': begin, 'end': end, **row, 'weight': weight, 'samples': 1, 'links': [waker]})
        count = counts.setdefault(json.dumps(row), {**row, 'weight': 0, 'samples': 0})
        count['weight'] += weight
        count['samples'] += 1
    samples.sort(key=lambda r: (r['event'], r['time']))
    return {
        'format': 'wick-profile', 'version': 1, 'shown': 0, 'spelling': '', 'info': [{'key': 'command', 'value': 'app --serve'}],
        'events': EVENTS,
        'threads': [{'name': name, 'pid': pid, 'tid': tid} for name, pid, tid in THREADS],
        'modules': [{'path': path, 'build_id': build_id} for path, build_id in MODULES],
        'frames': [{'kind': 'user', 'lines': []}] + [{'kind': kind, 'module': module, 'lines': [
            {'function': function, 'file': file, 'line': line} for function, file, line in lines]} for kind, module, lines in FRAMES.values()],
        'stacks': [{'caller': caller, 'frame': frame} for caller, frame in stacks],
        'counts': list(counts.values()), 'samples': samples, 'intervals': intervals,
        'series': [
            {'name': 'memory', 'unit': 'bytes', 'scope': 'app', 'points': [[1000 * MS, 5000], [1050 * MS, 9000], [1100 * MS, 7000]]},
            {'name': 'load', 'unit': '', 'scope': 'machine', 'points': [[1000 * MS, 0.5], [1100 * MS, 1.25]]}],
    }


def top(event, thread=None, inlined=True):
    own, total = collections.Counter(), collections.Counter()
    for of, on, _, _, weight, names, _ in rows():
        if EVENTS[of]['name'] == event and thread in (None, THREADS[on][0]):
            functions = [function for name in names for function, _, _ in reversed(FRAMES[name][2] if inlined else FRAMES[name][2][-1:])]
            own[functions[-1]] += weight
            for function in set(functions):
                total[function] += weight
    for function in sorted(total, key=lambda f: (-own[f], f)):
        print(function, own[function], total[function], sep='|')


if sys.argv[1:2] == ['top']:
    top(*sys.argv[2:])
elif sys.argv[1:2] == ['outermost']:
    top(sys.argv[2], inlined=False)
else:
    json.dump(profile(), sys.stdout)
