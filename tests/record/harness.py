"""What the tests of recordings share: programs to record, and recordings; tests/tap.py has the rest.

Only shapes are looked at (which chains, in what proportion), never a time.  $WICK is the program to
test.
"""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from tap import PROGRAMS, ok, results, run, run_text, skip, text, work  # noqa: F401  the tests have them from here

WICK = os.environ['WICK']
# A user who may do nothing, and has no other process: recordings of one user share the memory that may be locked.
NOBODY = ['setpriv', f'--reuid={100000 + os.getpid()}', '--regid=65534', '--clear-groups']
ENDLESS = 10000000000
# Shells have them ignored by what they start with &, and all that is started from there would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def start(*command, **more):
    return subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def compile_program(source, out=None, *flags, compiler='gcc', optimize='-O2'):
    out = work / (out or source)
    subprocess.run([compiler, optimize, '-g', '-fomit-frame-pointer', '-fno-optimize-sibling-calls',
                    '-pthread', *flags, '-o', out, PROGRAMS / f'{source}.c'], check=True)
    return out


def perf_record(out, *arguments):
    """By perf.  While somebody else records the whole machine with build-ids, the kernel says of mappings of those who
    did not ask for any that they have one, too, which perf 6.1 does not survive."""
    return run('perf', 'record', '-q', '--buildid-mmap', '-o', out, *arguments)


def perf_record_plain(name, *arguments, pipe=False, cwd=None):
    """The same without build IDs, once perf 6.1 does not abort: as it ends, or, of a pipe, into which it puts the records
    unread, when it reads them."""
    out = work / f'{name}.data'
    for _ in range(40):
        with open(out if pipe else os.devnull, 'wb') as f:
            r = subprocess.run(['perf', 'record', *([] if pipe else ['-q']), '-o', '-' if pipe else out, *map(str, arguments)],
                               cwd=cwd, stdout=f, stderr=subprocess.DEVNULL)
        if r.returncode >= 0 and run('perf', 'script', '-i', out, '-F', 'tid').returncode >= 0:
            break
        time.sleep(0.5)
    r.check_returncode()
    return out


def record(*arguments, name='out', before=(), **more):
    """(folded text, the finished process) of a recording."""
    out = work / f'{name}.folded'
    out.unlink(missing_ok=True)
    r = run(*before, WICK, 'record', '-o', out, *arguments, **more)
    return (out.read_text() if out.exists() else ''), r


def count(folded, pattern=''):
    """Samples of the stacks that match."""
    return sum(int(line.rsplit(' ', 1)[1]) for line in folded.splitlines()
               if re.search(pattern, line.rsplit(' ', 1)[0]))


def number(text):
    """The number that wick printed, with commas."""
    return int(text.replace(b',', b''))


def nr_without_stack(notes):
    """Samples of processes that had none at that moment: one that begins (an exec), or ends."""
    found = re.search(rb'([\d,]+) samples? without a user stack', notes)
    return number(found[1]) if found else 0


def wait_for(condition):
    """What it gives, once that is something; a machine that is busy may take its time.  In vain, that is a failure,
    also where nobody looks at what it gives."""
    end = time.monotonic() + 180
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    if not found:
        caller = sys._getframe(1)
        ok(False, f'{caller.f_code.co_name}() waits for something that happens (line {caller.f_lineno})')
    return found


def facts(pid):
    """What the kernel tells of it behind its name: the state comes first."""
    return Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()


def processor_time(pid):
    """In seconds, and in steps of a hundredth."""
    user, system = facts(pid)[11:13]
    return (int(user) + int(system)) / os.sysconf('SC_CLK_TCK')


def let_run(pid, seconds=0.3):
    """Until it had a processor for so long: what happens then depends on no other program."""
    enough = processor_time(pid) + seconds
    return wait_for(lambda: processor_time(pid) >= enough)


