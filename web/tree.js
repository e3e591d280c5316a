// The tree that is drawn: nodes in the order in which they are shown, as typed arrays.
import {buildChart} from './chart.js';
import {layOut} from './layout.js';
import {findPaths} from './paths.js';
import {reverseNodes} from './reverse.js';
import {sumNodes} from './sums.js';

// The tree of a query; layOut() describes its fields.
export function buildTree(profile, query) {
	const paths = findPaths(profile, query.transforms);
	if (query.order === 'time' && !query.reverse && profile.ticks())
		return buildChart(profile, query, paths);
	const raw = sumNodes(profile, query, paths);
	// Sorts by the names of the query, if it has any.
	return layOut(query.names ?? profile, query, query.reverse ? reverseAll(query, raw) : raw);
}

// All samples, from their leaves.
function reverseAll(query, raw) {
	const ends = Uint32Array.from({length: raw.nr}, (_, n) => n).filter(n => raw.ends[n]);
	return reverseNodes(query, raw, ends, ends);
}

// Words from the root down to a node, without the root.
export function pathOf(tree, node) {
	const path = [];
	for (; node; node = tree.parent[node])
		path.push(tree.word[node]);
	return path.reverse();
}

// The child of a node that has this word, or -1.
export function childOf({end, word: words}, node, word) {
	let child = node + 1;
	while (child < end[node] && words[child] !== word)
		child = end[child];
	return child < end[node] ? child : -1;
}

// The node with this path of words, or -1.
export function findPath(tree, words) {
	let node = 0;
	for (const word of words) {
		node = childOf(tree, node, word);
		if (node < 0)
			return -1;
	}
	return node;
}
