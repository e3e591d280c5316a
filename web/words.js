// The distinct names of frames and threads as they are shown: a word is a number, and this has its facts.
import {checkBelow, handles, offsetsOf, refuse, textsOf} from './columns.js';

export const NO_WORD = 0xffffffff;
const FRAME_OF_JIT = 2, FLAG_IN_MODULE = 16; // of the profile
const FEW_TEXTS = 16;

// Distinct names.  A kernel function differs from a user function of the same name.
class WordList {
	constructor(strings) {
		this.strings = strings;
		this.name = [];
		this.ofString = new Uint32Array(2 * strings.length); // word + 1 by string, kernel or not
		this.ofText = [new Map(), new Map()]; // of names that are not strings of the file
		this.ofRoot = new Map();
		this.looked = 0;
	}

	// Nearly all words are strings of the file, which are distinguished by their numbers.
	addString(string, kind) {
		const at = 2 * string + (kind === 1 ? 1 : 0);
		return (this.ofString[at] ||= this.name.push(this.strings[string])) - 1;
	}

	// A thread never shares a word with a function of the same name.
	addRoot(text) {
		if (!this.ofRoot.has(text))
			this.ofRoot.set(text, this.name.push(text) - 1);
		return this.ofRoot.get(text);
	}

	add(text, kind) {
		const found = this.ofText[kind === 1 ? 1 : 0];
		let word = found.get(text);
		if (word === undefined) {
			const string = this.stringOf(text);
			found.set(text, word = string < 0 ? this.name.push(text) - 1 : this.addString(string, kind));
		}
		return word;
	}

	// The number of a text among the strings, or -1.  The first few are searched without building a table.
	stringOf(text) {
		if (this.looked++ < FEW_TEXTS)
			return this.strings.indexOf(text);
		this.numbers ??= new Map(this.strings.map((string, i) => [string, i]));
		return this.numbers.get(text) ?? -1;
	}
}

// Reads the words of frames and the roots of threads from their section.
function readWordColumns(profile, cursor, list) {
	const {frames, strings, threads, words} = profile;
	if (cursor.count() !== frames.nr)
		refuse('does not match the frames');
	const first = offsetsOf(cursor.column(frames.nr)), nr = first[frames.nr];
	if (cursor.count() !== threads.length)
		refuse('does not match the threads');
	const rooted = checkBelow(cursor.column(threads.length), 2, 'number of roots');
	const which = handles(cursor, rooted.reduce((sum, r) => sum + r, nr), strings.length + 2, 'string');
	const other = textsOf(cursor, cursor.column(which.reduce((sum, w) => sum + !w, 0)));
	let at = nr, nextOther = 0;
	words.first = first;
	words.of = new Uint32Array(nr);
	for (let f = 0; f < frames.nr; f++)
		for (let k = first[f], line = frames.firstLine[f + 1]; k < first[f + 1]; k++) {
			const w = which[k], kind = frames.kind[f];
			line--;
			words.of[k] = w ? list.addString(w > 1 ? w - 2 : functionOf(profile, f, line), kind) : list.add(other[nextOther++], kind);
		}
	threads.forEach((thread, t) => {
		const w = rooted[t] ? which[at++] : 0;
		if (w === 1)
			refuse('thread without a function');
		thread.root = rooted[t] ? w ? strings[w - 2] : other[nextOther++] : null;
	});
}

// The function name of one of a frame's lines; an error if the frame has no such line.
function functionOf(profile, frame, line) {
	if (line < profile.frames.firstLine[frame])
		refuse('more words than lines in a frame');
	return profile.lines.function[line];
}

// A module as a frame: the name of its file.
function moduleFrame(profile, module) {
	const path = profile.strings[profile.modules.path[module]];
	return `[${path.slice(path.lastIndexOf('/') + 1) || 'unknown'}]`;
}

// The name of an unresolved frame: its module, or [jit] for generated code, whose module name contains a pid.
function unnamed(profile, frame) {
	const {kind, flags, module} = profile.frames;
	return kind[frame] === FRAME_OF_JIT && flags[frame] & FLAG_IN_MODULE ? '[jit]' : moduleFrame(profile, module[frame]);
}

// Creates words from function names, for a pack without words.
function spellWords(profile, list) {
	const {frames, lines, threads, words} = profile;
	const of = [];
	words.first = new Uint32Array(frames.nr + 1);
	for (let f = 0; f < frames.nr; f++) {
		const begin = frames.firstLine[f], end = frames.firstLine[f + 1];
		if (begin === end)
			of.push(list.add(unnamed(profile, f), frames.kind[f]));
		for (let k = end; k-- > begin;)
			of.push(list.addString(lines.function[k], frames.kind[f]));
		words.first[f + 1] = of.length;
	}
	words.of = Uint32Array.from(of);
	for (const thread of threads)
		thread.root = thread.comm || null;
}

