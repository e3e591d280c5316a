"""perf.data → picture: wick beside perf script and the programs that read its text.

Part of `bench/run --only perf-data`: programs that compilers inline much of (inlined.cpp, inlined.rs) are
compiled and recorded with copies of their stacks, about 150 MB each, and drawn by every pipeline that is
here, in turns.  What a pipeline uses is counted for all its processes, those too that perf starts
(addr2line) and leaves behind.
"""
import collections
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {'C++': ('inlined.cpp', 'g++', '-std=c++17', '-O2', '-g'),
            'Rust': ('inlined.rs', 'rustc', '-O', '-g')}
RECORD = ('perf', 'record', '-q', '-F', '4000', '-e', 'cpu-clock:u', '--call-graph', 'dwarf', '--max-size=150M')
RUNS = 3
# The peers weigh a sample of a clock by its nanoseconds, wick counts it.
PERIOD = 10**9 // 4000

Pipeline = collections.namedtuple('Pipeline', 'label family stages')
Used = collections.namedtuple('Used', 'wall cpu perf_peak peak')


# ---- inputs ----

def newer(path, source):
    return os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(source)


def recording(folder, language):
    """The path of a program's recording, made anew if its source changed; None if that is not possible."""
    source, compiler, *flags = PROGRAMS[language]
    source = os.path.join(HERE, source)
    program = os.path.join(folder, os.path.basename(source).replace('.', '-'))
    data = program + '.data'
    missing = [p for p in (compiler, 'perf') if not shutil.which(p)]
    if missing:
        print('perf-data, %s: %s is not here, left out' % (language, missing[0]), file=sys.stderr)
        return None
    if not newer(data, source):
        print('making ' + data, file=sys.stderr)
        os.makedirs(folder, exist_ok=True)
        subprocess.run([compiler, *flags, '-o', program, source], check=True)
        # perf ends the program when there is enough: its exit status says so.
        subprocess.run([*RECORD, '-o', data, program, '600'], stderr=subprocess.DEVNULL)
    return data if newer(data, source) else None


def pipelines(data, wick, find_peer):
    """All of them, wick's first."""
    found = [Pipeline('wick', 'wick', ((wick, 'flame', '-q', '-o', '-', data),)),
             Pipeline('wick -n1', 'wick', ((wick, 'flame', '-q', '-n1', '-o', '-', data),)),
             Pipeline('wick --no-inline', 'wick', ((wick, 'flame', '-q', '--no-inline', '-o', '-', data),))]
    tails = [('FlameGraph', 'FLAMEGRAPH_DIR', ('stackcollapse-perf.pl', 'flamegraph.pl')),
             ('inferno', 'INFERNO_DIR', ('inferno-collapse-perf', 'inferno-flamegraph'))]
    for name, variable, programs in tails:
        paths = [find_peer(variable, p) for p in programs]
        if None in paths:
            print('not here, left out: ' + ', '.join(programs), file=sys.stderr)
            continue
        for option in (), ('--no-inline',):
            found.append(Pipeline(' | '.join([' '.join(('perf script', *option)), name]), 'peer',
                                  (('perf', 'script', *option, '-i', data), *((p,) for p in paths))))
    return found


# ---- running ----

