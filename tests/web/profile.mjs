// web/bytes.js and web/profile.js: every section read as docs/pack.md says, and hostile packs refused.
import {Cursor, inflate, unbase64} from '../../web/bytes.js';
import {readPack} from '../../web/profile.js';
import {buildTree} from '../../web/tree.js';
import {deflateSync} from 'node:zlib';
import {queryOf} from './fold.mjs';
import {MAGIC, foldedPack, makePack, section, signed, varint} from './pack.mjs';
import {done, is, ok, throws} from './tap.mjs';

const list = column => Array.from(column);

// Bytes
const some = Uint8Array.from({length: 1000}, (_, i) => i * i >> 3 & 255);
for (const size of [0, 1, 2, 3, 4, 5, 255, 1000]) {
	const text = Buffer.from(some.subarray(0, size)).toString('base64');
	is(list(unbase64(text)), list(some.subarray(0, size)), `base64 of ${size} bytes`);
	is(list(unbase64(` ${text.replace(/.{7}/g, '$&\n')}\r\n`)), list(some.subarray(0, size)), `${size} bytes in lines`);
	is(list(unbase64(text.replace(/=/g, ''))), list(some.subarray(0, size)), `${size} bytes without padding`);
}
await throws(() => unbase64('AAAA<AAA'), /encoded|nvalid character|base64/, 'what is no base64');
await throws(() => unbase64('AAA\u0141'), /encoded|nvalid character|base64/, 'what is no byte');
is(list(await inflate(deflateSync(some), 1000)), list(some), 'inflated');
await throws(() => inflate(deflateSync(some), 999), /larger/, 'a body larger than it says');
await throws(() => inflate(deflateSync(some), 1001), /smaller/, 'a body smaller than it says');

const NUMBERS = [0n, 1n, 127n, 128n, 16384n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n, 2n ** 64n - 1n];
for (const n of NUMBERS)
	is(new Cursor(Uint8Array.from(varint(n))).varint(), Number(n), `varint ${n}`);
for (const n of [0n, 1n, 63n, 64n, 2n ** 31n, 2n ** 40n, 2n ** 62n, 2n ** 63n - 1n].flatMap(x => [x, -x]))
	is(new Cursor(Uint8Array.from(signed(n))).signed(), Number(n), `signed ${n}`);
is(new Cursor(Uint8Array.from(signed(-(2n ** 63n)))).signed(), -(2 ** 63), 'the least signed number');
const wide = new Cursor(Uint8Array.from(NUMBERS.flatMap(varint)));
is(list(wide.column(NUMBERS.length)), NUMBERS.map(Number), 'a column of large numbers');
const skipped = new Cursor(Uint8Array.from([...NUMBERS, 7n].flatMap(varint)));
skipped.skip(NUMBERS.length);
is([skipped.varint(), skipped.left], [7, 0], 'numbers passed over');
for (const numbers of [[0n, -1n, 63n, -64n, 8191n, -8192n, 2n ** 31n - 1n, -(2n ** 31n)], [-1n, 2n ** 31n, -(2n ** 40n), 2n ** 53n, 5n]]) {
	const cursor = new Cursor(Uint8Array.from([...numbers.flatMap(signed), 7]));
	is([list(cursor.signedColumn(numbers.length)), cursor.left], [numbers.map(Number), 1], `a column with signs up to ${numbers[1] * numbers[2]}`);
}
for (const bytes of [[128, 1, 5], [5, 128], [128, 128], [1, 1, 1, 1, 200]])
	await throws(() => new Cursor(Uint8Array.from(bytes)).column(bytes.length), /unexpected end/, `a column cut short: ${bytes}`);
await throws(() => new Cursor(new Uint8Array(3)).column(4), /rows/, 'a column longer than the bytes');
await throws(() => new Cursor(new Uint8Array(11).fill(255)).varint(), /too long/, 'a varint without end');
await throws(() => new Cursor(new Uint8Array(1).fill(255)).varint(), /unexpected end/, 'a varint cut short');

