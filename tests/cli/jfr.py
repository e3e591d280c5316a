#!/usr/bin/env python3
"""jfr.py FILE [fixed|chained|nothing|async|instant]: writes a small file of JDK Flight Recorder's, byte by byte: two threads, samples, an
allocation, a wait.  fixed: numbers are big-endian; chained: constants are in two checkpoints; nothing: without events;
async: what only async-profiler writes; instant: exceptions, which take no time."""
import struct
import sys

BASIC = ['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double', 'java.lang.String']
ID = {name: 10 + i for i, name in enumerate(BASIC)}
ID.update({name: 30 + i for i, name in enumerate([
    'jdk.types.Symbol', 'java.lang.Class', 'jdk.types.Method', 'jdk.types.FrameType', 'jdk.types.StackFrame',
    'jdk.types.StackTrace', 'java.lang.Thread', 'jdk.ExecutionSample', 'jdk.ObjectAllocationSample',
    'jdk.ThreadPark', 'jdk.CPULoad', 'jdk.types.ThreadState', 'profiler.WallClockSample', 'profiler.Malloc',
    'jdk.ObjectAllocationInNewTLAB', 'profiler.LiveObject', 'jdk.JavaExceptionThrow'])})
KEY, LIST = 'key', 'list'
CLASSES = {
    'jdk.types.Symbol': [('string', 'java.lang.String')],
    'java.lang.Class': [('classLoader', 'long'), ('name', 'jdk.types.Symbol', KEY)],
    'jdk.types.Method': [('type', 'java.lang.Class', KEY), ('name', 'jdk.types.Symbol', KEY), ('hidden', 'boolean')],
    'jdk.types.FrameType': [('description', 'java.lang.String')],
    'jdk.types.StackFrame': [('method', 'jdk.types.Method', KEY), ('lineNumber', 'int'), ('type', 'jdk.types.FrameType', KEY)],
    'jdk.types.StackTrace': [('truncated', 'boolean'), ('frames', 'jdk.types.StackFrame', LIST)],
    'java.lang.Thread': [('osName', 'java.lang.String'), ('osThreadId', 'long'), ('javaName', 'java.lang.String')],
    'jdk.ExecutionSample': [('startTime', 'long'), ('sampledThread', 'java.lang.Thread', KEY),
                            ('stackTrace', 'jdk.types.StackTrace', KEY)],
    'jdk.ObjectAllocationSample': [('startTime', 'long'), ('eventThread', 'java.lang.Thread', KEY),
                                   ('stackTrace', 'jdk.types.StackTrace', KEY), ('weight', 'long')],
    'jdk.ThreadPark': [('startTime', 'long'), ('duration', 'long'), ('eventThread', 'java.lang.Thread', KEY),
                       ('stackTrace', 'jdk.types.StackTrace', KEY)],
    'jdk.JavaExceptionThrow': [('startTime', 'long'), ('duration', 'long'), ('eventThread', 'java.lang.Thread', KEY),
                               ('stackTrace', 'jdk.types.StackTrace', KEY)],
    'jdk.CPULoad': [('startTime', 'long'), ('user', 'float')],
    'jdk.types.ThreadState': [('name', 'java.lang.String')],
    'profiler.WallClockSample': [('startTime', 'long'), ('sampledThread', 'java.lang.Thread', KEY),
                                 ('stackTrace', 'jdk.types.StackTrace', KEY), ('state', 'jdk.types.ThreadState', KEY), ('samples', 'int')],
    'profiler.Malloc': [('startTime', 'long'), ('eventThread', 'java.lang.Thread', KEY),
                        ('stackTrace', 'jdk.types.StackTrace', KEY), ('address', 'long'), ('size', 'long')],
    'jdk.ObjectAllocationInNewTLAB': [('startTime', 'long'), ('eventThread', 'java.lang.Thread', KEY),
                                      ('stackTrace', 'jdk.types.StackTrace', KEY), ('objectClass', 'java.lang.Class', KEY),
                                      ('allocationSize', 'long'), ('tlabSize', 'long')],
    'profiler.LiveObject': [('startTime', 'long'), ('eventThread', 'java.lang.Thread', KEY),
                            ('stackTrace', 'jdk.types.StackTrace', KEY), ('objectClass', 'java.lang.Class', KEY),
                            ('allocationSize', 'long'), ('allocationTime', 'long')],
}
SYMBOLS = {1: 'org/acme/Main', 2: 'main', 3: 'caf\u00e9', 4: 'run', 5: 'Main$$Lambda'}
METHODS = {1: (1, 2, 0), 2: (1, 3, 0), 3: (5, 4, 1)}  # class, name, hidden
STACKS = {1: (0, [(2, 7, 2), (3, 0, 1), (1, 5, 1)]), 2: (1, [(1, 6, 1)])}
THREADS = {1: ('main', 101, 'main'), 2: ('Thread-1', 102, '')}
FREQUENCY, BEGIN, TICKS = 10**6, 1700000000 * 10**9, 5000


def varint(n):
    out = b''
    for _ in range(8):
        if n < 0x80:
            return out + bytes([n])
        out, n = out + bytes([n & 0x7f | 0x80]), n >> 7
    return out + bytes([n])


def string(s):
    if not s:
        return b'\1'
    if s.isascii():
        return b'\3' + varint(len(s)) + s.encode()
    return b'\5' + varint(len(s)) + s.encode('latin-1')


