#!/usr/bin/env python3
"""Make one benchmark input.

usage: generate.py KIND --size BYTES [--seed N] -o FILE

  perf-example      perf script text: one system-wide recording, repeated
  perf-mixed        perf script text: Java, Go, Rust and C recordings, repeated
  perf-synthetic    perf script text of an invented program
  perf-distinct     the same with 200,000 different frame lines: addresses and offsets of any place, all stacks distinct
  perf-sites        the same with 210,000 different frame lines in the stacks of a call tree, some of them often
  perf-unique       the same, and no frame line is repeated
  perf-deep         stacks 60 to 200 deep of C++ names of up to 300 bytes, of 400 programs and threads and two events
  dtrace            dtrace ustack/stack aggregations, repeated
  dtrace-synthetic  the same of an invented program
  folded            distinct long folded stacks (about 2 KB, 41 frames a line)
  folded-few        distinct folded stacks of 50 names; BYTES is the number of lines, not bytes, here and below
  folded-shallow    the same, 3 frames deep, of 100,000 names
  folded-middle     the same, 17 frames deep, of 1,000 names, from a call tree
  folded-large      the same, 22 frames deep, of 8,000 names, from a call tree
  folded-deep       the same, 100 frames deep, of 8,000 names
  folded-names      the same, 5 frames deep, every leaf with a name of its own
  folded-after      the same after a change: a fifth of the lines are others, counts differ
  tree              folded stacks of a call tree of exactly BYTES frames, not
                    bytes, at most 60 deep; FILE may be -

The first two and dtrace are made from the recordings in shared/parity, found
next to the repository or through PARITY_DIR; the others need nothing.  BYTES
takes a suffix (100M, 1G: powers of ten).  One seed gives one file, always.

A file is one unit of text, copied until it is large enough.  A plain copy
would flatter any reader that remembers what it saw, so every copy gets fresh
time stamps, addresses and counts: no two copies share a sample.
"""
import argparse
import glob
import gzip
import hashlib
import itertools
import operator
import os
import random
import re
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
PARITY = os.environ.get('PARITY_DIR') or os.path.join(HERE, '..', '..', 'shared', 'parity')
RECORDINGS = os.path.join(PARITY, 'data', 'inferno')
EVENT = b'cpu-clock'

# A unit of invented text: large enough for thousands of different stacks, so that the tables of a reader
# do not all sit in the processor's cache, and small enough to be made at once.
SYNTHETIC_UNIT = 20_000_000


# ---- a unit of text with places to fill in ----

class Template:
    """Text with places for fresh numbers.

    Filling in is one bytes % tuple for a whole unit (megabytes): Python is
    fast enough for a gigabyte only if it never touches single lines.
    """

    def __init__(self):
        self.text = []
        self.masks = []  # of every place, in order: how large a number fits
        self.times = []  # which places take a time stamp instead

    def literal(self, text):
        self.text.append(text.replace(b'%', b'%%'))

    def number(self, form, mask):
        self.text.append(form)
        self.masks.append(mask)

    def time(self):
        self.times.append(len(self.masks))
        self.number(b'%.6f', 0)

    def write(self, out, size, rng):
        """Write copies until the file has size bytes."""
        form = b''.join(self.text)
        words = struct.Struct('<%dI' % len(self.masks))
        clock = 1000.0
        while out.tell() < size:
            noise = words.unpack(rng.randbytes(words.size))
            values = list(map(operator.and_, noise, self.masks))
            for place in self.times:
                clock += 0.000101
                values[place] = clock
            out.write(form % tuple(values))


def hex_digits(template, digits):
    """Put fresh low digits in an address; its length and its top digit, so its region, stay."""
    fresh = min(6, len(digits) - 1)
    template.literal(digits[:len(digits) - fresh])
    if fresh:
        template.number(b'%%0%dx' % fresh, 16 ** fresh - 1)


OFFSET = re.compile(rb'\+0x[0-9a-f]+')