// A profile with something of everything
const WHOLE = {
	frames: [
		{names: ['main'], module: '/usr/bin/app', address: 0x401000, files: ['app.c'], lines: [12]},
		{names: ['inlined', 'outer'], module: '/usr/bin/app', files: ['in.h', 'app.c'], lines: [3, 40], flags: 1},
		{names: ['do_syscall'], kind: 1, module: '[kernel]', address: 0xffffffff81000000n},
		{module: '/lib/libc.so.6', address: 0x7f0000001234n},
		{names: ['größe'], words: ['größe:app.c']},
	],
	threads: [{pid: 10, tid: 11, comm: 'app one', root: 'app_one'}, {comm: 'idle'}],
	events: [{name: 'cycles', unit: ''}, {name: 'time', unit: 'ns', scale: -3, period: 1000}],
	labelSets: [[{key: 'cpu', value: '3'}, {key: 'reason', value: 'lock'}]],
	counts: [
		{stack: [1], weight: 5, thread: 1},
		{stack: [1, 2], weight: 7, nr: 2, thread: 1, labels: 1},
		{stack: [1, 2, 3], weight: 9, thread: 1},
		{stack: [1, 4], weight: -1500, nr: 1, event: 1, thread: 2},
		{stack: [5], weight: 2n ** 60n, nr: 1, event: 0, thread: 2},
		{stack: [], weight: 1},
	],
	ticks: {quantum: 4, rows: [
		{time: 1700000000000000123n, stack: [1, 2], thread: 1},
		{time: 1700000000000000100n, stack: [1], weight: 3, event: 1},
		{time: 1700000000000000500n, stack: [], labels: 1},
	]},
	notes: [{code: 'odd-line', what: 'odd lines', count: 7, notes: [{line: 3, text: 'x </script>'}, {line: 9, text: ''}]}],
	info: [['command', './app -x'], ['host', 'a'], ['host', 'b']],
	view: [['title', 'Hällo'], ['sort', 'width']],
};
for (const stored of [false, true]) {
	const p = await readPack(makePack({...WHOLE, stored}));
	const how = stored ? ' (stored)' : '';
	is(list(p.modules.path).map(m => p.strings[m]), ['', '/usr/bin/app', '[kernel]', '/lib/libc.so.6'], `modules${how}`);
	is([p.frames.nr, list(p.frames.kind), list(p.frames.flags)], [6, [0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]], `frames${how}`);
	is(list(p.frames.firstLine), [0, 0, 1, 3, 4, 4, 5], `lines of frames${how}`);
	is(list(p.lines.line), [12, 3, 40, 0, 0], `lines${how}`);
	is([list(p.stacks.caller), list(p.stacks.frame)], [[0, 0, 1, 2, 1, 0], [0, 1, 2, 3, 4, 5]], `stacks${how}`);
	is(p.threads.map(t => [t.pid, t.tid, t.comm, t.root]), [[null, null, '', null], [10, 11, 'app one', 'app_one'],
		[null, null, 'idle', null]], `threads${how}`);
	is(p.events, [{name: 'cycles', unit: '', scale: 0, period: 0, measured: false, extent: 'share'},
		{name: 'time', unit: 'ns', scale: -3, period: 1000, measured: false, extent: 'share'}], `events${how}`);
	is(p.labelSets, [[], [{key: 'cpu', value: '3'}, {key: 'reason', value: 'lock'}]], `labels${how}`);
	const {counts} = p;
	const rows = counts.groups.flatMap(g => list(counts.stack.subarray(g.begin, g.end)).map((s, i) => [g.event, g.thread, g.labels, s,
		counts.weight[g.begin + i], counts.nr_samples[g.begin + i]])).sort((a, b) => a[3] - b[3]);
	is(rows, [[0, 0, 0, 0, 1, 1], [0, 1, 0, 1, 5, 5], [0, 1, 1, 2, 7, 2], [0, 1, 0, 3, 9, 9], [1, 2, 0, 4, -1.5, 1],
		[0, 2, 0, 5, 2 ** 60, 1]], `counts${how}`);
	const ticks = p.ticks();
	is([ticks.nr, ticks.quantum, list(ticks.time), list(ticks.stack), list(ticks.weight), list(ticks.labels)],
		[3, 4, [23, 0, 400], [2, 1, 0], [1, 0.003, 1], [0, 0, 1]], `ticks${how}`);
	ok(p.ticks() === ticks, `ticks are decoded once${how}`);
	is(p.notes, WHOLE.notes, `notes${how}`);
	is(p.info, WHOLE.info, `facts${how}`);
	is([...p.view], WHOLE.view, `view${how}`);
	const {words} = p, ofFrame = f => list(words.of.subarray(words.first[f], words.first[f + 1])).map(w => words.name[w]);
	is([0, 1, 2, 3, 4, 5].map(ofFrame), [['[unknown]'], ['main'], ['outer', 'inlined'], ['do_syscall'], ['[libc.so.6]'],
		['größe:app.c']], `words${how}`);
	const fact = name => {
		const w = words.name.indexOf(name);
		return [words.kind[w], words.flags[w], p.strings[p.modules.path[words.module[w]]], p.strings[words.file[w]], words.line[w]];
	};
	is(fact('inlined'), [0, 3, '/usr/bin/app', 'in.h', 3], `facts of an inlined call${how}`);
	is(fact('outer'), [0, 1, '/usr/bin/app', 'app.c', 40], `facts of what it is inlined into${how}`);
	is(fact('do_syscall'), [1, 0, '[kernel]', '', 0], `facts of a kernel function${how}`);
	is(fact('app_one'), [3, 0, '', '', 0], `facts of a thread's root${how}`);
}