def adopt_orphans():
    """Processes whose parents ended become ours, so that what they used can be asked for."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def status(pid):
    """What the kernel says of a process; nothing when it has ended."""
    try:
        with open('/proc/%s/status' % pid) as f:
            return dict(line.split(':', 1) for line in f if ':' in line)
    except (FileNotFoundError, ProcessLookupError):
        return {}


def descendants():
    """All processes that we started, and they."""
    parent = {int(pid): int(status(pid).get('PPid', 0)) for pid in filter(str.isdigit, os.listdir('/proc'))}

    def is_ours(pid):
        while pid in parent and parent[pid] != os.getpid():
            pid = parent[pid]
        return pid in parent
    return set(filter(is_ours, parent))


def watch(peaks, done):
    """Looks for new processes now and then, and all the time for what those that are known need."""
    known, next_search = set(), 0
    while not done.wait(0.001):
        if time.monotonic() > next_search:
            known |= descendants()
            next_search = time.monotonic() + 0.02
        for pid in known:
            s = status(pid)
            if 'VmHWM' in s:
                size = int(s['VmHWM'].split()[0])
                peaks[pid] = (s['Name'].strip(), max(size, peaks.get(pid, ('', 0))[1]))


def start(stages, out):
    """The stages of a pipeline, each reading what the one before it writes."""
    children, source = [], subprocess.DEVNULL
    for i, argv in enumerate(stages):
        last = i == len(stages) - 1
        child = subprocess.Popen(argv, stdin=source, stdout=out if last else subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        if i:
            source.close()
        source = child.stdout
        children.append(child)
    return children


def run(pipeline, out, watched):
    """One run; its memory only when it is watched, which costs time."""
    peaks, done = {}, threading.Event()
    watcher = threading.Thread(target=watch, args=(peaks, done))
    if watched:
        watcher.start()
    begin = time.perf_counter()
    children = {c.pid: c for c in start(pipeline.stages, out)}
    failed, cpu, end = False, 0, begin
    while True:
        try:
            pid, status, used = os.wait4(-1, 0)
        except ChildProcessError:
            break
        cpu += used.ru_utime + used.ru_stime
        if pid in children:
            children[pid].returncode = os.waitstatus_to_exitcode(status)
            failed |= status != 0
            end = time.perf_counter()
    done.set()
    if watched:
        watcher.join()
    if failed:
        raise RuntimeError(pipeline.label + ' failed')
    first = sum(size for name, size in peaks.values() if name in ('perf', 'addr2line', 'wick'))
    return Used(end - begin, cpu, first, sum(size for _, size in peaks.values()))


# ---- tables ----

def least(results, label, field):
    return min(getattr(used, field) for used in results[label])


def goals(results, peaks):
    """How far wick, with inlined calls, is from what it is to reach."""
    for peer, wanted in ('perf script | FlameGraph', 20), ('perf script --no-inline | FlameGraph', 4):
        if peer in results:
            wall, cpu = (least(results, peer, f) / least(results, 'wick', f) for f in ('wall', 'cpu'))
            print('- `%s`: %.1f times the wall time of wick, %.1f times its CPU time (to reach: %d); '
                  '%.1f times its memory (to reach: 3).'
                  % (peer, wall, cpu, wanted, peaks[peer].perf_peak / peaks['wick'].perf_peak))
    print(flush=True)


def samples(outputs, whole_of):
    """False if the pictures are not of the same samples."""
    found = {p.label: (whole_of(path) or 0) // (1 if p.family == 'wick' else PERIOD) for p, path in outputs.items()}
    sizes = ', '.join('%s %.1f MB' % (p.label, os.path.getsize(path) / 1e6) for p, path in outputs.items())
    print('Samples in the pictures: %s. Their sizes: %s.\n' % (', '.join(map(str, set(found.values()))), sizes))
    return len(set(found.values())) == 1


def table(language, data, results, peaks):
    print('| %s (%.0f MB, %d runs) | wall min s | median s | CPU min s | × wick, wall | CPU | peak MiB, perf or wick | all |'
          % (language, os.path.getsize(data) / 1e6, len(results['wick'])))
    print('|---|---|---|---|---|---|---|---|')
    for label, used in results.items():
        wall, cpu = least(results, label, 'wall'), least(results, label, 'cpu')
        print('| %s | %.2f | %.2f | %.2f | %.1f | %.1f | %.0f | %.0f |'
              % (label.replace('|', '→'), wall, statistics.median(u.wall for u in used), cpu,
                 wall / least(results, 'wick', 'wall'), cpu / least(results, 'wick', 'cpu'),
                 peaks[label].perf_peak / 1024, peaks[label].peak / 1024))
    print()


def measure(language, data, wick, find_peer, whole_of, runs, keep):
    results, peaks, outputs = {}, {}, {}
    runnable = pipelines(data, wick, find_peer)
    for pipeline in runnable:
        name = '%s.%s.svg' % (os.path.basename(data), pipeline.label.replace(' ', ''))
        with open(os.path.join(keep, name), 'wb') as out:
            peaks[pipeline.label] = run(pipeline, out, True)
        outputs[pipeline] = out.name
    for _ in range(runs):
        for pipeline in runnable:
            results.setdefault(pipeline.label, []).append(run(pipeline, subprocess.DEVNULL, False))
    table(language, data, results, peaks)
    goals(results, peaks)
    return samples(outputs, whole_of)


def perf_data(folder, wick, find_peer, whole_of, runs, keep):
    """False if a picture of wick's has not the samples that the others have."""
    good = True
    adopt_orphans()
    for language in PROGRAMS:
        data = recording(folder, language)
        if data:
            good &= measure(language, data, wick, find_peer, whole_of, runs or RUNS, keep)
    return good