def leaf_offset(template, text):
    """Write a frame with a fresh offset in its function: the innermost one is hit anywhere."""
    parts = OFFSET.split(text, maxsplit=1)
    template.literal(parts[0])
    if len(parts) == 2:
        template.number(b'+0x%x', 0x7ff)
        template.literal(parts[1])


# ---- perf script ----

HEADER = re.compile(rb'(?P<who>\S.*?\s+\d+(?:/\d+)?)(?P<cpu>(?:\s+\[\d+\])?)(?:\s+\d+\.\d+:)?'
                    rb'(?P<period>(?:\s+\d+)?)\s+(?P<event>[^\s:]+)(?::[a-zA-Z]*)?:\s*')
FRAME = re.compile(rb'(?P<indent>\s*)(?P<pc>[0-9a-f]+)(?P<rest> .*\))')


def perf_template(text, event=None):
    """A template from perf script text; event renames all events.

    Comment lines go.  Time stamps are put where the recording has none:
    without one inferno reads no event from the header, and would drop samples.
    """
    template = Template()
    leaf = False
    for line in text.splitlines():
        header = HEADER.fullmatch(line)  # first: 'dd 123 4.5: event:' begins like an address, too
        frame = not header and FRAME.fullmatch(line)
        if line.startswith(b'#'):
            continue
        if header:
            template.literal(header['who'] + header['cpu'] + b' ')
            template.time()
            template.literal(b':' + header['period'] + b' ' + (event or header['event']) + b': ')
        elif frame:
            template.literal(frame['indent'])
            hex_digits(template, frame['pc'])
            (leaf_offset if leaf else Template.literal)(template, frame['rest'])
        elif line.strip():
            raise ValueError('neither header nor frame: %r' % line)
        leaf = bool(header)
        template.literal(b'\n')
    return template


def recording(path):
    """The text of a recording, ending in a blank line so that the next one can follow."""
    with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as f:
        return f.read().rstrip(b'\n') + b'\n\n'


def perf_example_file():
    return os.path.join(RECORDINGS, 'flamegraph', 'example-perf-stacks.txt.gz')


def perf_example(out, size, rng):
    perf_template(recording(perf_example_file())).write(out, size, rng)


def perf_mixed(out, size, rng):
    """Many programs and header shapes.  All events become one: by default the tools read only the first
    event, and not all understand the same one by it."""
    paths = sorted(glob.glob(os.path.join(RECORDINGS, 'flamegraph', 'test', 'perf-*.txt')))
    # Of the small fixtures, those that are well-formed; the others are about errors.
    paths += [os.path.join(RECORDINGS, 'tests', 'data', 'collapse-perf', name + '.txt')
              for name in ('go-stacks', 'java-inline', 'single-event')]
    perf_template(b''.join(map(recording, paths)), EVENT).write(out, size, rng)


# ---- dtrace ----

COUNT = re.compile(rb'\s*\d+\s*')
DTRACE_HEAD = b'CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s \n\n\n'


def dtrace_template(text):
    """A template from dtrace stacks without their heading: fresh counts, fresh offsets of leaves."""
    template = Template()
    leaf = True
    for line in text.splitlines():
        if COUNT.fullmatch(line):
            template.literal(b' ' * 14 + b'1')  # a first digit, as no count may be 0
            template.number(b'%02d', 63)
        else:
            (leaf_offset if leaf else Template.literal)(template, line)
        leaf = not line.strip()
        template.literal(b'\n')
    return template


def dtrace_file():
    return os.path.join(RECORDINGS, 'flamegraph', 'example-dtrace-stacks.txt')


def dtrace(out, size, rng):
    paths = [dtrace_file()]
    paths += [os.path.join(RECORDINGS, 'tests', 'data', 'collapse-dtrace', name + '.txt')
              for name in ('hex-addresses', 'rust-names')]
    # The heading ends at the first blank line.
    stacks = [recording(p).split(b'\n\n', 1)[1].lstrip(b'\n') for p in paths]
    out.write(DTRACE_HEAD)
    dtrace_template(b''.join(stacks)).write(out, size, rng)


# ---- invented programs ----

