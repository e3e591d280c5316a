"""What the tests of recordings share: programs to record, recordings, and TAP.

Only shapes are looked at (which chains, in what proportion), never a time.  $WICK is the program to
test.  `work` is a folder that is gone at the end.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / 'programs'
WICK = os.environ['WICK']
NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
ENDLESS = 10000000000
results = []
folder = tempfile.TemporaryDirectory()
work = Path(folder.name)


def ok(passed, name, *why):
    results.append(bool(passed))
    print(f'{"ok" if passed else "not ok"} {len(results)} - {name}')
    for line in why if not passed else []:
        for part in str(line)[:2000].splitlines():
            print(f'# {part}')


def skip(name, why):
    results.append(True)
    print(f'ok {len(results)} - {name} # SKIP {why}')


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, timeout=120, **more)


def start(*command, **more):
    return subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def compile_program(source, out=None, *flags, compiler='gcc', optimize='-O2'):
    out = work / (out or source)
    subprocess.run([compiler, optimize, '-g', '-fomit-frame-pointer', '-fno-optimize-sibling-calls',
                    '-pthread', *flags, '-o', out, PROGRAMS / f'{source}.c'], check=True)
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


def wait_for(condition):
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.02)
    return False


def is_recording(process):
    """Has it events open?"""
    def links():
        for fd in Path(f'/proc/{process.pid}/fd').iterdir():
            try:
                yield os.readlink(fd)
            except OSError:
                pass
    return process.poll() is not None or any('perf_event' in link for link in links())


def is_running(name, parent):
    """The pid of the child of that name."""
    r = run('pgrep', '-P', parent, '-x', name)
    return int(r.stdout.split()[0]) if r.stdout.strip() else 0


def busy(*arguments):
    """A program of ours that runs until it is killed."""
    p = subprocess.Popen([str(a) for a in arguments], stdout=subprocess.DEVNULL)
    name = Path(arguments[0]).name[:15]
    wait_for(lambda: Path(f'/proc/{p.pid}/comm').read_text().strip() == name)
    return p


def may_record():
    """False, and said, where nothing may be recorded."""
    compile_program('tree')
    r = run(WICK, 'record', '-q', '-o', work / 'try.svg', work / 'tree', 1000000)
    if not r.returncode and (work / 'try.svg').exists():
        return True
    skip('recording', f'nothing may be recorded here: {r.stderr}')
    return False


def main(test):
    """Runs it in a folder that is gone afterwards, as a user who has nothing."""
    with folder:
        os.environ['HOME'] = folder.name
        if may_record():
            test()
    print(f'1..{len(results)}')
    sys.exit(0 if all(results) else 1)
