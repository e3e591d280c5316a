// A second writer of packs, from docs/pack.md and nothing else: simple descriptions become bytes.  It
// keeps the rows in the order they are described in; only stacks are put in preorder.
import {deflateSync} from 'node:zlib';

export function varint(n) {
	const out = [];
	let rest = BigInt.asUintN(64, BigInt(n));
	for (; rest > 127n; rest >>= 7n)
		out.push(Number(rest & 127n) | 128);
	return [...out, Number(rest)];
}

export function signed(n) {
	const value = BigInt.asIntN(64, BigInt(n));
	return varint(value < 0n ? -2n * value - 1n : 2n * value);
}

const encoder = new TextEncoder();
const bytesOf = text => text instanceof Uint8Array ? text : encoder.encode(text);
const column = (rows, write = varint) => rows.flatMap(write);
const sized = text => [...varint(bytesOf(text).length), ...bytesOf(text)];

export const MAGIC = [0x89, 0x77, 0x69, 0x63, 0x6b, 0x0d, 0x0a, 1];

export function section(tag, body, stored = false) {
	const plain = Uint8Array.from(body);
	const packed = stored ? plain : deflateSync(plain);
	const kept = packed.length < plain.length ? packed : plain;
	return [...bytesOf(tag), ...varint(plain.length), ...varint(kept.length), ...kept];
}

// Strings by text, each once; '' is handle 0.
class Strings {
	constructor() {
		this.handle = new Map([['', 0]]);
	}

	of(text) {
		if (!this.handle.has(text))
			this.handle.set(text, this.handle.size);
		return this.handle.get(text);
	}

	body() {
		const texts = [...this.handle.keys()].slice(1).map(bytesOf);
		return [...varint(texts.length), ...column(texts.map(t => t.length)), ...texts.flatMap(t => [...t])];
	}
}

// Paths of frame numbers → rows in preorder {depth, frame}, and the row of each path.
function preorder(paths) {
	const root = {below: new Map(), row: 0};
	for (const path of paths) {
		let at = root;
		for (const frame of path) {
			if (!at.below.has(frame))
				at.below.set(frame, {below: new Map(), row: 0});
			at = at.below.get(frame);
		}
	}
	const rows = [];
	const visit = (node, depth) => {
		for (const [frame, child] of [...node.below].sort((a, b) => a[0] - b[0])) {
			child.row = rows.push({depth, frame});
			visit(child, depth + 1);
		}
	};
	visit(root, 1);
	const rowOf = path => path.reduce((at, frame) => at.below.get(frame), root).row;
	return {rows, rowOf};
}