// Colors that a palette chose, for each word of each frame and then of threads; of equal words the first counts
const colors = await readPack(makePack({frames: ['a', {names: ['b', 'a']}], counts: [{stack: [1, 2], weight: 1}],
	threads: [{comm: 't', root: 't'}], sections: {c: [0xff0000, 1, 2, 3, 4].flatMap(varint)}}));
is(['[unknown]', 'a', 'b', 't'].map(name => colors.words.color[colors.words.name.indexOf(name)]), [0xff0000, 1, 3, 4], 'colors of words');
const bare = await readPack(makePack({...WHOLE, words: false, view: null}));
is(bare.words.name.slice(0, 6), ['[unknown]', 'main', 'outer', 'inlined', 'do_syscall', '[libc.so.6]'], 'words of a bare profile');
is(bare.threads[1].root, 'app one', 'roots of a bare profile');
const none = await readPack(Uint8Array.from(MAGIC));
is([none.strings, none.stacks.nr, none.counts.nr, none.ticks(), none.words.name], [[''], 1, 0, null, ['[unknown]']], 'nothing at all');
const unknown = await readPack(Uint8Array.from([...MAGIC, ...section('Z', [1, 2, 3])]));
is(unknown.counts.nr, 0, 'an unknown section is passed over');
const odd = await readPack(makePack({frames: ['a'], counts: [{stack: [1], weight: 1}],
	sections: {S: [...varint(2), 3, 1, 0x61, 0xff, 0xc3, 0x61]}, words: false}));
is(odd.strings, ['', 'a\ufffd\ufffd', 'a'], 'bytes that are not UTF-8');

// What is wrong is told with the section
const wrong = async (sections, pattern, name) => {
	await throws(async () => {
		const p = await readPack(makePack({...WHOLE, sections}));
		p.ticks();
	}, pattern, name);
};
await throws(() => readPack(new Uint8Array(0)), /not a pack/, 'no bytes');
await throws(() => readPack(Uint8Array.from([...MAGIC.slice(0, 7), 9])), /version 9/, 'a later version');
await throws(() => readPack(Uint8Array.from([...MAGIC, 0x31, 0, 0])), /no section/, 'no section');
await throws(() => readPack(Uint8Array.from([...MAGIC, ...section('S', [0]), ...section('E', [0]), ...section('S', [0])])), /S \(strings\).*duplicate section/, 'twice');
const long = 'a name, many times '.repeat(9), letters = Array.from(long, c => c.charCodeAt(0));
is((await readPack(Uint8Array.from([...MAGIC, ...section('S', [1]), ...section('S', varint(long.length)),
	...section('S', letters.slice(0, 99)), ...section('S', letters.slice(99))]))).strings, ['', long], 'a section in pieces');
await throws(() => readPack(Uint8Array.from([...MAGIC, 0x53, ...varint(2 ** 31), 1, 0])), /S \(strings\).*declared size is out of range/, 'a body too large');
await throws(() => readPack(Uint8Array.from([...MAGIC, 0x53, ...varint(2 ** 20), 1, 0])), /S \(strings\).*declared size is out of range/, 'a size nobody believes');
await throws(() => readPack(Uint8Array.from([...MAGIC, 0x46, 100, 5, 1, 2, 3, 4, 5])), /F \(frames\)/, 'no zlib stream');
await wrong({S: varint(1000)}, /S \(strings\).*more rows than bytes/, 'more strings than bytes');
const rows = 2 ** 24 + 1, large = deflateSync(Buffer.concat([Uint8Array.from(varint(rows)), new Uint8Array(rows)]));
await throws(() => readPack(Uint8Array.from([...MAGIC, 0x53, ...varint(rows + 4), ...varint(large.length), ...large])),
	/S \(strings\).*exceed what a page can hold/, 'more strings than a page can hold');
