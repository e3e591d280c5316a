"""How fast stacks are followed to their root: real programs, recorded here with copies of their stacks."""
import os
import re
import shutil
import subprocess
import sys

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.path.join(REPO, 'tests', 'programs')
ROUNDS = 10

PYTHON = ('import json, re\n'
          'def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n'
          'for i in range(10):\n'
          '    fib(24); sorted(range(100000), key=lambda x: -x)\n'
          '    json.loads(json.dumps([{"a": i, "b": [1, 2, 3] * 10} for i in range(3000)]))\n')
SQL = ('with recursive c(x) as (select 1 union all select x + 1 from c where x < 2000000) '
       'select count(*), sum(x % 7) from c;')


def said(*argv):
    r = subprocess.run(argv, capture_output=True, text=True)
    return r.stdout.strip() if r.returncode == 0 else ''


def workloads(folder):
    """{what: (samples a second, command)}"""
    visits, source = os.path.join(folder, 'visits'), os.path.join(PROGRAMS, 'visits.cpp')
    subprocess.run(['g++', '-O2', '-g', '-fomit-frame-pointer', '-pthread', '-o', visits, source],
                   check=True)
    preprocessed = os.path.join(folder, 'visits.ii')
    with open(preprocessed, 'wb') as f:
        subprocess.run(['g++', '-E', source], stdout=f, check=True)
    found = {
        'C++, no frame pointers': (997, [visits, '600']),
        'python3': (1997, [os.path.realpath(sys.executable), '-c', PYTHON]),
        'sqlite3': (1997, ['sqlite3', ':memory:', SQL]),
        'cc1plus': (1997, [said('g++', '-print-prog-name=cc1plus'), '-O2', '-g', '-quiet',
                           '-fpreprocessed', preprocessed, '-o', os.devnull]),
    }
    for rustc in dict.fromkeys((shutil.which('rustc'), '/usr/bin/rustc')):
        compiler = rustc and os.path.join(said(rustc, '--print', 'sysroot'), 'bin/rustc')
        if compiler and os.path.exists(compiler):
            # Often enough to meet it on its way to a frame that is larger than a copy.
            found[' '.join(said(compiler, '--version').split()[:2])] = (
                4999, [compiler, '-O', os.path.join(PROGRAMS, 'words.rs'), '-o', os.path.join(folder, 'words')])
    return {what: w for what, w in found.items() if shutil.which(w[1][0])}


def stacks(folder, program):
    """Prints a table of all that can be recorded here."""
    if not os.path.exists(program):
        print('unwind: %s is not built, left out\n' % program, file=sys.stderr)
        return
    print('| program | samples | frames each | reach their root | copied to their end | ns a frame '
          '| libdwfl, ns a frame | speed / libdwfl | tables, ms |\n' + '|---' * 9 + '|')
    for what, (rate, command) in workloads(folder).items():
        data = os.path.join(folder, 'stacks.data')
        room = ['-m', '16M'] if os.geteuid() == 0 else []
        r = subprocess.run(['perf', 'record', '-q', *room, '-e', 'cpu-clock', '-F', str(rate), '-o', data,
                            '--call-graph', 'dwarf,65528', *command], capture_output=True)
        if r.returncode:
            print('unwind: %s could not be recorded, left out' % what, file=sys.stderr)
            continue
        text = said(program, data, str(ROUNDS))
        all_of = re.match(r'(\d+) samples, (\S+) frames each, (\S+) ns.*first time (\S+) ms', text)
        peer = re.search(r'wick \S+ frames each, (\S+) ns a frame; libdwfl .* (\S+) ns a frame', text)
        ends = {m[1]: int(m[2]) for m in re.finditer(r'^ *([a-z ]+?) +(\d+) +\S+ %$', text, re.M)}
        total, root = int(all_of[1]), ends['root']
        whole = total - ends['cut'] - ends['no copy']
        print('| %s | %d | %s | %.2f %% | %.2f %% of %d | %s | %s | %.1f× | %s |'
              % (what, total, all_of[2], 100 * (root + ends['rooted']) / total, 100 * root / whole, whole,
                 all_of[3], peer[2], float(peer[2]) / float(peer[1]), all_of[4]), flush=True)
        os.remove(data)
    print()