// frames: [{names: innermost first, kind, flags, module: path, address, files, lines, words}], or names alone;
// counts: [{stack: [names or frame numbers], weight, nr, event, thread, labels}];
// the rest is as in the profile.  sections: {tag: bytes} replaces or adds; stored: nothing is deflated.
export function makePack({frames = [], counts = [], ticks = null, threads = [], events = [{name: 'samples', unit: 'samples'}],
	labelSets = [], links = [], intervals = [], series = [], notes = [], info = [], view = null, words = true, modules = [], sections = {}, stored = false}) {
	const strings = new Strings();
	const all = frames.map(f => typeof f === 'string' ? {names: [f]} : f);
	const number = new Map(all.map((f, i) => [f.names?.[0], i + 1]));
	const frameOf = x => {
		if (typeof x === 'number')
			return x;
		if (!number.has(x))
			number.set(x, all.push({names: [x]}));
		return number.get(x);
	};
	const pathOf = stack => stack.map(frameOf);
	const {rows, rowOf} = preorder([...counts, ...(ticks?.rows ?? []), ...links, ...intervals].map(c => pathOf(c.stack)));
	const paths = [...new Set([...modules, ...all.map(f => f.module).filter(Boolean)])];
	const body = {};

	body.M = () => [...varint(paths.length), ...column(paths.map(p => strings.of(p))),
		...column(paths.map(() => strings.of('')))];
	body.F = () => {
		const lines = all.flatMap(f => (f.names ?? []).map((name, i) => [name, f.files?.[i] ?? '', f.lines?.[i] ?? 0]));
		return [...varint(all.length), ...column(all.map(f => f.kind ?? 0)), ...column(all.map(f => f.flags ?? 0)),
			...column(all.map(f => f.module ? paths.indexOf(f.module) + 1 : 0)),
			...column(all.map((f, i) => BigInt(f.address ?? 0) - BigInt(all[i - 1]?.address ?? 0)), signed),
			...column(all.map(f => f.names?.length ?? 0)), ...varint(lines.length),
			...column(lines.map(l => strings.of(l[0]))), ...column(lines.map(l => strings.of(l[1]))),
			...column(lines.map(l => l[2]))];
	};
	body.K = () => [...varint(rows.length),
		...column(rows.map((r, i) => (rows[i - 1]?.depth ?? 0) + 1 - r.depth)), ...column(rows.map(r => r.frame))];
	body.T = () => [...varint(threads.length), ...column(threads.map(t => (t.pid ?? -1) + 1)),
		...column(threads.map(t => (t.tid ?? -1) + 1)), ...column(threads.map(t => strings.of(t.comm ?? '')))];
	body.E = () => [...varint(events.length), ...column(events.map(e => strings.of(e.name))),
		...column(events.map(e => strings.of(e.unit ?? ''))), ...column(events.map(e => e.scale ?? 0), signed),
		...column(events.map(e => e.period ?? 0))];
	body.G = () => [...column(events.map(e => e.source ?? 0)), ...column(events.map(e => e.extent ?? 0))];
	body.L = () => {
		const labels = labelSets.flat();
		return [...varint(labelSets.length), ...column(labelSets.map(s => s.length)),
			...column(labels.map(l => strings.of(l.key))), ...column(labels.map(l => strings.of(l.value)))];
	};
	body.C = () => countsBody(counts.map(c => ({event: 0, thread: 0, labels: 0, nr: c.weight, ...c,
		row: rowOf(pathOf(c.stack))})));
	body.D = () => {
		const list = ticks.rows.map(t => ({event: 0, thread: 0, labels: 0, weight: 1, ...t, row: rowOf(pathOf(t.stack))}));
		const diff = key => list.map((t, i) => BigInt(t[key]) - BigInt(list[i - 1]?.[key] ?? 0));
		return [...varint(ticks.max ?? 1000), ...varint(ticks.quantum ?? 1), ...varint(ticks.timed ?? 1), ...varint(list.length),
			...column(diff('time'), signed), ...column(list.map(t => t.event)), ...column(list.map(t => t.thread)),
			...column(diff('row'), signed), ...column(list.map(t => t.labels)), ...column(list.map(t => t.weight), signed)];
	};
	body.A = () => [...varint(links.length), ...column(links.map(l => l.kind)), ...column(links.map(l => l.thread ?? 0)),
		...column(links.map(l => rowOf(pathOf(l.stack)))), ...column(links.map(l => (l.interval ?? -1) + 1)),
		...column(links.map(l => l.next ?? 0))];
	body.V = () => intervalsBody(intervals.map(v => ({event: 0, thread: 0, labels: 0, link: 0, nr: 1, ...v,
		weight: v.weight ?? v.end - v.begin, row: rowOf(pathOf(v.stack))})));
	body.Q = () => {
		const points = series.map(s => s.points);
		const diff = (list, at) => list.flatMap((p, i) => signedOr(at, p[at] - (list[i - 1]?.[at] ?? 0)));
		return [...varint(series.length),
			...series.flatMap(s => [...[s.name, s.unit, s.scope ?? ''].flatMap(x => varint(strings.of(x))), ...signed(s.scale ?? 0),
				...varint(s.quantum ?? 1), ...varint(s.points.length)]),
			...points.flatMap(list => diff(list, 0)), ...points.flatMap(list => diff(list, 1))];
	};
	body.N = () => {
		const list = notes.flatMap((n, code) => n.notes.map(note => ({code, ...note})));
		return [...varint(notes.length), ...notes.flatMap(n => [...sized(n.code), ...varint(n.count), ...sized(n.what)]),
			...varint(list.length), ...column(list.map(n => n.code)), ...column(list.map(n => n.line)),
			...column(list.map(n => bytesOf(n.text).length)), ...list.flatMap(n => [...bytesOf(n.text)])];
	};
	body.I = () => [...varint(info.length), ...column(info.map(i => strings.of(i[0]))),
		...column(info.map(i => strings.of(i[1])))];
	body.v = () => [...varint(view.length), ...view.flatMap(([key, value]) => [...sized(key), ...sized(value)])];
	body.w = () => wordsBody(strings, [{names: []}, ...all], [{}, ...threads]);

	const used = {M: paths.length, F: all.length, K: rows.length, T: threads.length, E: events.length,
		G: events.some(e => e.source || e.extent), L: labelSets.length, C: counts.length, D: ticks,
		A: links.length, V: intervals.length, Q: series.length, N: notes.length, I: info.length, v: view, w: words};
	const made = Object.keys(body).filter(tag => used[tag]).map(tag => [tag, body[tag]()]);
	const bytes = new Map([['S', strings.body()], ...made, ...Object.entries(sections)]);
	return Uint8Array.from([...MAGIC, ...[...bytes].flatMap(([tag, b]) => b ? section(tag, b, stored) : [])]);
}

