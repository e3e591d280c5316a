"""What the tests in Python share: TAP, processes, and a folder that is gone at the end."""
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / 'programs'
results = []
folder = tempfile.TemporaryDirectory(prefix='wick-test.')
work = Path(folder.name).resolve()


def ok(passed, name, *why):
    results.append(bool(passed))
    print(f'{"ok" if passed else "not ok"} {len(results)} - {name}', flush=True)
    for line in why if not passed else []:
        for part in str(line)[:2000].splitlines():
            print(f'# {part}')


def skip(name, why):
    results.append(True)
    print(f'ok {len(results)} - {name} # SKIP {why}', flush=True)


def run(*command, timeout=300, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, timeout=timeout, **more)


def run_text(*command, **more):
    """The same with text, whatever the bytes are."""
    return run(*command, encoding='utf-8', errors='replace', **more)


def text(*command, **more):
    """What it prints."""
    return run_text(*command, **more).stdout


def main(test):
    """Runs it as a user who has nothing: perf keeps copies of programs below the home, and wick looks there."""
    # A Rust that is installed below the home is still found.
    os.environ.setdefault('RUSTUP_HOME', os.path.expanduser('~/.rustup'))
    # Who stops a test does not mean the programs that it has started, nor its files, to stay.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with folder:
        os.environ['HOME'] = str(work)
        test()
    print(f'1..{len(results)}')
    sys.exit(0 if all(results) else 1)
