"""Recordings of waits, and what is in them: for tests/record/waits and tests/record/bpf."""
import re
from collections import Counter

from harness import WICK, run, run_text, work


def measured(stdout):
    """By thread: life, running, waiting, as the program has them, and waiting for a CPU, as the kernel has it (ns)."""
    found = {}
    for line in stdout.decode().splitlines():
        name, _, *times = line.split()
        found[name] = [int(t) for t in times]
    return found


def fold(*arguments):
    return run_text(WICK, 'collapse', *arguments).stdout


def sums(folded, thread):
    """By reason: ns."""
    found = Counter()
    for line in folded.splitlines():
        stack, ns = line.rsplit(' ', 1)
        frames = stack.split(';')
        if frames[0] == thread:
            found[frames[-1].strip('[]')] += int(ns)
    return found


def total(folded):
    return sum(int(line.rsplit(' ', 1)[1]) for line in folded.splitlines())


def record(*arguments, before=(), name='w'):
    """Into a folder that nobody may write to, too."""
    folder = work / 'out'
    folder.mkdir(exist_ok=True)
    work.chmod(0o755)
    folder.chmod(0o777)
    for old in folder.iterdir():
        old.unlink()
    out = folder / (name if '.' in name else f'{name}.wick')
    return out, run(*before, WICK, 'record', '-o', out, *arguments)


def has_tracepoints():
    """May we use the scheduler's tracepoints?"""
    return run(WICK, 'record', '-e', 'sched:sched_switch', '-o', work / 'try.folded', 'sleep', '0.01').returncode == 0


def ends(folded, thread):
    """By reason and waker: ns, of the waits that have one."""
    found = Counter()
    for line in folded.splitlines():
        stack, ns = line.rsplit(' ', 1)
        frames = stack.split(';')
        by = [f for f in frames if f.startswith('[woken by ')]
        if frames[0] == thread and by:
            found[frames[frames.index(by[0]) - 1].strip('[]'), by[0][10:-1]] += int(ns)
    return found


def summary_ns(stderr, words):
    """A time of the summary; it has three digits."""
    found = re.search(rf'([\d.]+)\s(ns|µs|ms|s|min) {words}', stderr.decode())
    return float(found[1]) * {'ns': 1, 'µs': 1e3, 'ms': 1e6, 's': 1e9, 'min': 60e9}[found[2]] if found else None


def lives(data):
    """By tid: from its start to its end (ns), as perf reads them."""
    text = run_text('perf', 'script', '-f', '-i', data, '--show-task-events', '-F', 'tid,time,event', '--ns').stdout
    began, ended = {}, {}
    for line in text.splitlines():
        when = re.search(r'(\d+)\.(\d{9}): PERF_RECORD_', line)
        if not when:
            continue
        ns = int(when[1] + when[2])
        if found := re.search(r'COMM exec: \S+:\d+/(\d+)', line):
            began.setdefault(int(found[1]), ns)
        elif found := re.search(r'FORK\(\d+:(\d+)\)', line):
            began[int(found[1])] = ns
        elif found := re.search(r'EXIT\(\d+:(\d+)\)', line):
            ended[int(found[1])] = ns
    return {tid: ended[tid] - began[tid] for tid in began if tid in ended}