SPACES = ('storage::engine', 'net::http', 'parser', 'std', 'query::planner', 'core::iter', 'runtime::task', 'codec')
TYPES = ('BlockCache', 'HashMap', 'Scheduler', 'TokenStream', 'Connection', 'Arena', 'RowReader', 'MergeIterator')
VERBS = ('insert', 'find_or_create', 'poll', 'dispatch', 'read_block', 'flush', 'advance', 'decode', 'compact', 'hash')
ARGUMENTS = ('unsigned long', 'char const*, long', 'storage::Slice const&', 'int, bool')
KERNEL = ('entry_SYSCALL_64_after_hwframe', 'do_syscall_64', 'ksys_read', 'vfs_read', 'ext4_file_read_iter',
          'filemap_read', 'copy_page_to_iter')
MODULES = ('/usr/bin/served', '/usr/lib/x86_64-linux-gnu/libc.so.6', '/opt/served/lib/libengine.so.2')


def names(rng, n):
    """n different function names of about 50 bytes."""
    return ['%s::%s::%s_%d(%s)' % (rng.choice(SPACES), rng.choice(TYPES), rng.choice(VERBS), i, rng.choice(ARGUMENTS))
            for i in range(n)]


def stacks(rng, mean):
    """Endless stacks, outermost frame first, about mean frames deep.

    A stack shares its outer part with an earlier one, as in a call tree, and
    goes on with names of Zipf-like popularity, never the same twice in a row
    (the peers' readers of folded text fold such recursion away).
    """
    pool = names(rng, 8000)
    shares = list(itertools.accumulate(1 / rank for rank in range(1, len(pool) + 1)))
    earlier = [['_start']]
    while True:
        shared = rng.choice(earlier)
        depth = rng.randint(mean // 2, mean * 3 // 2)
        stack = shared[:rng.randint(1, min(len(shared), depth))]
        for name in rng.choices(pool, cum_weights=shares, k=depth - len(stack)):
            if name != stack[-1]:
                stack.append(name)
        if len(earlier) < 4096:
            earlier.append(stack)
        else:
            earlier[rng.randrange(len(earlier))] = stack
        yield stack


def samples(rng, mean):
    """Endless stacks as a profiler sees them: a few thousand different ones, some of them most of the time."""
    known = list(itertools.islice(stacks(rng, mean), 5000))
    known = [s + list(KERNEL) if rng.random() < 0.3 else s for s in known]
    shares = list(itertools.accumulate(1 / rank ** 0.7 for rank in range(1, len(known) + 1)))
    while True:
        yield rng.choices(known, cum_weights=shares)[0]


def call_sites(stack):
    """(function, its module, offset) of every frame, innermost first.  A function calls another from one
    place, so that equal pairs have equal offsets, as return addresses do."""
    for name, callee in zip(reversed(stack), [''] + stack[:0:-1]):
        home, site = zlib.crc32(name.encode()), zlib.crc32((name + callee).encode())
        yield name, '[kernel.kallsyms]' if name in KERNEL else MODULES[home % len(MODULES)], site & 0x7ff


def perf_sample(rng, stack):
    thread = 4000 + rng.randrange(8)
    lines = ['served  4000/%d  [%03d] 0.000000:     250000 cpu-clock: ' % (thread, thread % 4)]
    for name, module, offset in call_sites(stack):
        base = 0xffffffff81000000 if name in KERNEL else 0x55d000000000
        pc = base + zlib.crc32(name.encode()) % 0xffff00 + offset
        lines.append('\t%16x %s+0x%x (%s)' % (pc, name, offset, module))
    return '\n'.join(lines) + '\n\n'


def dtrace_stack(stack):
    lines = ['%s`%s+0x%x' % (os.path.basename(module).strip('[]'), name, offset)
             for name, module, offset in call_sites(stack)]
    return '\n'.join(' ' * 14 + line for line in lines) + '\n' + ' ' * 16 + '1\n\n'


def unit(pieces, size):
    """As many pieces of text as fit in one unit."""
    text, length = [], 0
    while length < min(size, SYNTHETIC_UNIT):
        text.append(next(pieces))
        length += len(text[-1])
    return ''.join(text).encode()


def perf_synthetic(out, size, rng):
    pieces = (perf_sample(rng, s) for s in samples(rng, 24))
    perf_template(unit(pieces, size)).write(out, size, rng)


def perf_distinct(out, size, rng):
    """Frames of 40,000 functions at any of their places: hardly a line is the same as another one."""
    pool = names(rng, 40_000)
    homes = [rng.choice(MODULES) for _ in pool]
    lines = []
    for _ in range(200_000):
        function, offset = rng.randrange(len(pool)), rng.randrange(0x800)
        lines.append('\t%16x %s+0x%x (%s)\n' % (0x55d000000000 + function * 0x800 + offset, pool[function], offset,
                                               homes[function]))
    perf_write(out, size, lambda clock: perf_head(rng, clock) + ''.join(rng.choices(lines, k=rng.randint(12, 36))))


def perf_head(rng, clock, comm='served', event='cpu-clock'):
    thread = 4000 + rng.randrange(8)
    return '%s  4000/%d  [%03d] %.6f:     250000 %s: \n' % (comm, thread, rng.randrange(4), clock, event)


def perf_write(out, size, sample):
    """Samples from a function of the time, until there are enough."""
    clock = 1000.0
    while out.tell() < size:
        clock += 0.000101
        out.write((sample(clock) + '\n').encode())


def perf_sites(out, size, rng):
    """A call tree: a function is called from several places, so that its line has several addresses and offsets."""
    pool = names(rng, 8000)
    homes = [rng.choice(MODULES) for _ in pool]

    def stack():
        at, lines = 0, []
        for level in range(rng.randint(15, 35)):
            branch = min(int(rng.paretovariate(1.5)), 30)
            at = (at * 2654435761 + branch * 40503 + level) % len(pool)
            offset = zlib.crc32(b'%d %d' % (at, branch)) & 0x7ff
            lines.append('\t%16x %s+0x%x (%s)\n' % (0x55d000000000 + at * 0x800 + offset, pool[at], offset, homes[at]))
        return ''.join(reversed(lines))

    known = [stack() for _ in range(60_000)]
    shares = list(itertools.accumulate(1 / rank ** 0.6 for rank in range(1, len(known) + 1)))
    perf_write(out, size, lambda clock: perf_head(rng, clock) + rng.choices(known, cum_weights=shares)[0])


def perf_unique(out, size, rng):
    """Every frame line has a name of its own."""
    count = itertools.count()
    spaces = [space + '::' + kind for space in SPACES for kind in TYPES]

    def sample(clock):
        lines = ['\t%16x %s::run_%d()+0x%x (%s)\n' % (0x55d000000000 + i * 64, rng.choice(spaces), i, i & 0x3f, MODULES[i % 3])
                 for i in itertools.islice(count, rng.randint(12, 36))]
        return perf_head(rng, clock) + ''.join(lines)

    perf_write(out, size, sample)


def perf_deep(out, size, rng):
    """Deep recursion of templates: long names, long stacks, many processes."""
    pool = ['%s<%s>' % (name, ', '.join(rng.choices(names(rng, 20), k=rng.randint(1, 4)))) for name in names(rng, 3000)]
    comms = ['worker-%d' % i if i % 3 else 'pool %d' % i for i in range(400)]

    def sample(clock):
        at, lines = rng.randrange(20), []
        for level in range(rng.randint(60, 200)):
            at = (at * 2654435761 + (rng.randrange(3) == 0) + level) % len(pool)
            lines.append('\t%16x %s+0x%x (%s)\n' % (0x55d000000000 + at * 0x800, pool[at], rng.randrange(0x800), MODULES[at % 3]))
        event = 'cpu-clock' if rng.random() < 0.7 else 'page-faults'
        return perf_head(rng, clock, rng.choice(comms), event) + ''.join(reversed(lines))

    perf_write(out, size, sample)


def dtrace_synthetic(out, size, rng):
    out.write(DTRACE_HEAD)
    dtrace_template(unit(map(dtrace_stack, samples(rng, 24)), size)).write(out, size, rng)


def folded_lines(rng):
    """Endless distinct stacks as bytes, with a count each."""
    seen = set()
    for stack in stacks(rng, 42):
        line = ';'.join(stack).encode()
        digest = hashlib.blake2b(line, digest_size=8).digest()
        if digest not in seen:
            seen.add(digest)
            yield line, min(int(rng.paretovariate(1.1)), 1_000_000)


def folded(out, size, rng):
    for line in folded_lines(rng):
        out.write(b'%s %d\n' % line)
        if out.tell() >= size:
            return


def call_tree_lines(rng, depth, nr_name, branches):
    """Endless folded stacks of a call tree: the name of a frame, and so what it can call, depends on its caller."""
    pool = [name.encode() for name in names(rng, nr_name)]
    while True:
        at, line = 0, []
        for level in range(rng.randint(max(1, depth * 3 // 4), depth * 5 // 4)):
            at = (at * 2654435761 + rng.randrange(branches) * 40503 + level) % nr_name
            line.append(pool[at])
        yield b';'.join(line)


def shape(depth, nr_name, branches, own_leaf=False):
    """A generator of so many lines of this shape, in random order."""
    def write(out, nr, rng):
        lines = call_tree_lines(rng, depth, nr_name, branches)
        for i in range(nr):
            leaf = b';leaf_of_line_%d' % i if own_leaf else b''
            out.write(b'%s%s %d\n' % (next(lines), leaf, rng.randint(1, 100)))
    return write


def folded_after(out, size, rng):
    """Four of five stacks are those of `folded` with the seed 1; the others are new."""
    new = folded_lines(rng)
    for line, count in folded_lines(random.Random('folded 1')):
        if rng.random() < 0.2:
            line, count = next(new)
        out.write(b'%s %d\n' % (line, max(1, int(count * rng.uniform(0.5, 2)))))
        if out.tell() >= size:
            return


# ---- a call tree ----

TREE_DEPTH = 60
C_NAMES = ('pthread_mutex_lock', 'malloc', 'memcpy_avx_unaligned_erms', 'inflate_fast', 'sqlite3VdbeExec',
           'png_read_row', 'EVP_DigestUpdate', 'hash_table_lookup', 'ev_run', 'getaddrinfo')
ELEMENTS = ('int', 'char const*', 'std::string', 'net::Buffer', 'storage::Slice', 'unsigned long')
SUBSYSTEMS = ('ext4', 'tcp', 'xfs', 'blk_mq', 'sched', 'futex', 'page_cache', 'nvme', 'rcu', 'skb')
STEPS = ('alloc', 'submit', 'lookup', 'wait_on', 'copy_from_user', 'flush', 'acquire_slowpath', 'release')


def user_name(rng, i):
    """One of three spellings, so that every rule of shortening has work."""
    which = rng.random()
    if which < 0.25:
        return '%s_%d' % (rng.choice(C_NAMES), i)
    place = '%s::%s' % (rng.choice(SPACES), rng.choice(TYPES))
    if which < 0.7:
        return '%s::%s_%d(%s)' % (place, rng.choice(VERBS), i, rng.choice(ARGUMENTS))
    first, second = rng.choice(ELEMENTS), rng.choice(ELEMENTS)
    return '%s<%s, std::vector<%s> >::%s_%d(%s) const' % (place, first, second, rng.choice(VERBS), i,
                                                         rng.choice(ARGUMENTS))


def tree_rows(rng, nr):
    """(caller, name) of every frame, callers before callees; siblings differ, what a kernel frame calls is kernel.

    A frame is called by the one before it, as a stack grows, or by any earlier one, as a tree branches.
    """
    user = [user_name(rng, i).encode() for i in range(8000)]
    kernel = [('%s_%s_%d_[k]' % (rng.choice(SUBSYSTEMS), rng.choice(STEPS), i)).encode() for i in range(800)]
    shares = list(itertools.accumulate((1 / rank for rank in range(1, len(user) + 1))))
    picks = rng.choices(range(len(user)), cum_weights=shares, k=nr)
    callers, rows, depth, in_kernel, seen = [-1], [b'served'], [1], [False], set()
    for i in range(1, nr):
        caller = i - 1 if rng.random() < 0.4 else int(rng.random() * i)
        while depth[caller] == TREE_DEPTH:
            caller = callers[caller]
        is_kernel = in_kernel[caller] or (i > 16 and rng.random() < 0.02)
        pool = kernel if is_kernel else user
        pick = picks[i] % len(pool)
        while (caller, is_kernel, pick) in seen:
            pick = int(rng.random() * len(pool))
        seen.add((caller, is_kernel, pick))
        callers.append(caller)
        rows.append(pool[pick])
        depth.append(depth[caller] + 1)
        in_kernel.append(is_kernel)
    return callers, rows


def tree(out, nr, rng):
    """Every leaf has samples, and so have some of the frames that call others."""
    callers, rows = tree_rows(rng, nr)
    first, following = [0] * nr, [0] * nr  # 0: none, since row 0 is called by nobody
    for i in range(nr - 1, 0, -1):
        following[i] = first[callers[i]]
        first[callers[i]] = i
    pending = [(0, b'')]
    while pending:
        i, above = pending.pop()
        stack = above + rows[i]
        if not first[i] or rng.random() < 0.2:
            out.write(b'%s %d\n' % (stack, min(int(rng.paretovariate(1.1)), 1_000_000)))
        if following[i]:
            pending.append((following[i], above))
        if first[i]:
            pending.append((first[i], stack + b';'))


# ---- command line ----

KINDS = {'perf-example': perf_example, 'perf-mixed': perf_mixed, 'perf-synthetic': perf_synthetic,
         'perf-distinct': perf_distinct, 'perf-sites': perf_sites, 'perf-unique': perf_unique, 'perf-deep': perf_deep,
         'dtrace': dtrace, 'dtrace-synthetic': dtrace_synthetic, 'folded': folded,
         'folded-after': folded_after, 'tree': tree, 'folded-few': shape(12, 50, 4), 'folded-shallow': shape(3, 100_000, 1000),
         'folded-middle': shape(17, 1000, 6), 'folded-large': shape(22, 8000, 3), 'folded-deep': shape(100, 8000, 3),
         'folded-names': shape(4, 1000, 6, own_leaf=True)}
NEEDS = {'perf-example': perf_example_file, 'perf-mixed': perf_example_file, 'dtrace': dtrace_file}


def possible(kind):
    """Whether what the kind is made from is here."""
    return kind not in NEEDS or os.path.exists(NEEDS[kind]())


def size_of(text):
    """Bytes in '100M'; powers of ten, as in MB/s."""
    unit_of = {'K': 10 ** 3, 'M': 10 ** 6, 'G': 10 ** 9}
    return int(float(text[:-1]) * unit_of[text[-1]]) if text[-1:] in unit_of else int(text)


def generate(kind, size, seed, path):
    """Write the file; it appears under its name only when it is whole."""
    # The kind is part of the seed so that two kinds never draw the same numbers.
    rng = random.Random('%s %d' % (kind, seed))
    if path == '-':
        KINDS[kind](sys.stdout.buffer, size, rng)
        return
    with open(path + '.part', 'wb', buffering=1 << 20) as out:
        KINDS[kind](out, size, rng)
    os.replace(path + '.part', path)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('kind', choices=KINDS)
    ap.add_argument('--size', type=size_of, required=True, metavar='BYTES')
    ap.add_argument('--seed', type=int, default=1, metavar='N')
    ap.add_argument('-o', '--output', required=True, metavar='FILE')
    a = ap.parse_args()
    if not possible(a.kind):
        sys.exit('generate.py: %s is made from %s, which is not here' % (a.kind, NEEDS[a.kind]()))
    generate(a.kind, a.size, a.seed, a.output)


if __name__ == '__main__':
    main()
