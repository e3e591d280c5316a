// The table of functions: self and total of each, over all of its frames.
import {buildTree} from './tree.js';

// From a tree, or from a profile and a query.  Recursive calls are not counted again.
export function topTable(tree, query) {
	if (query)
		return topTable(buildTree(tree, {...query, reverse: false, order: 'name'}));
	const row = new Map(), open = [], nrCols = tree.self.length;
	const word = [], self = Array.from({length: nrCols}, () => []), total = self.map(() => []);
	for (let i = 1; i < tree.nr; i++) {
		let r = row.get(tree.word[i]);
		if (r === undefined) {
			row.set(tree.word[i], r = word.push(tree.word[i]) - 1);
			open.push(0);
			for (let k = 0; k < nrCols; k++)
				self[k].push(0), total[k].push(0);
		}
		// The outermost call's subtree ends at open[r]: nodes before that are inside.
		const outer = i >= open[r];
		if (outer)
			open[r] = tree.end[i];
		for (let k = 0; k < nrCols; k++) {
			self[k][r] += tree.self[k][i];
			total[k][r] += outer ? tree.total[k][i] : 0;
		}
	}
	return {nr: word.length, word: Uint32Array.from(word), self: self.map(s => Float64Array.from(s)),
		total: total.map(t => Float64Array.from(t))};
}
