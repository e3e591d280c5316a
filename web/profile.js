// Reads a pack: see docs/pack.md, section by section.
import {Cursor, inflate} from './bytes.js';
import {behindNothing, checkBelow, countOfMany, handles, offsetsOf, refuse, textOf, textsOf} from './columns.js';
import {readColors, readWords} from './words.js';

const MAGIC = [0x89, 0x77, 0x69, 0x63, 0x6b, 0x0d, 0x0a];
const PACK_VERSION = 1;
const BODY_MAX = 2 ** 30;
// No zlib stream unpacks to more than this many times its size.
const DEFLATE_RATIO = 1032;
const DEPTH_MAX = 65536;
const SCALE_MIN = -9;

// In the order in which they are decoded: rows name rows of the sections above.
const SECTIONS = [
	['S', 'strings', readStrings],
	['M', 'modules', readModules],
	['F', 'frames', readFrames],
	['K', 'stacks', readStacks],
	['T', 'threads', readThreads],
	['E', 'events', readEvents],
	['L', 'label sets', readLabelSets],
	['C', 'counts', readCounts],
	['D', 'ticks', keepTicks],
	['N', 'notes', readNotes],
	['I', 'facts of the whole', readInfo],
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

// The pieces of the bodies by tag, still packed.
function splitSections(bytes) {
	const cursor = new Cursor(bytes);
	const known = new Map(SECTIONS.map(s => [s[0], s]));
	const bodies = new Map();
	let last = '';
	if (MAGIC.some((b, i) => bytes[i] !== b))
		refuse('pack: these bytes are no pack');
	cursor.take(MAGIC.length);
	if (!cursor.left || cursor.byte() !== PACK_VERSION)
		refuse(`pack: version ${bytes[MAGIC.length]} is not known`);
	while (cursor.left) {
		const tag = String.fromCharCode(cursor.byte());
		if (!/[A-Za-z]/.test(tag))
			refuse(`pack: no section begins at byte ${cursor.at - 1}`);
		inSection(known.get(tag) ?? [tag, 'unknown'], () => {
			const size = cursor.varint(), packed = cursor.varint();
			const body = cursor.take(packed);
			const pieces = bodies.get(tag) ?? [];
			if (pieces.length && tag !== last)
				refuse('it is there twice');
			if (size + pieces.reduce((sum, piece) => sum + piece.size, 0) > BODY_MAX || size > packed * DEFLATE_RATIO)
				refuse('it says that it is larger than it can be');
			bodies.set(last = tag, [...pieces, {size, body}]);
		});
	}
	return bodies;
}

// The body of a section: its pieces, unpacked and joined.
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

// The profile in a pack; throws an Error that names the section when it is none.
export async function readPack(bytes) {
	const bodies = splitSections(bytes);
	const unpacked = await Promise.all(SECTIONS.map(section =>
		bodies.has(section[0]) ? inSection(section, () => unpack(bodies.get(section[0]))) : null));
	const profile = {};
	SECTIONS.forEach((section, i) => inSection(section, () => {
		const cursor = unpacked[i] && new Cursor(unpacked[i]);
		section[2](profile, cursor);
		if (cursor && cursor.left && section[0] !== 'D')
			refuse('bytes are left at its end');
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
	cursor?.skip(nr); // addresses: nothing here shows them
	frames.firstLine = behindNothing(offsetsOf(nr ? column() : none));
	const nrAll = cursor ? cursor.count() : 0;
	if (frames.firstLine[nr + 1] !== nrAll)
		refuse('its frames have other lines');
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
			refuse(`row ${i} is too deep`);
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
		refuse('its scales are out of range');
	for (let i = 0; i < nr; i++)
		profile.events.push({name: strings[name[i]], unit: strings[unit[i]], scale: scale[i],
			period: period[i]});
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

// What a weight of each event is multiplied with; of a negative power, what it is divided by, since
// a tenth is no exact number.
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
			refuse(`there is no event ${event}`);
		if (thread >= profile.threads.length)
			refuse(`there is no thread ${thread}`);
		if (labels >= profile.labelSets.length)
			refuse(`there is no label set ${labels}`);
		if (mode > 1)
			refuse(`there is no mode ${mode}`);
		groups.push({event, thread, labels, mode, begin: nr, end: nr += nrRows,
			alike: mode === 0 && profile.events[event].scale === 0}); // a row weighs what it counts
	}
	const stack = nr ? cursor.column(nr) : new Uint32Array(0);
	const alike = groups.every(g => g.alike), given = nr ? cursor.signedColumn(nr) : new Int32Array(0);
	// Where every row weighs what it counts, one column is both.
	const weight = alike ? given : new Float64Array(given), counts = {nr, stack, weight, nr_samples: alike ? weight : weight.slice(), groups, whole: alike ? 0 : Infinity};
	for (const group of groups) {
		fillGroup(profile, counts, group, cursor);
		// They ascend: the last one tells of all.
		if (stack[group.end - 1] >= profile.stacks.nr)
			checkBelow(stack, profile.stacks.nr, 'stack');
	}
	profile.counts = counts;
}

// The rows of one group: sums made of differences.  counts.whole is what all rows weigh, where that is worth to know.
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

// Ticks are many, and no view needs them at first: they are decoded when they are asked for.
function keepTicks(profile, cursor) {
	let ticks;
	profile.nrTicks = cursor ? countTicks(new Cursor(cursor.bytes)) : 0;
	profile.ticks = () => {
		if (ticks === undefined)
			ticks = cursor ? inSection(['D', 'ticks'], () => readTicks(profile, cursor)) : null;
		return ticks;
	};
}

function countTicks(cursor) {
	cursor.skip(3);
	return cursor.count();
}

// Times count from that of the earliest tick: as such they are exact.
function readTicks(profile, cursor) {
	cursor.varint(); // the most that are kept
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
			refuse(`row ${i}: there is no stack ${at}`);
		stack[i] = at;
		weight[i] = scaled(weight[i], profile.events[event[i]].scale);
	}
	for (let i = 0; i < nr; i++)
		time[i] -= earliest;
	if (cursor.left)
		refuse('bytes are left at its end');
	return {nr, quantum, timed, start: start + earliest, time, event, thread, stack, labels, weight};
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
