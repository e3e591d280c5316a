// Reads a pack: see docs/pack.md, section by section.
import {Cursor, inflate} from './bytes.js';
import {behindNothing, checkBelow, countOfMany, handles, offsetsOf, refuse, textOf, textsOf} from './columns.js';
import {momentsOf} from './moments.js';
import {readColors, readWords} from './words.js';

const MAGIC = [0x89, 0x77, 0x69, 0x63, 0x6b, 0x0d, 0x0a];
const PACK_VERSION = 1;
const BODY_MAX = 2 ** 30;
// The maximum compression ratio of zlib.
const DEFLATE_RATIO = 1032;
const DEPTH_MAX = 65536;
const SCALE_MIN = -9;

// In the order in which they are decoded: rows refer to rows of the sections above.
const SECTIONS = [
	['S', 'strings', readStrings],
	['M', 'modules', readModules],
	['F', 'frames', readFrames],
	['K', 'stacks', readStacks],
	['T', 'threads', readThreads],
	['E', 'events', readEvents],
	['G', 'sources of weights', readSources],
	['L', 'label sets', readLabelSets],
	['C', 'counts', readCounts],
	['D', 'ticks', keepTicks],
	['A', 'links', readLinks],
	['V', 'intervals', keepIntervals],
	['Q', 'series', readSeries],
	['N', 'notes', readNotes],
	['I', 'facts', readInfo],
	['v', 'view', readView],
	['w', 'words', readWords],
	['c', 'colors of words', readColors],
];

// Runs one step of reading a section; errors get the section's name.
function inSection([tag, title], step) {
	const fail = e => refuse(`pack: section ${tag} (${title}): ${e.message}`);
	try {
		const result = step();
		return result instanceof Promise ? result.catch(fail) : result;
	} catch (e) {
		return fail(e);
	}
}

// The pieces of the bodies by tag, still compressed.
function splitSections(bytes) {
	const cursor = new Cursor(bytes);
	const known = new Map(SECTIONS.map(s => [s[0], s]));
	const bodies = new Map();
	let last = '';
	if (MAGIC.some((b, i) => bytes[i] !== b))
		refuse('pack: not a pack (bad magic)');
	cursor.take(MAGIC.length);
	if (!cursor.left || cursor.byte() !== PACK_VERSION)
		refuse(`pack: unsupported version ${bytes[MAGIC.length]}`);
	while (cursor.left) {
		const tag = String.fromCharCode(cursor.byte());
		if (!/[A-Za-z]/.test(tag))
			refuse(`pack: no section at byte ${cursor.at - 1}`);
		inSection(known.get(tag) ?? [tag, 'unknown'], () => {
			const size = cursor.varint(), packed = cursor.varint();
			const body = cursor.take(packed);
			const pieces = bodies.get(tag) ?? [];
			if (pieces.length && tag !== last)
				refuse('duplicate section');
			if (size + pieces.reduce((sum, piece) => sum + piece.size, 0) > BODY_MAX || size > packed * DEFLATE_RATIO)
				refuse('declared size is out of range');
			bodies.set(last = tag, [...pieces, {size, body}]);
		});
	}
	return bodies;
}

