// The tree from the leaves to their callers.  It can be far larger than the profile, so only nodes of a minimum width
// are created; a node whose children were left out is marked as cut.
import {NO_WORD} from './words.js';
import {ownWidths} from './layout.js';
import {emptyNodes, zeros} from './sums.js';

const LEAST = 1 / 16384;

// A growing list of nodes, as columns.
class NodeList {
	constructor(nrCols) {
		this.nr = 0;
		this.nodes = this.room(1024, nrCols);
	}

	room(size, nrCols) {
		return {...emptyNodes(size, nrCols), total: zeros(nrCols, size), width: new Float64Array(size),
			cut: new Uint8Array(size)};
	}

	add(parent, word) {
		if (this.nr === this.nodes.parent.length)
			this.nodes = this.copy(this.nr * 2);
		this.nodes.parent[this.nr] = parent;
		this.nodes.word[this.nr] = word;
		return this.nr++;
	}

	// A copy with columns of that size.
	copy(size) {
		const {nodes} = this, out = this.room(size, nodes.self.length);
		const nr = Math.min(size, this.nr);
		for (const key of ['parent', 'word', 'ends', 'width', 'cut'])
			out[key].set(nodes[key].subarray(0, nr));
		for (const key of ['self', 'samples', 'total'])
			out[key].forEach((column, k) => column.set(nodes[key][k].subarray(0, nr)));
		return out;
	}
}

// Reverses nodes (see sumNodes): item i has the self weight of node item[i], and the call chain from node from[i] to
// the root.  sums, if given, has other weights by node.  The root's word is `word`.
export function reverseNodes(query, raw, item, from, word = NO_WORD, sums = raw) {
	const own = ownWidths(raw.nr, sums, query.widthOf);
	const work = {raw, sums, own, item: Uint32Array.from(item), at: Uint32Array.from(from),
		nextItem: new Uint32Array(item.length), nextAt: new Uint32Array(item.length),
		slot: new Uint32Array(largest(raw.word) + 2)};
	const list = new NodeList(raw.self.length);
	const pending = [{node: list.add(0, word), begin: 0, end: item.length, least: 0, way: 0}];
	addPart(work, list.nodes, pending[0]);
	pending[0].least = list.nodes.width[0] * (query.least ?? LEAST);
	for (let i = 0; i < pending.length; i++) {
		expand(query, work, list, pending, pending[i]);
		pending[i] = null;
	}
	return {...list.copy(list.nr), nr: list.nr, negative: sums.negative};
}

function largest(words) {
	let most = 0;
	for (let i = 1; i < words.length; i++)
		most = Math.max(most, words[i]);
	return most;
}

// Adds up all items of a part.
function addPart({sums, own, item}, nodes, {node, begin, end}) {
	for (let i = begin; i < end; i++) {
		nodes.width[node] += own[item[i]];
		for (let k = 0; k < sums.self.length; k++) {
			nodes.total[k][node] += sums.self[k][item[i]];
			nodes.samples[k][node] += sums.samples[k][item[i]];
		}
	}
}

// Creates the children of a node: its items, grouped by their current word, each moved one step up.
function expand(query, work, list, pending, part) {
	const groups = groupItems(work, part, list.nodes);
	for (const {word, begin, end} of groups) {
		let width = 0;
		for (let i = begin; i < end; i++)
			width += work.own[work.item[i]];
		// Nodes next to the root, or on the path to the zoom, are created however narrow they are, so that
		// the row is complete.
		const leads = part.way >= 0 && query.under?.[part.way] === word;
		if (part.node && width < part.least && !leads) {
			list.nodes.cut[part.node] = 1;
			continue;
		}
		const child = {node: list.add(part.node, word), begin, end, least: part.least,
			way: leads ? part.way + 1 : -1};
		addPart(work, list.nodes, child);
		if (leads && child.way === query.under.length)
			child.least = width * (query.least ?? LEAST);
		pending.push(child);
	}
}

// Sorts the items of a part by word, in place; items at the root end here.
function groupItems(work, {node, begin, end}, nodes) {
	const {raw, sums, item, at, nextItem, nextAt, slot} = work;
	const groups = [];
	for (let i = begin; i < end; i++) {
		if (!at[i]) {
			nodes.ends[node] = 1;
			for (let k = 0; k < sums.self.length; k++)
				nodes.self[k][node] += sums.self[k][item[i]];
			continue;
		}
		const word = raw.word[at[i]];
		if (!slot[word])
			slot[word] = groups.push({word, begin: 0, end: 0});
		groups[slot[word] - 1].end++;
	}
	let next = begin;
	for (const group of groups) {
		group.begin = next;
		next += group.end;
		group.end = group.begin;
	}
	for (let i = begin; i < end; i++) {
		if (!at[i])
			continue;
		const to = groups[slot[raw.word[at[i]]] - 1].end++;
		nextItem[to] = item[i];
		nextAt[to] = raw.parent[at[i]];
	}
	item.set(nextItem.subarray(begin, next), begin);
	at.set(nextAt.subarray(begin, next), begin);
	for (const {word} of groups)
		slot[word] = 0;
	return groups;
}