export function readWords(profile, cursor) {
	const list = new WordList(profile.strings), words = profile.words = {name: list.name, color: null};
	if (cursor)
		readWordColumns(profile, cursor, list);
	else
		spellWords(profile, list);
	nameThreads(profile, list);
	nameModules(profile, list);
	gatherFacts(profile);
	words.roots = new Set(list.ofRoot.values());
	words.nr = list.name.length;
}

// Reads the palette's color for each word of the previous section.
export function readColors(profile, cursor) {
	if (!cursor)
		return;
	const {threads, words} = profile, rooted = threads.filter(t => t.root !== null);
	const color = handles(cursor, words.of.length + rooted.length, 2 ** 24, 'color');
	words.color = new Uint32Array(words.nr);
	// If a word occurs several times, the first color counts, so it is set last.
	rooted.forEach((thread, i) => thread.words.forEach(word => words.color[word] = color[words.of.length + i]));
	for (let k = words.of.length; k-- > 0;)
		words.color[words.of[k]] = color[k];
}

// Adds a word for each module, for the transform that collapses modules, so that no words are added later.
function nameModules(profile, list) {
	const {frames, modules, words} = profile, kind = new Uint8Array(modules.path.length);
	for (let f = frames.nr; f-- > 0;)
		kind[frames.module[f]] = frames.kind[f];
	// Frames without a module are not collapsed.
	words.moduleWord = Uint32Array.from(kind, (k, m) => m ? list.add(moduleFrame(profile, m), k) : 0);
}

// The root words of each thread's stacks: its root, which may be several words (`PID=12;TID=34`), or the name of this
// thread, `java-12/34`.
function nameThreads(profile, list) {
	for (const thread of profile.threads) {
		const {pid, tid, comm, root} = thread, name = comm.replaceAll(' ', '_').replaceAll(';', ':');
		thread.words = root ? root.split(';').map(text => list.addRoot(text)) : [];
		thread.own = comm || pid !== null || tid !== null ? [list.addRoot(`${name}-${pid ?? '?'}/${tid ?? '?'}`)]
			: thread.words;
	}
	groupRoots(profile.threads, list);
}

const MANY_ALIKE = 8; // more threads of a group are shown as one by default

// The default roots of stacks.
export function usualRoots({threads}) {
	return threads.some(({nrAlike}) => nrAlike > MANY_ALIKE) ? 'group' : 'comm';
}

// Were separate threads requested (--per-thread, --frames)?
function isNumbered(root, tid) {
	return root.endsWith(`/${tid}`) || /^[PT]ID=/.test(root);
}

// Threads whose names differ in their numbers only can have one root: pool-1, pool-2, … are pool-*.
function groupRoots(threads, list) {
	const groups = new Map(), patternOf = ({root, tid}) => isNumbered(root ?? '', tid) ? root : (root ?? '').replace(/\d+/g, '*');
	for (const thread of threads)
		groups.set(patternOf(thread), (groups.get(patternOf(thread)) ?? new Set()).add(thread.root));
	for (const thread of threads) {
		const pattern = patternOf(thread);
		thread.nrAlike = groups.get(pattern).size;
		thread.grouped = thread.nrAlike > 1 ? pattern.split(';').map(text => list.addRoot(text)) : thread.words;
	}
}

// By word: the facts of its first frame.  Words without a frame are labels.
function gatherFacts(profile) {
	const {frames, lines, words} = profile, nr = words.name.length;
	const seen = new Uint8Array(nr);
	words.kind = new Uint8Array(nr).fill(3);
	words.flags = new Uint8Array(nr);
	words.module = new Uint32Array(nr);
	words.file = new Uint32Array(nr);
	words.line = new Uint32Array(nr);
	words.distinct = true; // every frame has one word, and no two the same
	for (let f = 0; f < frames.nr; f++) {
		const begin = words.first[f], end = words.first[f + 1];
		words.distinct &&= end - begin === 1;
		for (let k = begin; k < end; k++) {
			const word = words.of[k];
			if (seen[word]) {
				words.distinct = false;
				continue;
			}
			seen[word] = 1;
			words.kind[word] = frames.kind[f];
			words.flags[word] = frames.flags[f] | (k > begin ? 2 : 0);
			words.module[word] = frames.module[f];
			// Lines are innermost first, words outermost first.
			const line = frames.firstLine[f + 1] - 1 - (k - begin);
			if (line >= frames.firstLine[f]) {
				words.file[word] = lines.file[line];
				words.line[word] = lines.line[line];
			}
		}
	}
	giveModulesTheirKind(profile, seen);
}

function giveModulesTheirKind({frames, words}, seen) {
	for (let f = frames.nr; f-- > 0;) {
		const word = words.moduleWord[frames.module[f]];
		if (frames.module[f] && !seen[word]) {
			words.kind[word] = frames.kind[f];
			words.module[word] = frames.module[f];
		}
	}
}