// The body of a section: its pieces, decompressed and joined.
async function unpack(pieces) {
	const parts = await Promise.all(pieces.map(({size, body}) =>
		size === body.length ? body : inflate(body, size)));
	if (parts.length === 1)
		return parts[0];
	const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

// The profile in a pack; if it is invalid, throws an Error that names the section.
export async function readPack(bytes) {
	const bodies = splitSections(bytes);
	const unpacked = await Promise.all(SECTIONS.map(section =>
		bodies.has(section[0]) ? inSection(section, () => unpack(bodies.get(section[0]))) : null));
	const profile = {};
	SECTIONS.forEach((section, i) => inSection(section, () => {
		const cursor = unpacked[i] && new Cursor(unpacked[i]);
		section[2](profile, cursor);
		if (cursor && cursor.left && !/[DV]/.test(section[0]))
			refuse('trailing bytes');
	}));
	return profile;
}

function readStrings(profile, cursor) {
	profile.strings = [''];
	if (cursor)
		profile.strings = profile.strings.concat(textsOf(cursor, cursor.column(countOfMany(cursor))));
}

function readModules(profile, cursor) {
	const nr = cursor ? cursor.count() : 0, nrStrings = profile.strings.length;
	const column = () => behindNothing(nr ? handles(cursor, nr, nrStrings, 'string') : []);
	profile.modules = {path: column(), buildId: column()};
}

function readFrames(profile, cursor) {
	const nr = cursor ? cursor.count() : 0;
	const nrStrings = profile.strings.length;
	const column = limit => limit ? handles(cursor, nr, ...limit) : cursor.column(nr);
	const frames = {nr: nr + 1};
	const none = [];
	frames.kind = behindNothing(nr ? column([4, 'kind']) : none, Uint8Array);
	frames.flags = behindNothing(nr ? column([256, 'flags']) : none, Uint8Array);
	frames.module = behindNothing(nr ? column([profile.modules.path.length, 'module']) : none);
	cursor?.skip(nr); // addresses, which the page does not show
	frames.firstLine = behindNothing(offsetsOf(nr ? column() : none));
	const nrAll = cursor ? cursor.count() : 0;
	if (frames.firstLine[nr + 1] !== nrAll)
		refuse('lines do not match the frames');
	profile.frames = frames;
	profile.lines = {
		function: nrAll ? handles(cursor, nrAll, nrStrings, 'string') : new Uint32Array(0),
		file: nrAll ? handles(cursor, nrAll, nrStrings, 'string') : new Uint32Array(0),
		line: nrAll ? handles(cursor, nrAll, 2 ** 32, 'line') : new Uint32Array(0),
	};
}

function readStacks(profile, cursor) {
	const nr = cursor ? cursor.count() : 0, caller = new Uint32Array(nr + 1), ups = nr ? cursor.column(nr) : [];
	let path = new Uint32Array(64); // the last row of each depth
	for (let i = 1, depth = 0; i <= nr; i++) {
		const up = ups[i - 1];
		if (up > depth)
			refuse(`row ${i} has no caller`);
		depth += 1 - up;
		if (depth > DEPTH_MAX)
			refuse(`row ${i} too deep`);
		if (depth === path.length)
			path = grown(path);
		caller[i] = path[depth - 1];
		path[depth] = i;
	}
	profile.stacks = {
		nr: nr + 1,
		caller,
		frame: behindNothing(nr ? handles(cursor, nr, profile.frames.nr, 'frame') : []),
	};
}

function grown(array) {
	const out = new array.constructor(array.length * 2);
	out.set(array);
	return out;
}

function readThreads(profile, cursor) {
	const {strings} = profile;
	const nr = cursor ? countOfMany(cursor) : 0;
	const known = id => id ? id - 1 : null;
	profile.threads = [{pid: null, tid: null, comm: '', root: null, words: [], own: []}];
	if (!nr)
		return;
	const pid = cursor.column(nr), tid = cursor.column(nr);
	const comm = handles(cursor, nr, strings.length, 'string');
	for (let i = 0; i < nr; i++)
		profile.threads.push({pid: known(pid[i]), tid: known(tid[i]), comm: strings[comm[i]],
			root: null, words: [], own: []});
}

function readEvents(profile, cursor) {
	const {strings} = profile;
	const nr = cursor ? countOfMany(cursor) : 0;
	profile.events = [];
	if (!nr)
		return;
	const name = handles(cursor, nr, strings.length, 'string');
	const unit = handles(cursor, nr, strings.length, 'string');
	const scale = cursor.signedColumn(nr), period = cursor.column(nr);
	if (scale.some(x => x > 0 || x < SCALE_MIN))
		refuse('scale out of range');
	for (let i = 0; i < nr; i++)
		profile.events.push({name: strings[name[i]], unit: strings[unit[i]], scale: scale[i],
			period: period[i]});
}

// How much of an interval's weight falls into a time range: named as in profile.h.
const EXTENTS = ['share', 'self', 'whole'];

function readSources(profile, cursor) {
	const nr = cursor ? profile.events.length : 0;
	const source = nr ? handles(cursor, nr, 2, 'source') : [], extent = nr ? handles(cursor, nr, 3, 'extent') : [];
	profile.events.forEach((event, i) => {
		event.measured = source[i] === 1;
		event.extent = EXTENTS[extent[i] ?? 0];
	});
}

function readLabelSets(profile, cursor) {
	const {strings} = profile;
	const nr = cursor ? countOfMany(cursor) : 0;
	profile.labelSets = [[]];
	if (!nr)
		return;
	const first = offsetsOf(cursor.column(nr)), nrAll = first[nr];
	const key = handles(cursor, nrAll, strings.length, 'string');
	const value = handles(cursor, nrAll, strings.length, 'string');
	for (let i = 0; i < nr; i++) {
		const set = [];
		for (let k = first[i]; k < first[i + 1]; k++)
			set.push({key: strings[key[k]], value: strings[value[k]]});
		profile.labelSets.push(set);
	}
}

// Scales a weight by a power of 10; divides for a negative one, since 0.1 has no exact double.
function scaled(weight, scale) {
	return scale < 0 ? weight / 10 ** -scale : weight * 10 ** scale;
}

function readCounts(profile, cursor) {
	const groups = [];
	let nr = 0;
	for (let left = cursor ? countOfMany(cursor) : 0; left > 0; left--) {
		const event = cursor.varint(), thread = cursor.varint(), labels = cursor.varint();
		const mode = cursor.varint(), nrRows = cursor.varint();
		if (event >= profile.events.length)
			refuse(`no event ${event}`);
		if (thread >= profile.threads.length)
			refuse(`no thread ${thread}`);
		if (labels >= profile.labelSets.length)
			refuse(`no label set ${labels}`);
		if (mode > 1)
			refuse(`no mode ${mode}`);
		groups.push({event, thread, labels, mode, begin: nr, end: nr += nrRows,
			alike: mode === 0 && profile.events[event].scale === 0}); // weights equal numbers of samples
	}
	const stack = nr ? cursor.column(nr) : new Uint32Array(0);
	const alike = groups.every(g => g.alike), given = nr ? cursor.signedColumn(nr) : new Int32Array(0);
	// If all weights equal the numbers of samples, one column is both.
	const weight = alike ? given : new Float64Array(given), counts = {nr, stack, weight, nr_samples: alike ? weight : weight.slice(), groups, whole: alike ? 0 : Infinity};
	for (const group of groups) {
		fillGroup(profile, counts, group, cursor);
		// Stacks ascend within a group, so checking the last one is enough.
		if (stack[group.end - 1] >= profile.stacks.nr)
			checkBelow(stack, profile.stacks.nr, 'stack');
	}
	profile.counts = counts;
}

// Decodes the rows of one group from differences.  counts.whole: the sum of all weights; Infinity: not computed, or a
// weight is negative.
function fillGroup(profile, counts, {event, mode, begin, end}, cursor) {
	const {stack, weight, nr_samples: samples} = counts, {scale} = profile.events[event];
	let last = 0, sum = 0, signs = 0;
	for (let i = begin; i < end; i++) {
		stack[i] = last = Math.min(last + stack[i], 0xffffffff);
		sum += weight[i];
		signs |= weight[i];
	}
	counts.whole += signs < 0 ? Infinity : sum;
	if (mode === 1)
		samples.set(cursor.column(end - begin), begin);
	if (scale)
		for (let i = begin; i < end; i++)
			weight[i] = scaled(weight[i], scale);
}

// Large tables that no view needs at first are decoded on demand; null if there are no rows.
function later(cursor, section, read) {
	let rows;
	return () => rows === undefined ? rows = cursor ? inSection(section, read) : null : rows;
}

function keepTicks(profile, cursor) {
	profile.nrTicks = cursor ? countTicks(new Cursor(cursor.bytes)) : 0;
	const ticks = later(cursor, ['D', 'ticks'], () => readTicks(profile, cursor));
	let moments;
	profile.ticks = () => moments === undefined ? moments = momentsOf(profile, ticks(), profile.intervals()) : moments;
}

function keepIntervals(profile, cursor) {
	profile.nrIntervals = cursor ? countIntervals(new Cursor(cursor.bytes)) : 0;
	profile.intervals = later(cursor, ['V', 'intervals'], () => readIntervals(profile, cursor));
}

function countTicks(cursor) {
	cursor.skip(3);
	return cursor.count();
}

function countIntervals(cursor) {
	cursor.skip(2);
	let nr = 0;
	for (let left = cursor.count(); left > 0; left--) {
		cursor.skip(3);
		nr += cursor.varint();
	}
	return nr;
}

// Times are relative to the earliest tick, so that they are exact.
function readTicks(profile, cursor) {
	cursor.varint(); // the limit of rows
	const quantum = cursor.varint(), timed = cursor.varint() === 1, nr = cursor.count();
	const time = new Float64Array(cursor.signedColumn(nr));
	const event = handles(cursor, nr, profile.events.length, 'event');
	const thread = handles(cursor, nr, profile.threads.length, 'thread');
	const step = cursor.signedColumn(nr);
	const labels = handles(cursor, nr, profile.labelSets.length, 'label set');
	const weight = new Float64Array(cursor.signedColumn(nr));
	const stack = new Uint32Array(nr);
	const start = nr ? time[0] : 0;
	let earliest = 0, at = 0;
	for (let i = 0, now = 0; i < nr; i++) {
		now = time[i] = i ? now + time[i] : 0;
		earliest = Math.min(earliest, now);
		at += step[i];
		if (!(at >= 0 && at < profile.stacks.nr))
			refuse(`row ${i}: no stack ${at}`);
		stack[i] = at;
		weight[i] = scaled(weight[i], profile.events[event[i]].scale);
	}
	for (let i = 0; i < nr; i++)
		time[i] -= earliest;
	if (cursor.left)
		refuse('trailing bytes');
	return {nr, quantum, timed, start: start + earliest, time, event, thread, stack, labels, weight};
}

const LINK_KINDS = ['waker', 'holder', 'parent', 'async'];

// links[0] means none; interval is a row, or -1.
function readLinks(profile, cursor) {
	const nr = cursor ? countOfMany(cursor) : 0;
	profile.links = [null];
	if (!nr)
		return;
	const kind = handles(cursor, nr, LINK_KINDS.length, 'kind'), thread = handles(cursor, nr, profile.threads.length, 'thread');
	const stack = handles(cursor, nr, profile.stacks.nr, 'stack'), interval = cursor.column(nr), next = cursor.column(nr);
	for (let i = 0; i < nr; i++) {
		if (next[i] > i)
			refuse(`row ${i + 1}: its next link comes after it`);
		profile.links.push({kind: LINK_KINDS[kind[i]], thread: thread[i], stack: stack[i],
			interval: interval[i] - 1, next: next[i]});
	}
}

// A column stored as byte planes, the lowest bytes of all rows first.
function planes(cursor, nr) {
	const nrPlanes = cursor.varint(), out = new Float64Array(nr);
	if (nrPlanes > 8)
		refuse('number too long');
	for (let k = 0, factor = 1; k < nrPlanes; k++, factor *= 256) {
		const bytes = cursor.take(nr);
		for (let i = 0; i < nr; i++)
			out[i] += bytes[i] * factor;
	}
	return out;
}

// Times are relative to the earliest begin, so that they are exact; an interval without an end ends at Infinity.
function readIntervals(profile, cursor) {
	cursor.varint(); // the limit of rows
	const quantum = cursor.varint(), groups = [];
	let nr = 0;
	for (let left = cursor.count(); left > 0; left--) {
		const event = cursor.varint(), thread = cursor.varint(), mode = cursor.varint(), nrRows = cursor.varint();
		if (event >= profile.events.length || thread >= profile.threads.length || mode > 15)
			refuse('group without an event or thread');
		groups.push({event, thread, mode, begin: nr, end: nr += nrRows});
	}
	if (nr > cursor.left)
		refuse('more rows than bytes');
	const begin = planes(cursor, nr), time = planes(cursor, nr), end = new Float64Array(nr);
	const stack = nr ? handles(cursor, nr, profile.stacks.nr, 'stack') : new Uint32Array(0);
	const event = new Uint32Array(nr), thread = new Uint32Array(nr);
	// A column that only some groups have: rows of other groups are `none`.
	const some = (bit, Type, none, read) => {
		const out = new Type(nr).fill(none);
		for (const g of groups)
			if (g.mode & bit)
				out.set(read(g.end - g.begin), g.begin);
		return out;
	};
	const weight = some(1, Float64Array, NaN, nrRows => cursor.signedColumn(nrRows));
	const count = some(2, Uint32Array, 1, nrRows => cursor.column(nrRows));
	const labels = some(4, Uint32Array, 0, nrRows => handles(cursor, nrRows, profile.labelSets.length, 'label set'));
	const link = some(8, Uint32Array, 0, nrRows => handles(cursor, nrRows, profile.links.length, 'link'));
	const start = nr ? begin[0] / 2 : 0;
	let first = 0, earliest = Infinity;
	begin[0] = 0;
	for (const g of groups) {
		for (let i = g.begin, last = first; i < g.end; i++) {
			const gap = begin[i] % 2 ? -(begin[i] + 1) / 2 : begin[i] / 2;
			begin[i] = last + gap;
			end[i] = time[i] ? begin[i] + time[i] - 1 : Infinity;
			last = time[i] ? end[i] : begin[i];
			if (i === g.begin)
				first = begin[i];
			if (begin[i] < earliest)
				earliest = begin[i];
			weight[i] = scaled(Number.isNaN(weight[i]) ? time[i] - 1 : weight[i], profile.events[g.event].scale);
		}
		event.fill(g.event, g.begin, g.end);
		thread.fill(g.thread, g.begin, g.end);
	}
	for (let i = 0; i < nr; i++) {
		begin[i] -= earliest;
		end[i] -= earliest;
	}
	if (cursor.left)
		refuse('trailing bytes');
	if (profile.links.some(l => l && l.interval >= nr))
		refuse('link to a missing interval');
	return {nr, quantum, start: nr ? start + earliest : 0, begin, end, event, thread, stack, labels, weight, link, count};
}

function readSeries(profile, cursor) {
	const nr = cursor ? cursor.count() : 0, {strings} = profile;
	const heads = [];
	let nrPoints = 0;
	for (let i = 0; i < nr; i++) {
		const [name, unit, scope] = handles(cursor, 3, strings.length, 'string');
		const scale = cursor.signed(), quantum = cursor.varint(), nrOwn = cursor.varint();
		if (scale > 0 || scale < SCALE_MIN)
			refuse('scale out of range');
		heads.push({name: strings[name], unit: strings[unit], scope: strings[scope], scale, quantum, begin: nrPoints, end: nrPoints += nrOwn});
	}
	const step = nrPoints ? new Float64Array(cursor.column(nrPoints)) : [], change = nrPoints ? new Float64Array(cursor.signedColumn(nrPoints)) : [];
	profile.series = heads.map(({begin, end, ...head}) => {
		const time = step.slice(begin, end), value = change.slice(begin, end);
		for (let i = 1; i < time.length; i++) {
			time[i] += time[i - 1];
			value[i] += value[i - 1];
		}
		return {...head, time, value: value.map(v => scaled(v, head.scale))};
	});
}

function readNotes(profile, cursor) {
	profile.notes = [];
	if (!cursor)
		return;
	for (let left = cursor.count(); left > 0; left--) {
		const code = textOf(cursor), count = cursor.varint(), what = textOf(cursor);
		profile.notes.push({code, what, count, notes: []});
	}
	const nr = countOfMany(cursor);
	const of = handles(cursor, nr, profile.notes.length, 'code'), line = cursor.column(nr);
	const texts = textsOf(cursor, cursor.column(nr));
	for (let i = 0; i < nr; i++)
		profile.notes[of[i]].notes.push({line: line[i], text: texts[i]});
}

function readInfo(profile, cursor) {
	const {strings} = profile;
	const nr = cursor ? countOfMany(cursor) : 0;
	const key = nr ? handles(cursor, nr, strings.length, 'string') : [];
	const value = nr ? handles(cursor, nr, strings.length, 'string') : [];
	profile.info = Array.from(key, (k, i) => [strings[k], strings[value[i]]]);
}

function readView(profile, cursor) {
	profile.view = new Map();
	for (let left = cursor ? cursor.count() : 0; left > 0; left--) {
		const key = textOf(cursor);
		profile.view.set(key, textOf(cursor));
	}
}