await wrong({S: [1, 5, 97]}, /S \(strings\).*unexpected end/, 'a string past the end');
await wrong({M: [1, 200, 1, 0]}, /M \(modules\).*no string 200/, 'a module of no string');
await wrong({F: [1, 4, 0, 0, 0, 0, 0]}, /F \(frames\).*no kind 4/, 'no such kind');
await wrong({F: [1, 0, 0, 9, 0, 0, 0]}, /F \(frames\).*no module 9/, 'a frame of no module');
await wrong({F: [1, 0, 0, 0, 0, 2, 1, 0, 0, 0]}, /F \(frames\).*lines/, 'lines that are not there');
await wrong({K: [1, 1, 1]}, /K \(stacks\).*no caller/, 'a stack above the root');
await wrong({K: [...varint(65537), ...Array(65537).fill(0), ...Array(65537).fill(1)]}, /K \(stacks\).*65537 too deep/, 'a stack too deep');
await wrong({E: [1, 0, 0, ...signed(300), 0]}, /E \(events\).*scale out of range/, 'a scale out of range');
await wrong({K: [1, 0, 77]}, /K \(stacks\).*no frame 77/, 'a stack of no frame');
await wrong({T: [1, 0, 0, 99]}, /T \(threads\).*no string/, 'a thread of no name');
await wrong({C: [1, 7, 0, 0, 0, 1, 0, 2]}, /C \(counts\).*no event 7/, 'a count of no event');
await wrong({C: [1, 0, 7, 0, 0, 1, 0, 2]}, /C \(counts\).*no thread 7/, 'a count of no thread');
await wrong({C: [1, 0, 0, 7, 0, 1, 0, 2]}, /C \(counts\).*no label set 7/, 'a count of no labels');
await wrong({C: [1, 0, 0, 0, 2, 1, 0, 2]}, /C \(counts\).*no mode 2/, 'a count of no mode');
await wrong({C: [1, 0, 0, 0, 0, 1, 99, 2]}, /C \(counts\).*no stack 99/, 'a count of no stack');
await wrong({C: [1, 0, 0, 0, 0, ...varint(2 ** 40), 1]}, /C \(counts\).*rows/, 'more counts than bytes');
await wrong({C: [1, 0, 0, 0, 0, 1, 0, 2, 5]}, /C \(counts\).*trailing bytes/, 'bytes behind the counts');
await wrong({D: [1, 1, 1, 1, 0, 0, 0, ...signed(-1), 0, 2]}, /D \(ticks\).*no stack -1/, 'a tick of no stack');
await wrong({D: [1, 1, 1, 1, 0, 9, 0, 0, 0, 2]}, /D \(ticks\).*no event 9/, 'a tick of no event');
await wrong({w: [1, 1]}, /w \(words\).*does not match the frames/, 'words of other frames');
await wrong({w: [6, 1, 1, 1, 1, 1, 1, 2, 0, 0]}, /w \(words\).*does not match the threads/, 'words of other threads');
await wrong({w: [6, 1, 1, 1, 1, 1, 1, 3, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]}, /w \(words\).*no number of roots 2/, 'two roots of a thread');
await wrong({w: [6, 1, 1, 1, 1, 1, 1, 3, 0, 0, 0, 99, 1, 1, 1, 1, 1]}, /w \(words\).*no string/, 'a word of no string');

