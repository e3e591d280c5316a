// Stacks as paths of words, with transforms applied; equal words below one parent are merged.  All trees are built
// from these paths.  They do not depend on events, threads and times, so they are cached: changing one of those is
// fast.
import {NO_WORD} from './words.js';

export const DROPPED = 0xffffffff;
const INLINED = 2 | 4; // flags of frames

// Nodes found by parent and word; node 0 is the root.  A parent has a smaller number than its children.
export class PathTable {
	constructor(capacity) {
		this.nr = 1;
		this.parent = new Uint32Array(capacity + 16);
		this.word = new Uint32Array(capacity + 16);
		this.word[0] = NO_WORD;
		// Most nodes have one child: only the others go through the hash.
		this.onlyChild = new Uint32Array(capacity + 16);
		this.slots = new Uint32Array(1024);
		this.nrSlots = 0;
	}

	child(parent, word) {
		const first = this.onlyChild[parent];
		if (!first)
			return this.onlyChild[parent] = this.add(parent, word);
		if (this.word[first] === word)
			return first;
		const mask = this.slots.length - 1;
		let at = slotOf(parent, word) & mask, node;
		while ((node = this.slots[at])) {
			if (this.word[node] === word && this.parent[node] === parent)
				return node;
			at = at + 1 & mask;
		}
		node = this.slots[at] = this.add(parent, word);
		if (++this.nrSlots * 2 > this.slots.length)
			this.growSlots();
		return node;
	}

	add(parent, word) {
		if (this.nr === this.parent.length)
			this.growNodes();
		this.parent[this.nr] = parent;
		this.word[this.nr] = word;
		return this.nr++;
	}

	nodes() {
		const {nr, parent, word} = this;
		return {nr, parent: parent.subarray(0, nr), word: word.subarray(0, nr)};
	}

	growNodes() {
		for (const column of ['parent', 'word', 'onlyChild']) {
			const larger = new Uint32Array(this.nr * 2);
			larger.set(this[column]);
			this[column] = larger;
		}
	}

	growSlots() {
		const old = this.slots, mask = old.length * 4 - 1;
		this.slots = new Uint32Array(mask + 1);
		for (let i = 0; i < old.length; i++) {
			if (!old[i])
				continue;
			let at = slotOf(this.parent[old[i]], this.word[old[i]]) & mask;
			while (this.slots[at])
				at = at + 1 & mask;
			this.slots[at] = old[i];
		}
	}
}

function slotOf(parent, word) {
	const h = Math.imul(parent, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b);
	return Math.imul(h ^ h >>> 15, 0xc2b2ae35) >>> 7;
}

// If no two frames have the same word, the table of stacks is the tree: words then have the numbers of frames.
function samePaths({stacks}) {
	const word = stacks.frame.slice();
	word[0] = NO_WORD;
	return {nr: stacks.nr, parent: stacks.caller, word, of: null};
}

function mergePaths({stacks, words}) {
	const table = new PathTable(stacks.nr), of = new Uint32Array(stacks.nr);
	for (let s = 1; s < stacks.nr; s++) {
		const frame = stacks.frame[s];
		let node = of[stacks.caller[s]];
		for (let k = words.first[frame]; k < words.first[frame + 1]; k++)
			node = table.child(node, words.of[k]);
		of[s] = node;
	}
	return {...table.nodes(), of};
}

// By word or by module: 1 if the test holds.
function tableOf(names, test) {
	return Uint8Array.from(names, name => test(name) ? 1 : 0);
}

