"""A profile with all that one can have, converted from each format to each other: what gets lost is what wick reports.  Prints TAP.

usage: pairs.py WICK FULL.JSON   in an empty folder
"""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap  # noqa: E402
from tap import ok  # noqa: E402

WICK, FULL = sys.argv[1:]
READ = ['wick', 'html', 'json', 'pprof', 'speedscope', 'perf-script', 'callgrind', 'chrome', 'firefox', 'otlp', 'cpuprofile', 'csv']
ONLY_WRITTEN = ['perfetto', 'dot', 'markdown']
# What the readers of these do not read, or read as something else: callgrind has no stacks, so the functions of a line are
# unknown; samples of a trace are slices; threads of a V8 profile are functions, and its weights are times.
NOT_READ = {'callgrind': {'source lines'}, 'chrome': {'times of samples'}, 'cpuprofile': {'threads', 'weights other than times'}}
# A part that is reported covers others, which are not reported besides it.
COVERS = {'modules': {'build IDs'}, 'times': {'times of samples', 'wakers and causes'}, 'times of samples': {'times'},
          'samples without timestamps': {'events', 'times'}}


def convert(source, name, out):
    """What wick says about it; None: it has no times, which this format requires."""
    r = subprocess.run([WICK, 'convert', source, '--to', name, '-o', out], capture_output=True, encoding='utf-8')
    if r.returncode and 'requires timestamps' in r.stderr:
        return None
    if r.returncode:
        raise RuntimeError(f'{source} to {name}: {r.stderr}')
    return r.stderr


def reported(text):
    """What it says that is lost, each part once."""
    parts = [p for line in re.findall('cannot hold (.*)', text) for p in line.split(', ')]
    parts += ['events'] * len(re.findall('other events are not shown', text))
    if len(parts) != len(set(parts)):
        raise RuntimeError(f'reported twice: {parts}')
    return set(parts)


def parts_of(file):
    """Which parts a profile has, in the words of the report."""
    with open(file, encoding='utf-8') as f:
        p = json.load(f)
    lines = [line for frame in p['frames'] for line in frame['lines']]
    # pprof has a column for the number of samples.
    events = {p['events'][r['event']]['name'] for r in p['counts']} - {'samples'}
    faults = sum(r['weight'] for r in p['counts'] if p['events'][r['event']]['name'] == 'faults')
    sampled = {i for i, e in enumerate(p['events']) if e['source'] == 'sampled'}
    labels = {key for r in p['counts'] for key in r.get('labels', {})}
    has = {
        'times': p['samples'] or p['intervals'],
        'times of samples': any(r['event'] in sampled for r in p['samples']),
        'threads': len({r.get('thread', 0) for r in p['counts']}) > 1,
        'which calls are inlined': any(len(frame['lines']) > 1 or frame.get('inlined') for frame in p['frames']),
        'source lines': any(line.get('line') for line in lines),
        'labels': labels - {'cpu'},
        'CPUs': 'cpu' in labels,
        'modules': any(frame.get('module') for frame in p['frames']),
        'build IDs': any(m['build_id'] for m in p['modules']),
        'wakers and causes': any(r.get('links') for r in p['intervals']),
        'counters': p['series'],
        'events': len(events) == 3,
        'weights other than times': faults == 36,
    }
    return {part for part, any_ in has.items() if any_}


def main():
    all_parts = parts_of(FULL)
    ok(len(all_parts) == 13, 'the profile has all parts', all_parts)
    held = {}
    for name in READ:
        convert(FULL, name, f'full.{name}')
        convert(f'full.{name}', 'json', 'back.json')
        held[name] = parts_of('back.json')
    for source, has in [(FULL, all_parts)] + [(f'full.{name}', held[name]) for name in READ]:
        for name in READ + ONLY_WRITTEN:
            title = f'{source} to {name}'
            try:
                text = convert(source, name, 'out')
                if text is None:
                    ok('times' not in has, f'{title} requires times')
                    continue
                lost = reported(text)
                false = lost - has - {'samples without timestamps'}
                ok(not false, f'{title} reports only what gets lost', f'also {false}')
                if name not in READ:
                    continue
                convert('out', 'json', 'back.json')
                silent = has - parts_of('back.json') - lost - NOT_READ.get(name, set())
                for part in lost:
                    silent -= COVERS.get(part, set())
                ok(not silent, f'{title} loses nothing silently', f'lost {silent}, reported {lost}')
            except RuntimeError as e:
                ok(False, title, e)


tap.main(main)