// Hostile bytes: an error that names where, or a profile; never anything else
async function survives(bytes) {
	let profile;
	try {
		profile = await readPack(bytes);
		profile.ticks();
		profile.intervals();
	} catch (e) {
		return e.constructor === Error && /^pack: /.test(e.message);
	}
	// What is read can be shown.
	for (const more of [{}, {order: 'width', byThread: 'thread'}, {order: 'time'}, {reverse: true}, {range: [0, 100]},
		{transforms: [{op: 'recursion'}, {op: 'module', module: 'app'}]}])
		buildTree(profile, queryOf(profile, more));
	return true;
}
// A profile with intervals, links and series
const TIMED = {
	events: [{name: 'off-cpu', unit: 'ns', source: 1}, {name: 'heap', unit: 'bytes', extent: 2}],
	threads: [{pid: 1, tid: 1, comm: 'a'}, {pid: 1, tid: 2, comm: 'b'}],
	labelSets: [[{key: 'reason', value: 'lock'}]],
	counts: [{stack: ['main', 'lock'], weight: 300, thread: 1}, {stack: ['main'], weight: 7, thread: 2},
		{stack: ['new'], weight: 64, event: 1, thread: 1}],
	links: [{kind: 1, stack: ['holder']}, {kind: 0, thread: 2, stack: ['waker'], next: 1}, {kind: 2, stack: [], interval: 0}],
	intervals: [{stack: ['main', 'lock'], thread: 1, begin: 1000, end: 1100, labels: 1, link: 2},
		{stack: ['main', 'lock'], thread: 1, begin: 1300, end: 1600, weight: 200, nr: 5},
		{stack: ['main'], thread: 2, begin: 900, end: 907, link: 3},
		{stack: ['new'], event: 1, thread: 1, begin: 950, end: null, weight: 64}],
	series: [{name: 'rss', unit: 'bytes', points: [[5, 100], [9, 50]]}, {name: 'load', unit: '', scope: 'machine', scale: -1, points: [[1, -5]]}],
};
for (const [stored, what, contents] of [[false, '', WHOLE], [true, ' (stored)', WHOLE], [true, ' (stored intervals)', TIMED]]) {
	const good = makePack({...contents, stored});
	const bad = [];
	for (let size = 0; size < good.length; size++)
		if (!await survives(good.slice(0, size)))
			bad.push(size);
	is(bad, [], `cut short at every byte${what}`);
	let seed = 7;
	const random = n => (seed = Math.imul(seed, 1103515245) + 12345 >>> 0) / 65536 % n | 0;
	for (let i = 0; i < 3000; i++) {
		const flipped = good.slice();
		for (let k = random(3); k >= 0; k--)
			flipped[random(good.length)] = random(256);
		if (!await survives(flipped))
			bad.push(list(flipped).join(' '));
	}
	is(bad, [], `random bytes changed${what}`);
}
ok(await survives(foldedPack('a;b 1')), 'folded text as a pack');
// Intervals, links and series
const timed = await readPack(makePack(TIMED));
const {begin, end, weight, count, labels, link, start, nr} = timed.intervals();
is([nr, start], [4, 900], 'a pack has the intervals, counted from the earliest');
is([list(begin), list(end)], [[100, 400, 0, 50], [200, 700, 7, Infinity]], 'an interval begins and ends, or has no end');
is([list(weight), list(count)], [[100, 200, 7, 64], [1, 5, 1, 1]], 'an interval weighs its time unless the pack says otherwise');
is([list(labels), list(link)], [[1, 0, 0, 0], [2, 0, 3, 0]], 'an interval has labels and a link');
is(timed.links[2], {kind: 'waker', thread: 2, stack: timed.links[2].stack, interval: -1, next: 1}, 'a link names who woke a thread, and the next link');
is(timed.links[3].interval, 0, 'a link names an interval');
is(timed.events.map(e => [e.measured, e.extent]), [[true, 'share'], [false, 'whole']], 'an event says where its weights come from');
is(timed.series.map(s => [s.name, s.scope, list(s.time), list(s.value)]), [['rss', '', [5, 9], [100, 50]], ['load', 'machine', [1], [-0.5]]], 'a pack has the series');
is((await readPack(foldedPack('a;b 3'))).intervals(), null, 'a pack without intervals has none');
await throws(async () => (await readPack(makePack({...TIMED, links: [...TIMED.links.slice(0, 2), {kind: 2, stack: [], interval: 9}]}))).intervals(),
	/missing interval/, 'a link to an interval that is not there');
await throws(() => readPack(makePack({...TIMED, links: [{kind: 4, stack: []}]})), /no kind 4/, 'a link of a kind that there is not');
await throws(() => readPack(makePack({...TIMED, links: [{kind: 1, stack: [], next: 1}]})), /next link/, 'a link that comes before itself');
await throws(async () => (await readPack(makePack({...TIMED, sections: {V: [1, 1, 1, 0, 0, 0, 100]}}))).intervals(), /more rows|too early/, 'intervals cut short');

done();
