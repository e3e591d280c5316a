#!/bin/sh
# Large files of few distinct stacks: wick needs memory for the stacks, not for the file.
. "$(dirname "$0")/lib.sh"

# Files are larger than the memory that wick may take; counts are those of the repeated parts.  Sanitizers need
# memory and time of their own: small files then, which are only read.
unit=$((SANITIZED ? 1 << 16 : 1 << 20))
cat >make.py <<'END'
import gzip, sys
MB = int(sys.argv[3])

def repeat(text, size):
    for _ in range(size // len(text) // 100):
        yield text * 100

def varint(n):
    return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])

def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value

def pprof():
    yield field(1, field(1, 1) + field(2, 2))
    yield from repeat(field(2, field(1, bytes(range(1, 30))) + field(2, b'\x01') + field(3, field(1, 1) + field(2, 2))), 40 * MB)
    for i in range(1, 30):
        yield field(4, field(1, i) + field(4, field(1, i))) + field(5, field(1, i) + field(2, 2 + i))
    for text in ['', 'samples', 'count', *(f'f{i}' for i in range(1, 30))]:
        yield field(6, text.encode())

def speedscope(size=40 * MB):
    frames = ','.join('{"name":"f%d"}' % i for i in range(30))
    stack = str(list(range(30))).encode() + b','
    yield b'{"shared":{"frames":[%s]},"profiles":[{"type":"sampled","unit":"none","samples":[' % frames.encode()
    nr = 0
    for part in repeat(stack, size):
        yield part
        nr += len(part) // len(stack)
    yield b'[0]],"weights":['
    yield b'1,' * nr + b'1]}]}'

def evented():
    yield b'{"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"evented","unit":"none","events":[{"type":"O","frame":0,"at":0}'
    for i in range(700000 * MB >> 20):
        yield b',{"type":"O","frame":1,"at":%d},{"type":"C","frame":1,"at":%d}' % (2 * i, 2 * i + 1)
    yield b',{"type":"C","frame":0,"at":1400000}]}]}'

def cpuprofile():
    yield b'{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"children":[2]},{"id":2,"callFrame":{"functionName":"b"}}],"startTime":0,"samples":['
    for part in repeat(b'1,2,2,2,', 20 * MB):
        yield part
    yield b'1],"timeDeltas":['
    for part in repeat(b'7,7,7,7,', 20 * MB):
        yield part
    yield b'7],"endTime":1}'

def firefox():
    yield b'''{"meta":{"interval":1,"preprocessedProfileVersion":55},"libs":[],"threads":[{"name":"t","pid":"1","tid":"1",
"stackTable":{"prefix":[null,0],"frame":[0,1]},"frameTable":{"func":[0,1]},"funcTable":{"name":[0,1]},"stringArray":["a","b"],"samples":{"stack":['''
    yield from repeat(b'0,1,1,1,', 16 * MB)
    yield b'0],"weight":['
    yield from repeat(b'1,1,1,1,', 16 * MB)
    yield b'1],"timeDeltas":['
    yield from repeat(b'1,1,1,1,', 16 * MB)
    yield b'1]}}]}'

def slices():
    """In order of their ends, as Chrome writes them: the root comes last."""
    nr = 1000000 * MB >> 20
    yield b'{"traceEvents":['
    for i in range(nr):
        yield b'{"ph":"X","name":"f","pid":1,"tid":1,"ts":%d,"dur":1},' % (2 * i)
    yield b'{"ph":"X","name":"root","pid":1,"tid":1,"ts":0,"dur":%d}]}' % (2 * nr)

def pairs():
    nr = 1200000 * MB >> 20
    yield b'[{"ph":"B","name":"root","pid":1,"tid":1,"ts":0}'
    for i in range(nr):
        yield b',{"ph":"B","name":"f","pid":1,"tid":1,"ts":%d},{"ph":"E","pid":1,"tid":1,"ts":%d}' % (2 * i, 2 * i + 1)
    yield b',{"ph":"E","pid":1,"tid":1,"ts":%d}]' % (2 * nr)

def chunks():
    yield b'[{"ph":"P","name":"Profile","pid":1,"tid":1,"id":"0x1","ts":0,"args":{"data":{"startTime":0}}}'
    yield b',{"ph":"P","name":"ProfileChunk","pid":1,"tid":1,"id":"0x1","ts":0,"args":{"data":{"cpuProfile":{"nodes":['
    yield b'{"id":1,"callFrame":{"functionName":"root"}},{"id":2,"parent":1,"callFrame":{"functionName":"f"}}]}}}}'
    chunk = b',{"ph":"P","name":"ProfileChunk","pid":1,"tid":1,"id":"0x1","ts":0,"args":{"data":{"cpuProfile":{"samples":[%s]},"timeDeltas":[%s]}}}'
    yield from repeat(chunk % (b'2,' * 99 + b'2', b'7,' * 99 + b'7'), 20 * MB)
    yield b']'

def samples():
    yield b'{"traceEvents":[],"samples":['
    yield from repeat(b'{"cpu":0,"tid":1,"ts":1000.0,"name":"cycles","sf":2,"weight":1},', 40 * MB)
    yield b'{"cpu":0,"tid":1,"ts":1000.0,"name":"cycles","sf":2,"weight":1}],'
    yield b'"stackFrames":{"1":{"name":"root"},"2":{"name":"f","parent":1}}}'

def packed():
    return speedscope(112 * MB)

name, file = sys.argv[1:3]
with (gzip.open(file, 'wb', compresslevel=1) if file.endswith('.gz') else open(file, 'wb')) as f:
    for part in globals()[name]():
        f.write(part)
END
cat >memory.py <<'END'
import resource, subprocess, sys
subprocess.run(['wick', 'convert', '-q', sys.argv[1], '--to', 'folded', '-o', 'out.folded'], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
END

# bounded KIND FILE MB TOTAL: MB is the memory that is allowed
bounded() {
	python3 make.py "$1" "$2" "$unit"
	run python3 memory.py "$2"
	is "$status" 0 "wick reads a large file ($1)"
	rm "$2"
	[ "$SANITIZED" = 0 ] || return
	ok "wick reads a large file ($1) in less than $3 MB" [ "${out:-9999}" -lt "$3" ] || comment 'MB' "$out$err"
	is "$(sed -n '$s/.* //p' out.folded)" "$4" "wick reads all of a large file ($1)"
}

bounded pprof x.pprof 32 998600
bounded speedscope x.speedscope.json 32 377800
bounded evented x.evented.json 32 700000
bounded cpuprofile x.cpuprofile 32 55049400
bounded firefox x.firefox.json 32 6291300
bounded slices x.trace.json 32 1000000
bounded pairs x.pairs.json 32 1200000
bounded chunks x.chunks.json 32 27789993
bounded samples x.samples.json 32 655301
# What is unpacked stays in memory up to 64 MB.
bounded packed x.json.gz 96 1058000
plan