// Times have no sign, values have.
const signedOr = (at, number) => at ? signed(number) : varint(number);

// A column of numbers as planes of bytes, the lowest first.
function planes(numbers) {
	const nr = Math.max(0, ...numbers.map(n => Math.ceil(BigInt(n).toString(16).length / 2)));
	return [...varint(nr), ...Array.from({length: nr}, (_, k) => numbers.map(n => Number(BigInt(n) >> BigInt(8 * k) & 255n))).flat()];
}

// Rows must be in the order of event and thread already.  An interval without an end has end: null.
function intervalsBody(rows) {
	const groups = [];
	const mode = v => (v.end === null || v.weight !== v.end - v.begin ? 1 : 0) | (v.nr !== 1 ? 2 : 0) | (v.labels ? 4 : 0) | (v.link ? 8 : 0);
	for (const v of rows) {
		const last = groups.at(-1);
		if (last && last[0].event === v.event && last[0].thread === v.thread)
			last.push(v);
		else
			groups.push([v]);
	}
	const modes = groups.map(g => g.reduce((all, v) => all | mode(v), 0));
	const some = (bit, write) => groups.flatMap((g, i) => modes[i] & bit ? g.flatMap(write) : []);
	const zigzag = n => n < 0 ? -2 * n - 1 : 2 * n;
	const gaps = groups.flatMap((g, k) => g.map((v, i) => zigzag(v.begin - (i ? g[i - 1].end ?? g[i - 1].begin : groups[k - 1]?.[0].begin ?? 0))));
	return [...varint(1000), ...varint(1), ...varint(groups.length),
		...groups.flatMap((g, i) => [g[0].event, g[0].thread, modes[i], g.length].flatMap(varint)),
		...planes(gaps), ...planes(rows.map(v => v.end === null ? 0 : v.end - v.begin + 1)), ...column(rows.map(v => v.row)),
		...some(1, v => signed(v.weight)), ...some(2, v => varint(v.nr)), ...some(4, v => varint(v.labels)), ...some(8, v => varint(v.link))];
}

function countsBody(counts) {
	const groups = new Map();
	for (const c of counts) {
		const key = [c.event, c.thread, c.labels].join();
		if (!groups.has(key))
			groups.set(key, []);
		groups.get(key).push(c);
	}
	const list = [...groups.values()].map(rows => rows.sort((a, b) => a.row - b.row));
	const mode = rows => rows.every(r => r.nr === r.weight) ? 0 : 1;
	return [...varint(list.length),
		...list.flatMap(rows => [rows[0].event, rows[0].thread, rows[0].labels, mode(rows), rows.length].flatMap(varint)),
		...list.flatMap(rows => rows.flatMap((r, i) => varint(r.row - (rows[i - 1]?.row ?? 0)))),
		...list.flatMap(rows => rows.flatMap(r => signed(r.weight))),
		...list.filter(mode).flatMap(rows => rows.flatMap(r => varint(r.nr)))];
}

function wordsBody(strings, frames, threads) {
	const base = path => path.slice(path.lastIndexOf('/') + 1);
	const wordsOf = f => f.words ?? (f.names?.length ? [...f.names].reverse() : [`[${base(f.module ?? 'unknown')}]`]);
	// Of every word: 1 for the function of its line, string + 2, or 0 for a text of its own.
	const which = (word, own) => word === own ? 1 : strings.handle.has(word) ? strings.handle.get(word) + 2 : 0;
	const all = [...frames.flatMap(f => wordsOf(f).map((word, i) => ({word, own: f.names?.at(-1 - i)}))),
		...threads.flatMap(t => t.root ? [{word: t.root}] : [])];
	const other = all.filter(({word, own}) => !which(word, own)).map(({word}) => bytesOf(word));
	return [...varint(frames.length), ...column(frames.map(f => wordsOf(f).length)),
		...varint(threads.length), ...column(threads.map(t => t.root ? 1 : 0)), 
		...column(all.map(({word, own}) => which(word, own))),
		...column(other.map(w => w.length)), ...other.flatMap(w => [...w])];
}

// Folded lines as a profile: `a;b 3`.
export function foldedPack(text, more = {}) {
	const counts = text.trim().split('\n').map(line => {
		const blank = line.lastIndexOf(' ');
		return {stack: line.slice(0, blank).split(';').filter(Boolean), weight: Number(line.slice(blank + 1))};
	});
	return makePack({counts, ...more});
}