def number(n, basic, fixed):
    if basic in ('boolean', 'byte'):
        return bytes([n])
    if basic == 'float':
        return struct.pack('>f', n)
    size = {'short': 2, 'char': 2, 'int': 4, 'long': 8}[basic]
    return n.to_bytes(size, 'big') if fixed else varint(n)


def event(kind, payload):
    body = varint(kind) + payload
    size = len(body) + 1
    while len(varint(size)) + len(body) != size:
        size += 1
    return varint(size) + body


def metadata(fixed):
    texts = []

    def text(s):
        if s not in texts:
            texts.append(s)
        return varint(texts.index(s))

    def element(name, attributes, children=()):
        return (text(name) + varint(len(attributes)) + b''.join(text(k) + text(str(v)) for k, v in attributes.items()) +
                varint(len(children)) + b''.join(children))

    classes = [element('class', {'id': ID[name], 'name': name}) for name in BASIC]
    for name, fields in CLASSES.items():
        children = []
        for f in fields:
            attributes = {'name': f[0], 'class': ID[f[1]]}
            if KEY in f[2:]:
                attributes['constantPool'] = 'true'
            if LIST in f[2:]:
                attributes['dimension'] = '1'
            children.append(element('field', attributes))
        classes.append(element('class', {'id': ID[name], 'name': name}, children))
    tree = element('root', {}, [element('metadata', {}, classes), element('region', {'locale': 'en'})])
    return event(0, varint(0) * 3 + varint(len(texts)) + b''.join(map(string, texts)) + tree)


def pools(names, fixed):
    n = lambda value, basic: number(value, basic, fixed)
    values = {
        'jdk.types.Symbol': {k: string(v) for k, v in SYMBOLS.items()},
        'java.lang.Class': {k: n(0, 'long') + varint(k) for k in (1, 5)},
        'jdk.types.Method': {k: varint(c) + varint(s) + bytes([h]) for k, (c, s, h) in METHODS.items()},
        'jdk.types.FrameType': {1: string('Interpreted'), 2: string('Inlined')},
        'jdk.types.ThreadState': {1: string('STATE_SLEEPING')},
        'jdk.types.StackTrace': {k: bytes([t]) + varint(len(frames)) + b''.join(
            varint(m) + n(line, 'int') + varint(kind) for m, line, kind in frames) for k, (t, frames) in STACKS.items()},
        'java.lang.Thread': {k: string(o) + n(i, 'long') + string(j) for k, (o, i, j) in THREADS.items()},
    }
    return varint(len(names)) + b''.join(
        varint(ID[name]) + varint(len(values[name])) + b''.join(varint(k) + v for k, v in values[name].items())
        for name in names)


def chunk(kind):
    fixed = kind == 'fixed'
    n = lambda value, basic='long': number(value, basic, fixed)
    at = lambda us: n(TICKS + us)
    body = b''
    if kind == 'async':
        body += event(ID['profiler.WallClockSample'], at(10) + varint(1) + varint(1) + varint(1) + n(7, 'int'))
        body += event(ID['profiler.Malloc'], at(20) + varint(1) + varint(1) + n(0x7f0000001000) + n(4096))
        body += event(ID['jdk.ObjectAllocationInNewTLAB'], at(30) + varint(1) + varint(1) + varint(1) + n(24) + n(524288))
        body += event(ID['profiler.LiveObject'], at(40) + varint(2) + varint(1) + varint(1) + n(32) + n(TICKS))
    elif kind == 'instant':
        body += event(ID['jdk.JavaExceptionThrow'], at(10) + n(0) + varint(1) + varint(1)) * 2
        body += event(ID['jdk.ThreadPark'], at(50) + n(250) + varint(2) + varint(1))
    elif kind != 'nothing':
        body += event(ID['jdk.ExecutionSample'], at(10) + varint(1) + varint(1))
        body += event(ID['jdk.ExecutionSample'], at(20) + varint(2) + varint(2))
        body += event(ID['jdk.ExecutionSample'], at(30) + varint(1) + varint(1))
        body += event(ID['jdk.ObjectAllocationSample'], at(40) + varint(1) + varint(1) + n(4096))
        body += event(ID['jdk.ThreadPark'], at(50) + n(250) + varint(2) + varint(1))
        body += event(ID['jdk.CPULoad'], at(60) + n(0.5, 'float'))
    names = ['jdk.types.Symbol', 'java.lang.Class', 'jdk.types.Method', 'jdk.types.FrameType', 'jdk.types.StackTrace',
             'java.lang.Thread'] + ['jdk.types.ThreadState'] * (kind == 'async')
    first = len(body)
    if kind == 'chained':
        body += event(1, varint(0) * 3 + b'\0' + pools(names[:3], fixed))
        names = names[3:]
    last = len(body)
    distance = varint((first - last) % 2**64) if last > first else varint(0)
    body += event(1, varint(0) * 2 + distance + b'\0' + pools(names, fixed))
    described = len(body)
    body += metadata(fixed)
    head = struct.pack('>4sHHQQQQQQQI', b'FLR\0', 2, 1, 68 + len(body), 68 + last, 68 + described, BEGIN, 10**9, TICKS,
                       FREQUENCY, 0 if fixed else 1)
    return head + body


if __name__ == '__main__':
    how = sys.argv[2] if len(sys.argv) > 2 else ''
    with open(sys.argv[1], 'wb') as f:
        f.write(chunk(how))
        if how == 'chained':
            f.write(chunk(''))