class Stalls:
    """The longest time in which a processor was not even there for who comes first: a machine of which others have
    a part may stand still, and no recorder can help what is lost then."""
    # A ring has room for several times that.
    USUAL = 0.05

    def __enter__(self):
        self.longest, self.over = 0, False
        self.watchers = [threading.Thread(target=self.watch, args=(cpu,)) for cpu in os.sched_getaffinity(0)]
        for watcher in self.watchers:
            watcher.start()
        return self

    def __exit__(self, *_):
        self.over = True
        for watcher in self.watchers:
            watcher.join()

    def watch(self, cpu):
        step, last = 0.01, time.monotonic()
        os.sched_setaffinity(0, {cpu})
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))
        while not self.over:
            time.sleep(step)
            last, before = time.monotonic(), last
            self.longest = max(self.longest, last - before - step)

    def nothing_lost(self, stderr):
        """Or was it the fault of the machine?"""
        return b'lost' not in stderr or self.longest > self.USUAL


def is_waiting(pid, number):
    """Is there such a signal that it has not taken yet?"""
    signals = re.search(r'^ShdPnd:\s*(\S+)', Path(f'/proc/{pid}/status').read_text(), re.M)[1]
    return int(signals, 16) >> number - 1 & 1


def is_recording(process):
    """Has it rings?  Events alone may be those that it only tries."""
    try:
        return 'perf_event' in Path(f'/proc/{process.pid}/maps').read_text() or process.poll() is not None
    except OSError:
        return True


def record_for(pid, seconds, *arguments, name='out', before=(), begun=is_recording):
    """The same as record(), of what runs already: Ctrl-C ends it when the process has had so much CPU time meanwhile.  A
    duration would be long where nobody else runs, and short where many do."""
    out = work / f'{name}.folded'
    out.unlink(missing_ok=True)
    p = start(*before, WICK, 'record', '-o', out, *arguments)
    wait_for(lambda: begun(p))
    let_run(pid, seconds)
    p.send_signal(signal.SIGINT)
    stdout, stderr = p.communicate(timeout=300)
    return (out.read_text() if out.exists() else ''), subprocess.CompletedProcess(p.args, p.returncode, stdout, stderr)


def is_running(name, parent):
    """The pid of the child of that name."""
    r = run('pgrep', '-P', parent, '-x', name)
    return int(r.stdout.split()[0]) if r.stdout.strip() else 0


def child(name, parent):
    """The same, as soon as it is there: 0 is no process that could be sent a signal."""
    pid = wait_for(lambda: is_running(name, parent))
    assert pid, f'{name} does not begin'
    return pid


def prefer(pid):
    """Who may do so gives it more of a busy machine than others have: a recording may last a second or two only."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, pid, -5)


def busy(*arguments, before=()):
    """A program of ours that runs until it is killed."""
    p = subprocess.Popen([str(a) for a in (*before, *arguments)], stdout=subprocess.DEVNULL)
    name = Path(arguments[0]).name[:15]
    prefer(p.pid)
    wait_for(lambda: Path(f'/proc/{p.pid}/comm').read_text().strip() == name)
    return p


def tracefs(mounted):
    """What goes in front of a command: it has tracefs where it belongs, or nowhere, and nobody else notices.  [] where
    that cannot be had."""
    command = 'umount -l /sys/kernel/debug/tracing /sys/kernel/tracing /sys/kernel/debug 2>/dev/null\n'
    if mounted:
        command += 'mount -t tracefs none /sys/kernel/tracing || exit\n'
    before = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', command + 'exec "$@"', 'sh']
    return before if not run(*before, 'true').returncode else []


def perf_may_record(title):
    """False, and said, where perf is not there or may not record."""
    if not shutil.which('perf'):
        skip(title, 'perf is not installed')
        return False
    # perf 6.1 was seen to abort as it ends (a negative status): that is no refusal.
    if perf_record(work / 'try.data', '-e', 'cpu-clock', 'true').returncode > 0:
        skip(title, 'perf may not record here')
        return False
    return True


def may_record():
    """False, and said, where nothing may be recorded."""
    compile_program('tree')
    r = run(WICK, 'record', '-q', '-o', work / 'try.svg', work / 'tree', 1000000)
    if not r.returncode and (work / 'try.svg').exists():
        return True
    skip('recording', f'nothing may be recorded here: {r.stderr}')
    return False


def main(test):
    """Runs it where something may be recorded."""
    tap.main(lambda: may_record() and test())
