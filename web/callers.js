// The sandwich view: callees and callers of one function, over all of its frames.  In recursion only the
// outermost call counts, so that no sample counts twice.
import {layOut} from './layout.js';
import {PathTable, findPaths} from './paths.js';
import {reverseNodes} from './reverse.js';
import {addSums, emptySums, sumNodes} from './sums.js';

const NOWHERE = 0xffffffff;

// By node: the outermost node with this word on its path from the root, or NOWHERE.
function outermost(raw, word) {
	const out = new Uint32Array(raw.nr).fill(NOWHERE);
	for (let n = 1; n < raw.nr; n++) {
		const above = out[raw.parent[n]];
		out[n] = above !== NOWHERE ? above : raw.word[n] === word ? n : NOWHERE;
	}
	return out;
}

// The callees of a function; the root is the function.
export function calleesTree(profile, query, word) {
	const raw = sumNodes(profile, query, findPaths(profile, query.transforms));
	const outer = outermost(raw, word), table = new PathTable(1024), to = new Uint32Array(raw.nr);
	for (let n = 1; n < raw.nr; n++)
		if (outer[n] !== NOWHERE && outer[n] !== n)
			to[n] = table.child(to[raw.parent[n]], raw.word[n]);
	table.word[0] = word;
	const merged = {...table.nodes(), ...emptySums(table.nr, raw.self.length, raw.alike)};
	for (let n = 1; n < raw.nr; n++)
		if (outer[n] !== NOWHERE)
			addSums(merged, to[n], raw, n);
	return layOut(profile, query, merged);
}

// The callers of a function; the root is the function.
export function callersTree(profile, query, word) {
	const raw = sumNodes(profile, query, findPaths(profile, query.transforms));
	const outer = outermost(raw, word), sums = emptySums(raw.nr, raw.self.length, raw.alike);
	for (let n = 1; n < raw.nr; n++)
		if (outer[n] !== NOWHERE)
			addSums(sums, outer[n], raw, n);
	const calls = Uint32Array.from({length: raw.nr}, (_, n) => n).filter(n => outer[n] === n);
	return layOut(profile, query, reverseNodes(query, raw, calls, calls.map(n => raw.parent[n]), word, sums));
}
