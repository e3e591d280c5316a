// What tests of trees share: queries, and a tree as folded lines.
import {readPack} from '../../web/profile.js';
import {foldedPack} from './pack.mjs';
import {pathOf} from '../../web/tree.js';

export function queryOf(profile, more = {}) {
	return {columns: [new Uint8Array(profile.events.length).fill(1)], samples: false, threads: null, range: null,
		range2: null, transforms: [], reverse: false, order: 'name', byThread: 'comm', widthOf: 1, ...more};
}

export function readFolded(text, more) {
	return readPack(foldedPack(text, more));
}

// Lines of what ends at each node, sorted: `a;b 3`, or `a;b 3 4` with two columns.  A thread and a function of one name
// are two boxes and one line.
export function foldedLines(profile, tree) {
	const sums = new Map();
	for (let i = 0; i < tree.nr; i++) {
		const self = tree.self.map(s => s[i]), path = pathOf(tree, i).map(w => profile.words.name[w]).join(';');
		if (self.some(w => w !== 0))
			sums.set(path, sums.has(path) ? sums.get(path).map((sum, k) => sum + self[k]) : self);
	}
	return [...sums].map(([path, self]) => `${path} ${self.join(' ')}`).sort();
}

// Boxes as text from left to right, callers first: `left+width name`, indented by depth.
export function boxes(profile, tree) {
	return Array.from({length: tree.nr}, (_, i) =>
		`${'  '.repeat(tree.depth[i])}${tree.left[i]}+${tree.width[i]} ${i ? profile.words.name[tree.word[i]] : 'all'}`);
}

// What must hold of every tree; returns what does not.
export function checkTree(tree) {
	const bad = [];
	const say = (yes, what) => yes || bad.push(what);
	const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
	say(tree.end[0] === tree.nr && tree.depth[0] === 0 && tree.word[0] === 0xffffffff, 'root');
	for (let i = 0; i < tree.nr; i++) {
		let x = null, sums = tree.self.map(s => s[i]);
		for (let c = i + 1; c < tree.end[i]; c = tree.end[c]) {
			say(tree.parent[c] === i, `parent of ${c}`);
			say(tree.depth[c] === tree.depth[i] + 1, `depth of ${c}`);
			say(x === null ? tree.left[c] >= tree.left[i] : near(tree.left[c], x), `left of ${c}`);
			x = tree.left[c] + tree.width[c];
			sums = sums.map((s, k) => s + tree.total[k][c]);
		}
		say(x === null || x <= tree.left[i] + tree.width[i] + 1e-9 * tree.whole, `children of ${i} fit`);
		say(tree.end[i] > i && tree.end[i] <= tree.nr, `end of ${i}`);
		say(tree.cut?.[i] || sums.every((s, k) => near(s, tree.total[k][i])), `total of ${i}`);
	}
	const rows = [];
	for (let i = 0; i < tree.nr; i++)
		(rows[tree.depth[i]] ??= []).push(i);
	say(JSON.stringify(rows) === JSON.stringify(tree.rows.map(r => Array.from(r))), 'rows');
	say(tree.maxDepth === rows.length - 1 && tree.whole === tree.width[0], 'whole');
	return bad.slice(0, 10);
}

// The profile with the marks at its words that folded text has there (`_[k]`) and the page has not.
export function marked(profile) {
	const {name, kind, flags} = profile.words, spelling = (profile.view.get('spelling') ?? '').split(' ');
	const MARKS = [['inlined', 'i', w => flags[w] & 4], ['waker', 'w', w => flags[w] & 8], ['kernel', 'k', w => kind[w] === 1],
		['jit', 'j', w => kind[w] === 2]];
	const mark = w => {
		const [word, letter] = MARKS.find(m => m[2](w)) ?? [];
		return spelling.includes(word) && (letter === 'k' || !name[w].includes(`_[${letter}]`)) ? `_[${letter}]` : '';
	};
	return {words: {name: name.map((text, w) => text + mark(w))}};
}

// Lines in the order of their bytes, without those of no frame at all.
export function sortedLines(profile, tree) {
	return foldedLines(marked(profile), tree).filter(line => !line.startsWith(' '))
		.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
