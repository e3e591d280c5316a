"""The pages that wick writes, in Chromium, beside those of the peers.

Part of `bench/run --only page`: trees of 1 k, 100 k and 1 M frames (generate.py) drawn by all programs,
opened in turns by measure_pages.mjs, and one Markdown table with the limits that wick's pages hold to.
"""
import collections
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(HERE)
SIZES = ('1K', '100K', '1M')
RUNS = 5
# flamegraph.pl needs a minute for a million frames.
PERL_SIZES = ('1K', '100K')

# (frames, page): most bytes, and most milliseconds; zoom of the SVG until painted, of the HTML in scripts
LIMITS = {('100K', 'wick .svg'): {'size': 1_200_000, 'paint': 500, 'zoom': 50},
          ('100K', 'wick .html'): {'size': 550_000, 'paint': 300, 'zoomScript': 16},
          ('1M', 'wick .svg'): {'size': 4_500_000},
          ('1M', 'wick .html'): {'size': 4_000_000, 'paint': 700}}
COLUMNS = (('size', 'file kB', 1000), ('paint', 'painted ms', 1), ('fresh', '… with its window ms', 1), ('ready', 'usable ms', 1), ('zoomScript', 'zoom, script ms', 1),
           ('zoom', 'zoom, painted ms', 1), ('searchScript', 'search, script ms', 1),
           ('search', 'search, painted ms', 1))

Page = collections.namedtuple('Page', 'size label kind path')


def draw(argv, path):
    """Runs a program that prints its picture; False if it fails."""
    with open(path, 'wb') as out:
        return subprocess.run(argv, stdout=out, stderr=subprocess.DEVNULL).returncode == 0


def pages(size, source, folder, wick, find_peer):
    """The page of every program that is here."""
    made = []
    for ending in ('html', 'svg'):
        path = os.path.join(folder, 'tree-%s.%s' % (size, ending))
        if subprocess.run([wick, 'flame', '-q', source, '-o', path]).returncode == 0:
            made.append(Page(size, 'wick .' + ending, ending, path))
    peer = find_peer('INFERNO_DIR', 'inferno-flamegraph')
    path = os.path.join(folder, 'tree-%s.inferno.svg' % size)
    if peer and draw([peer, source], path):
        made.append(Page(size, 'inferno', 'peer', path))
    peer = find_peer('FLAMEGRAPH_DIR', 'flamegraph.pl')
    path = os.path.join(folder, 'tree-%s.perl.svg' % size)
    if peer and size in PERL_SIZES and draw(['perl', peer, source], path):
        made.append(Page(size, 'flamegraph.pl', 'peer', path))
    return made


def measured(made, runs):
    """What measure_pages.mjs says of each page."""
    modules = subprocess.run([os.path.join(REPO, 'scripts/npm-modules'), 'browser'], stdout=subprocess.PIPE,
                             check=True, text=True).stdout.strip()
    r = subprocess.run(['node', os.path.join(HERE, 'measure_pages.mjs'), str(runs),
                        *['%s:%s' % (p.kind, p.path) for p in made]],
                       stdout=subprocess.PIPE, check=True, text=True, env=dict(os.environ, BROWSER_MODULES=modules))
    return [json.loads(line) for line in r.stdout.splitlines()]


def digits(value):
    return '%.0f' % value if value >= 10 else '%.1f' % value


def cell(figure, limit, unit):
    """Median and least, the median in bold where it is past the limit."""
    median, least = figure
    text = digits(median / unit)
    if limit is not None:
        text = '%s ≤ %.0f' % (text, limit / unit) if median <= limit else '**%s** > %.0f' % (text, limit / unit)
    return text if median == least else '%s (%s)' % (text, digits(least / unit))


def table(made, results, runs):
    """One row a page."""
    print('| frames | page (median of %d, least) | %s |' % (runs, ' | '.join(title for _, title, _ in COLUMNS)))
    print('|---' * (2 + len(COLUMNS)) + '|')
    for page, result in zip(made, results):
        limits = LIMITS.get((page.size, page.label), {})
        print('| %s | %s | %s |' % (page.size, page.label, ' | '.join(
            cell(result[key], limits.get(key), unit) for key, _, unit in COLUMNS)))
    print()


def ratios(made, results):
    """How many times as much the peers' pages need, by medians."""
    by_page = {(p.size, p.label): r for p, r in zip(made, results)}
    for (size, label), peer in by_page.items():
        ours = by_page.get((size, 'wick .svg'))
        if label.startswith('wick') or not ours:
            continue
        print('- %s, %s / wick .svg: %s.' % (size, label, ', '.join(
            '%s %.1fx' % (title.rsplit(' ', 1)[0], peer[key][0] / ours[key][0]) for key, title, _ in COLUMNS)))
    print(flush=True)


def page(folder, wick, input_file, find_peer, runs=None):
    """Make all pages, measure them, print the table."""
    if not shutil.which('node') or not shutil.which('chromium'):
        print('page: needs node and chromium, left out\n', file=sys.stderr)
        return
    runs = runs or RUNS
    made = [p for size in SIZES for p in pages(size, input_file('tree', size), folder, wick, find_peer)]
    if not made:
        print('page: nothing to measure', file=sys.stderr)
        return
    results = measured(made, runs)
    table(made, results, runs)
    ratios(made, results)