// A transform gets one word after the other, starting at the root, with a number as its state along the path, and
// returns the word to use, or NO_WORD.  need: 1 if a path that ends before the state is 1 does not count.
const TRANSFORMS = {
	focus: (profile, {test}) => {
		const hit = tableOf(profile.words.name, test);
		return {need: 1, step: (word, module, memory, at) => {
			memory[at] |= hit[word];
			return word;
		}};
	},
	ignore: (profile, {test}) => {
		const hit = tableOf(profile.words.name, test);
		return {need: 0, step: (word, module, memory, at) => {
			if (hit[word])
				memory[at] = DROPPED;
			return word;
		}};
	},
	hide: (profile, {test}) => {
		const hit = tableOf(profile.words.name, test);
		return {need: 0, step: word => hit[word] ? NO_WORD : word};
	},
	root: (profile, {test}) => {
		const hit = tableOf(profile.words.name, test);
		return {need: 1, step: (word, module, memory, at) => {
			memory[at] |= hit[word];
			return memory[at] ? word : NO_WORD;
		}};
	},
	recursion: () => ({need: 0, step: (word, module, memory, at) => {
		const same = memory[at] === word + 1;
		memory[at] = word + 1;
		return same ? NO_WORD : word;
	}}),
	module: (profile, {module: name}) => {
		const {moduleWord} = profile.words;
		const isIt = tableOf(profile.modules.path, path => path && isModule(profile.strings[path], name));
		return {need: 0, step: (word, module, memory, at) => {
			const goesOn = memory[at];
			memory[at] = isIt[module];
			return !isIt[module] ? word : goesOn ? NO_WORD : moduleWord[module];
		}};
	},
};

// A module is named by its path or by its file name.
function isModule(path, name) {
	return path === name || path.slice(path.lastIndexOf('/') + 1) === name;
}

TRANSFORMS.base = TRANSFORMS.root;

// Since stacks are in preorder, one short array holds the state of each depth: a row is the node, then the state of
// each transform.
function changePaths(profile, transforms) {
	const {stacks, frames, words} = profile;
	const steps = transforms.map(t => TRANSFORMS[t.op](profile, t));
	const table = new PathTable(stacks.nr), of = new Uint32Array(stacks.nr);
	const size = steps.length + 1;
	// By depth: the states, the stack, and its module; an inlined frame has the module of the frame that it is
	// inlined into.
	let memory = new Uint32Array(64 * size), path = new Uint32Array(64), module = new Uint32Array(64);

	const push = (word, itsModule, at) => {
		for (let i = 0; i < steps.length && word !== NO_WORD; i++)
			word = steps[i].step(word, itsModule, memory, at + 1 + i);
		if (word !== NO_WORD)
			memory[at] = table.child(memory[at], word);
	};
	const counts = at => steps.every((s, i) =>
		memory[at + 1 + i] !== DROPPED && (!s.need || memory[at + 1 + i]));

	of[0] = counts(0) ? 0 : DROPPED;
	for (let s = 1, depth = 0; s < stacks.nr; s++) {
		const frame = stacks.frame[s];
		while (path[depth] !== stacks.caller[s])
			depth--;
		const at = ++depth * size;
		if (at === memory.length) {
			memory = doubled(memory);
			path = doubled(path);
			module = doubled(module);
		}
		path[depth] = s;
		module[depth] = frames.module[frame] || (frames.flags[frame] & INLINED ? module[depth - 1] : 0);
		memory.copyWithin(at, at - size, at);
		for (let k = words.first[frame]; k < words.first[frame + 1]; k++)
			push(words.of[k], module[depth], at);
		of[s] = counts(at) ? memory[at] : DROPPED;
	}
	return {...table.nodes(), of};
}

function doubled(array) {
	const out = new Uint32Array(array.length * 2);
	out.set(array);
	return out;
}

function makePaths(profile, transforms) {
	if (transforms.length)
		return changePaths(profile, transforms);
	return profile.words.distinct ? samePaths(profile) : mergePaths(profile);
}

const keptPaths = new WeakMap(); // by profile: the paths without transforms, and the last ones with some

function sameTransforms(a, b) {
	return a.length === b.length &&
		a.every((t, i) => t.op === b[i].op && t.test === b[i].test && t.module === b[i].module);
}

// The paths of a profile: {nr, parent, word, of}, of: by stack its node, or DROPPED; null: itself.
export function findPaths(profile, transforms = []) {
	let kept = keptPaths.get(profile);
	if (!kept)
		keptPaths.set(profile, kept = {plain: null, changed: null, transforms: null});
	if (!transforms.length)
		return kept.plain ??= makePaths(profile, transforms);
	if (!kept.transforms || !sameTransforms(kept.transforms, transforms)) {
		kept.transforms = transforms.slice();
		kept.changed = makePaths(profile, transforms);
	}
	return kept.changed;
}
