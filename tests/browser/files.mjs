// The files that the tests open: inputs whose numbers are known, and what wick makes of them.
import {spawn, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {makePack} from '../web/pack.mjs';
import {Failure} from './harness.mjs';

export const REPO = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const WICK = process.env.WICK || path.join(REPO, 'build/wick');
const FOLDER = process.env.BROWSER_FILES || path.join(REPO, 'build-test/pages');

export function fileAt(name) {
	fs.mkdirSync(FOLDER, {recursive: true});
	return path.join(FOLDER, name);
}

export function write(name, content) {
	const file = fileAt(name);
	fs.writeFileSync(file, content);
	return file;
}

// What the program prints; as: under which of its names.
export function wick(args, {input, as, status = 0} = {}) {
	let program = WICK;
	if (as) {
		program = fileAt(as);
		fs.rmSync(program, {force: true});
		fs.symlinkSync(WICK, program);
	}
	const r = spawnSync(program, args, {input: input ?? '', maxBuffer: 1 << 30, timeout: 240000});
	if (r.error || r.status !== status)
		throw new Failure(`${as || 'wick'} ${args.join(' ')}: ${r.error || r.status}\n${r.stderr}`);
	return r.stdout.toString('utf8');
}

// The file that wick makes by this command line, made once a run.
const made = new Set();

function once(file, args) {
	if (!made.has(file))
		wick([...args, '-o', file]);
	made.add(file);
	return file;
}

export function flame(name, input, ending, ...options) {
	return once(fileAt(`${name}.${ending}`), ['flame', '-q', ...options, input]);
}

export function diff(ending) {
	return once(fileAt(`diff.${ending}`), ['diff', '-q', '--counts', 'samples', ...beforeAfter()]);
}

// A recording of so many seconds, with so many samples of each function in it.
function recording(name, seconds, counts) {
	const stacks = Object.entries(counts).flatMap(([f, nr]) => Array(nr).fill(f));
	return write(name, stacks.map((f, i) => `sh 12 [000] ${(100 + i * seconds / (stacks.length - 1)).toFixed(6)}: 1 cycles:\n` +
		`\t7f12 ${f}+0x2 (/bin/sh)\n\t7f13 main+0x2 (/bin/sh)\n\n`).join(''));
}

// Two of them, compared as if they had taken the same time.
export function timedDiff(ending) {
	return once(fileAt(`timed.${ending}`), ['diff', '-q', '--normalize', 'duration', recording('long.perf', 4, {steady: 600, slow: 200, fast: 800}),
		recording('short.perf', 2, {steady: 300, slow: 400, fast: 100})]);
}

// Sums of `wick collapse`, asked in the words of the tests.
export class Folded {
	constructor(input, ...options) {
		this.lines = wick(['collapse', '-q', ...options, input]).split('\n').filter(line => line).map(line => {
			const blank = line.lastIndexOf(' ');
			return {stack: line.slice(0, blank).split(';').map(bare), weight: Number(line.slice(blank + 1))};
		});
	}

	sum(keep) {
		return this.lines.reduce((sum, {stack, weight}) => sum + (keep(stack) ? weight : 0), 0);
	}

	get total() {
		return this.sum(() => true);
	}

	// Samples with a frame that the test takes; a stack counts once.
	with(takes) {
		return this.sum(stack => stack.slice(1).some(takes));
	}

	self(name) {
		return this.sum(stack => stack[stack.length - 1] === name);
	}

	share(takes) {
		return 100 * this.with(takes) / this.total;
	}
}

// A name without the mark of its kind, as pages show it.
function bare(name) {
	return name.replace(/_\[[kij]\]$/, '');
}

const SERVED = '/usr/bin/served';
const LIBC = '/usr/lib/x86_64-linux-gnu/libc.so.6';
const KERNEL = '[kernel.kallsyms]';
export const VECTOR = 'std::vector<http::Header, std::allocator<http::Header> >::push_back(http::Header const&)';

// name, module, source line; outermost first
const MAIN = [['main', SERVED, 'main.c:40'], ['serve', SERVED, 'main.c:22']];
const PARSE = ['parse_request', SERVED, 'parse.c:100'];
const TOKENS = [['tokenize', SERVED, 'parse.c:12'], ['next_char', '(inlined)', 'parse.c:5']];
const WORKER = [['start_thread', LIBC, 'pthread_create.c:442'], ['worker_loop', SERVED, 'worker.c:9'],
	['compress', SERVED, 'worker.c:31']];
const STACKS = {
	tokens: [...MAIN, PARSE, ...TOKENS],
	headers: [...MAIN, PARSE, [VECTOR, SERVED, 'stl_vector.h:1276'], ['memcpy', LIBC, 'memcpy.S:300']],
	escape: [...MAIN, ['render', SERVED, 'render.c:8'], ['render', SERVED, 'render.c:9'], ['render', SERVED, 'render.c:9'],
		['escape_html', SERVED, 'render.c:61']],
	output: [...MAIN, ['render', SERVED, 'render.c:8'], ['write_all', SERVED, 'render.c:77'],
		['__libc_write', LIBC, 'write.c:26'], ['entry_SYSCALL_64_after_hwframe', KERNEL, 'entry_64.S:120'],
		['ksys_write', KERNEL, 'read_write.c:731'], ['vfs_write', KERNEL, 'read_write.c:677']],
	deflate: [...WORKER, ['deflate_fast', SERVED, 'deflate.c:1800']],
	trailer: [...WORKER, PARSE, ...TOKENS],
};

// One sample as perf script prints it.
function perfSample(comm, tid, time, event, stack) {
	const lines = [`${comm} 100/${tid} [000] ${time.toFixed(6)}:   10000000 ${event}: `];
	stack.forEach(([name, module, source], i) => {
		const kernel = module === KERNEL;
		const address = (kernel ? 0xffffffff81000000n : 0x401000n) + BigInt(name.length * 64 + i);
		const where = module === '(inlined)' ? module : `(${module})`;
		lines.splice(1, 0, `\t${address.toString(16)} ${name} ${where}`, `  ${source}`);
	});
	return lines.join('\n') + '\n\n';
}

// Two seconds of two threads at 100 Hz: 400 samples, 100 main samples a second, each second its own work.
//   main    second 1: tokens 75, headers 25     second 2: escape 50, output 50
//   worker  both:     deflate 150, trailer 50
export function servedText() {
	let text = '# cmdline : /usr/bin/perf record -F 100 -g ./served --port 80\n# hostname : box\n#\n';
	for (let i = 0; i < 200; i++) {
		const time = 10 + i / 100, late = i >= 100;
		const work = late ? (i % 2 ? 'escape' : 'output') : i % 4 === 3 ? 'headers' : 'tokens';
		text += perfSample('served', 100, time, 'cpu-clock', STACKS[work]);
		text += perfSample('worker', 101, time + 0.001, 'cpu-clock', STACKS[i % 4 === 3 ? 'trailer' : 'deflate']);
	}
	return text;
}

let servedFile = null;

export function served() {
	servedFile ??= write('served.perf', servedText());
	return servedFile;
}

// Two seconds of three threads, which wait for each other: `main` runs for half a second, then waits for a lock that `writer` holds while it
// waits for the disk, and `idle` sleeps all the time.  The machine's use of CPUs goes from 0 to 100 % and back.
export function waiting() {
	const MS = 1e6, label = (key, value) => ({key, value}), reason = (name) => [label('reason', name)];
	const lock = ['main', 'take', 'pthread_mutex_lock', '[lock]'], disk = ['write_log', 'fsync', '[disk]'], sleep = ['rest', '[sleep]'];
	const at = (ms) => 5e9 + ms * MS;
	const runs = Array.from({length: 50}, (_, i) => ({time: at(10 * i), thread: 1, event: 0, stack: ['main', 'work'], weight: 10 * MS, labels: 0}));
	const waits = [
		{thread: 1, begin: at(500), end: at(1500), stack: lock, labels: 2, link: 2},
		{thread: 2, begin: at(0), end: at(1500), stack: disk, labels: 3, link: 0},
		{thread: 3, begin: at(0), end: at(2000), stack: sleep, labels: 4, link: 0},
	].map((wait) => ({event: 1, ...wait}));
	return write('waiting.wick', makePack({
		frames: ['[lock]', '[disk]', '[sleep]'].map((name) => ({names: [name], kind: 3})),
		threads: [{pid: 10, tid: 10, comm: 'app'}, {pid: 10, tid: 11, comm: 'writer'}, {pid: 10, tid: 12, comm: 'idle'}],
		events: [{name: 'cpu-clock', unit: 'ns', period: 10 * MS}, {name: 'off-cpu', unit: 'ns', source: 1}],
		labelSets: [[label('cpu', '0')], [label('lock', 'queue (app)'), ...reason('lock')], reason('disk'), reason('sleep')],
		links: [{kind: 1, thread: 2, stack: disk}, {kind: 0, thread: 2, stack: ['write_log', 'pthread_mutex_unlock'], next: 1}],
		counts: [{event: 0, thread: 1, stack: ['main', 'work'], weight: 500 * MS, nr: 50},
			...waits.map(({thread, begin, end, stack, labels}) => ({event: 1, thread, stack, labels, weight: end - begin, nr: 1}))],
		ticks: {rows: [...runs, ...waits.map(({thread, begin, end, stack, labels}) => ({time: begin, thread, event: 1, stack, labels, weight: end - begin}))]
			.sort((a, b) => a.time - b.time)},
		intervals: waits,
		series: [{name: 'CPU', unit: '%', scope: 'machine', points: [[at(0), 0], [at(1000), 100], [at(2000), 0]]},
			{name: 'memory', unit: 'bytes', points: [[at(0), 1 << 20], [at(2000), 1 << 21]]}],
		info: [['command', './app']],
	}));
}

// Spans of two threads without samples: main calls post and send, which starts run in a worker; run has a part, step.
export function spans() {
	const MS = 1e6, at = (ms) => 5e9 + ms * MS;
	const rows = [
		{thread: 1, begin: at(0), end: at(1000), stack: ['post'], weight: 600 * MS},
		{thread: 1, begin: at(200), end: at(600), stack: ['post', 'send'], weight: 400 * MS},
		{thread: 2, begin: at(1000), end: at(2000), stack: ['run'], weight: 500 * MS, link: 1},
		{thread: 2, begin: at(1500), end: at(2000), stack: ['run', 'step'], weight: 500 * MS, link: 2},
	].map((row) => ({event: 0, ...row}));
	return write('spans.wick', makePack({
		threads: [{pid: 10, tid: 10, comm: 'main'}, {pid: 10, tid: 11, comm: 'worker'}],
		events: [{name: 'time', unit: 'ns', source: 1, extent: 1}, {name: 'cycles', unit: ''}],
		links: [{kind: 3, thread: 1, stack: ['post', 'send'], interval: 1}, {kind: 2, thread: 2, stack: ['run'], interval: 2}],
		counts: [...rows.map(({event, thread, stack, weight}) => ({event, thread, stack, weight, nr: 1})), {event: 1, thread: 1, stack: ['post'], weight: 3, nr: 3}],
		intervals: rows,
	}));
}

// Two recordings of one program: `slow` grew from 100 to 300 of 1,000, `gone` vanished, `fresh` came, and
// `steady` moved by what chance moves it.
export function beforeAfter() {
	return [
		write('before.folded', 'app;main;slow;inner 100\napp;main;steady 400\napp;main;gone 200\napp;main;rest 300\n'),
		write('after.folded', 'app;main;slow;inner 300\napp;main;steady 405\napp;main;fresh 100\napp;main;rest 195\n'),
	];
}

// So many threads with one sample each, pool-1, pool-2, …, and a main thread.
export function pool(nr) {
	return write(`pool-${nr}.perf`, Array.from({length: nr + 1}, (_, i) => `${i ? `pool-${i}` : 'main'} 9/${100 + i} [000] ${100 + i}.000000: 1 cycles:\n` +
		`\t7f12 ${i ? 'work' : 'serve'}+0x2 (/bin/sh)\n\t7f13 start+0x2 (/bin/sh)\n\n`).join(''));
}

// Folded stacks of a tree of so many frames ('1K', '100K', '1M'), packed; made beside the tests.
const trees = new Map();

export function tree(size) {
	if (!trees.has(size))
		trees.set(size, makeTree(size));
	return trees.get(size);
}

async function makeTree(size) {
	const file = fileAt(`tree-${size}.wick`);
	const generator = spawn('python3', [path.join(REPO, 'bench/generate.py'), 'tree', '--size', size, '-o', '-'],
		{stdio: ['ignore', 'pipe', 'inherit']});
	const packer = spawn(WICK, ['flame', '-q', '-', '-o', file], {stdio: [generator.stdout, 'ignore', 'inherit']});
	for (const child of [generator, packer])
		child.ended = new Promise(done => child.on('exit', done));
	if (await generator.ended || await packer.ended)
		throw new Failure(`no tree of ${size} frames`);
	return file;
}
