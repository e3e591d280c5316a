// For screen readers, which cannot read the canvas: a frame with its parent, siblings and children as elements; and
// the neighbors that arrow keys move to.
import {el} from './dom.js';

const MOST_MIRRORED = 20;

function childrenOf({end, width}, node) {
	const list = [];
	for (let i = node + 1; i < end[node]; i = end[i])
		list.push(i);
	return list.sort((a, b) => width[b] - width[a]);
}

// facts(node): the texts of its cells.
export function mirrorRows(tree, chosen, id, facts) {
	const rows = [], parent = tree.parent[chosen];
	const add = (node, set) => rows.push(el('div', {
		role: 'row', id: node === chosen ? id : '', 'aria-level': tree.depth[node] + 1, 'aria-posinset': set.indexOf(node) + 1,
		'aria-setsize': set.length, 'aria-selected': node === chosen,
		'aria-expanded': tree.end[node] > node + 1 && node <= chosen && chosen < tree.end[node],
	}, ...facts(node).map((text) => el('span', {role: 'gridcell'}, text))));
	if (chosen)
		add(parent, [parent]);
	const siblings = chosen ? childrenOf(tree, parent) : [0], some = siblings.slice(0, MOST_MIRRORED);
	if (!some.includes(chosen))
		some.push(chosen);
	for (const node of some) {
		add(node, siblings);
		if (node === chosen) {
			const children = childrenOf(tree, node);
			children.slice(0, MOST_MIRRORED).forEach((child) => add(child, children));
		}
	}
	return rows;
}

// The neighbor of a node in a direction, or -1: its parent, its widest child, the next or the previous of its siblings.
export function neighborOf({parent, end, width}, node, way) {
	const begin = node ? parent[node] + 1 : 0, within = node ? end[parent[node]] : 1;
	if (way === 'parent')
		return node ? parent[node] : -1;
	let best = -1;
	if (way === 'child')
		for (let i = node + 1; i < end[node]; i = end[i])
			if (width[i] && (best < 0 || width[i] > width[best]))
				best = i;
	if (way === 'next')
		for (let i = end[node]; i < within && best < 0; i = end[i])
			best = width[i] ? i : -1;
	if (way === 'previous')
		for (let i = begin; i < node; i = end[i])
			best = width[i] ? i : best;
	return best;
}
