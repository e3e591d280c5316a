// Lays out trees: sorts siblings, and gives each node its left edge, width and depth.

const placesOf = new WeakMap(); // by profile

// Sort keys of words by name, two for each word: one for nodes in which a stack ends, one for those that only have
// callees.  wick's C code sorts lines of folded text, in which `a;b` comes after `a b`: so the second key is that of
// the word with a semicolon, which follows words with the same prefix and a smaller next character.
function namePlaces(profile) {
	let places = placesOf.get(profile);
	if (places)
		return places;
	const {name} = profile.words, word = new Map(name.map((text, w) => [text, w]));
	const open = []; // words whose second key is not assigned yet
	let next = 0;
	const goOn = text => {
		places[2 * word.get(text) + 1] = next++;
	};
	places = new Uint32Array(2 * name.length);
	for (const text of name.slice().sort()) {
		while (open.length && !(text.startsWith(open.at(-1)) && text[open.at(-1).length] < ';'))
			goOn(open.pop());
		places[2 * word.get(text)] = next++;
		open.push(text);
	}
	open.reverse().forEach(goOn);
	// A kernel function may have the same name as another one.
	name.forEach((text, w) => places.copyWithin(2 * w, 2 * word.get(text), 2 * word.get(text) + 2));
	placesOf.set(profile, places);
	return places;
}

// The same order by comparing names, which is faster for a few neighbors than sorting all words.  compare() is above
// 0 if the second of two siblings is to be shown before the first.  Most names differ in their first character: head,
// by word, unless it is 0.
function nameOrder({words: {name}}, {word, ends}) {
	const compare = (a, b) => {
		const x = name[word[a]], y = name[word[b]];
		if (x === y)
			return ends[b] - ends[a];
		if (x < y)
			return !ends[a] && goesOnLess(x, y) ? 1 : -1;
		return !ends[b] && goesOnLess(y, x) ? -1 : 1;
	};
	return {word, compare, head: Uint16Array.from(name, text => text.charCodeAt(0))};
}

// Does the longer text have the shorter one as a prefix, followed by a character that sorts before a semicolon?
function goesOnLess(short, long) {
	return long.length > short.length && long.charCodeAt(short.length) < 59 && long.startsWith(short);
}

// Totals from selves: a parent has a smaller number than its children.
export function addUp(nr, parent, self) {
	const total = self.slice(0, nr);
	for (let n = nr; n-- > 1;)
		total[parent[n]] += total[n];
	return total;
}

// The self width of each node.
export function ownWidths(nr, {self, negative}, widthOf = 1) {
	const [a, b] = self.length === 1 ? [self[0], self[0]]
		: widthOf === 'either' ? self : [self[widthOf], self[widthOf]];
	if (a === b && !negative)
		return a;
	const out = a.slice(0, nr);
	for (let n = 0; n < nr; n++)
		out[n] = Math.max(a[n], b[n], 0);
	return out;
}

// Children by parent: those of node n are list[first[n]] up to list[first[n + 1]], in the order of the nodes.
function listChildren(nr, parent) {
	const first = new Uint32Array(nr + 2), list = new Uint32Array(nr);
	for (let n = 1; n < nr; n++)
		first[parent[n] + 2]++;
	for (let n = 2; n < nr + 2; n++)
		first[n] += first[n - 1];
	for (let n = 1; n < nr; n++)
		list[first[parent[n] + 1]++] = n;
	return {first, list};
}

const FEW = 16;

// Sorts list[begin..end) so that before(a, b) < 0 means that a comes first.
function sortPart(list, begin, end, before) {
	if (end - begin > FEW) {
		list.subarray(begin, end).sort(before);
		return;
	}
	for (let i = begin + 1; i < end; i++) {
		const node = list[i];
		let at = i;
		for (; at > begin && before(list[at - 1], node) > 0; at--)
			list[at] = list[at - 1];
		list[at] = node;
	}
}

function sortChildren({first, list}, nr, before) {
	for (let n = 0; n < nr; n++)
		if (first[n + 1] - first[n] > 1)
			sortPart(list, first[n], first[n + 1], before);
}

// The comparison of two siblings, for sorting.
function comesBefore(profile, {word, ends}, width, order) {
	const places = namePlaces(profile), place = n => places[2 * word[n] + 1 - ends[n]];
	if (order === 'width')
		return (a, b) => width[b] - width[a] || place(a) - place(b);
	return (a, b) => place(a) - place(b);
}

// Nodes in preorder: at, by node its number; parent, by number.
function numberNodes(nr, above, {first, list}) {
	const size = new Uint32Array(nr).fill(1), at = new Uint32Array(nr);
	const parent = new Uint32Array(nr);
	for (let n = nr; n-- > 1;)
		size[above[n]] += size[n];
	for (let n = 0; n < nr; n++) {
		const me = at[n];
		let next = me + 1;
		for (let i = first[n]; i < first[n + 1]; i++) {
			at[list[i]] = next;
			parent[next] = me;
			next += size[list[i]];
		}
	}
	return {at, parent};
}

// Moves the values of columns to the new positions of their nodes, within the given ranges; a column that is passed
// twice is moved once.
function mover(at, ranges) {
	const moved = new Set();
	return column => {
		for (const [begin, end] of moved.has(column) ? [] : ranges) {
			const old = column.slice(begin, end);
			for (let n = begin; n < end; n++)
				column[at[n]] = old[n - begin];
		}
		moved.add(column);
		return column;
	};
}

// Nodes in preorder keep their positions except below a messy one, where whole subtrees are reordered.  Returns at,
// the new number by node, and the ranges in which that is set.
function tidyNodes(nr, parent, {end, messy}, compare) {
	const at = new Uint32Array(nr), ranges = [];
	for (let top = messy.indexOf(1); top >= 0; top = messy.indexOf(1, end[top])) {
		at[top] = top;
		for (let n = top; n < end[top]; n++) {
			const up = parent[n];
			if (n > top && !messy[up])
				at[n] = at[up] + n - up;
			if (messy[n])
				placeChildren(n, end, at, compare);
		}
		ranges.push([top, end[top]]);
	}
	return {at, ranges};
}

// Renumbers the parents of nodes that have moved.
function tidyParents(parent, at, ranges) {
	const out = parent.slice(0, at.length);
	for (const [top, end] of ranges)
		for (let n = top + 1; n < end; n++)
			out[at[n]] = at[parent[n]];
	return out;
}

function placeChildren(node, end, at, compare) {
	const children = [];
	for (let child = node + 1; child < end[node]; child = end[child])
		children.push(child);
	let next = at[node] + 1;
	for (const child of children.sort(compare)) {
		at[child] = next;
		next += end[child] - child;
	}
}

// The positions of nodes that are in no order: {at, parent}.
function orderNodes(profile, query, raw, width) {
	const {nr, parent} = raw, children = listChildren(nr, parent);
	if (query.order !== 'time')
		sortChildren(children, nr, comesBefore(profile, raw, width, query.order));
	return numberNodes(nr, parent, children);
}

// Turns raw nodes (see sumNodes) into the tree that is drawn.  A tree has, by node in preorder: word, parent, depth,
// end (its subtree is i up to end[i]), left and width as shown; by column: self, total, samples (inclusive); and
// rows: the nodes of each depth from left to right.
// If raw nodes were cut, they have inclusive widths, totals and samples.  The parents and words of raw nodes are not
// changed, since they may be shared; their sums are moved into the tree.
export function layOut(profile, query, raw) {
	const {nr} = raw, sums = new Map();
	const sum = column => sums.get(column) ?? sums.set(column, addUp(nr, raw.parent, column)).get(column);
	const own = ownWidths(nr, raw, query.widthOf), width = raw.width ?? sum(own);
	// Computes all sums before anything moves.
	const total = raw.total ?? raw.self.map(sum), samples = raw.cut ? raw.samples : raw.samples.map(sum);
	const byName = query.order !== 'time' && query.order !== 'width', inOrder = byName && nameOrder(profile, raw);
	let placed = byName ? placeNodes(raw, width, own, inOrder) : null, move = column => column, {parent, word} = raw;
	if (!placed) {
		const order = orderNodes(profile, query, raw, width);
		move = mover(order.at, [[0, nr]]);
		({parent} = order);
		word = word.slice(0, nr);
		placed = placeNodes(order, move(width), move(own));
	} else if (placed.messy) {
		const {at, ranges} = tidyNodes(nr, parent, placed, inOrder.compare);
		move = mover(at, ranges);
		word = word.slice(0, nr);
		parent = tidyParents(parent, at, ranges);
		// The number of nodes at each depth stays the same.
		const again = {...placed, sizes: []};
		for (const [top, end] of ranges)
			placeBelow(again, top, end, {parent}, move(width), move(own));
	}
	const {left, depth, end, sizes} = placed;
	return stackRows({
		nr,
		word: move(word),
		parent,
		left, depth, end, sizes,
		self: raw.self.map(move),
		total: total.map(move),
		samples: samples.map(move),
		width: move(width),
		cut: raw.cut ? move(raw.cut) : null,
		whole: width[0],
	});
}

// One pass over nodes in preorder, as the rows of a pack are, sets their left edges (a node's self weight comes
// first, then its callees), depths and ends; null if they are not in preorder.  Siblings that are not `inOrder` make
// their parent messy.
export function placeNodes(nodes, width, own, inOrder) {
	const nr = width.length, placed = {
		left: new width.constructor(nr), depth: new Uint32Array(nr), end: new Uint32Array(nr), messy: null,
		// By depth: the number of nodes, the last one, and the left edge of its next child.
		sizes: [1], path: [], next: [],
	};
	return placeBelow(placed, 0, nr, nodes, width, own, inOrder) ? placed : null;
}

// The same for the nodes below `top`, up to nr.
function placeBelow(placed, top, nr, {parent}, width, own, inOrder) {
	const {word, compare, head} = inOrder || {};
	const {left, depth, end, sizes, path, next} = placed, least = depth[top];
	let last = least;
	path[last] = top;
	next[last] = left[top] + own[top];
	for (let n = top + 1; n < nr; n++) {
		const above = parent[n], d = depth[above];
		if (d > last || path[d] !== above)
			return false;
		// The nodes below this depth end here; path[d + 1] is the previous sibling, if there is one.
		for (; last > d; last--)
			end[path[last]] = n;
		if (compare && above !== n - 1) {
			const beside = path[d + 1], first = head[word[beside]];
			if ((first >= head[word[n]] || !first) && compare(beside, n) > 0)
				(placed.messy ??= new Uint8Array(parent.length))[above] = 1;
		}
		left[n] = next[d];
		next[d] += width[n];
		last = depth[n] = d + 1;
		path[last] = n;
		next[last] = left[n] + own[n];
		sizes[last] = (sizes[last] ?? 0) + 1;
	}
	for (; last >= least; last--)
		end[path[last]] = nr;
	return true;
}

// Sets the rows of a tree: preorder has the nodes of each depth from left to right, so one list of all nodes is split
// by depth.
export function stackRows(tree) {
	const {nr, depth, sizes} = tree, maxDepth = sizes.length - 1, next = new Uint32Array(maxDepth + 1);
	const all = new Uint32Array(nr), rows = [];
	for (let d = 0, begin = 0; d <= maxDepth; begin += sizes[d++]) {
		next[d] = begin;
		rows.push(all.subarray(begin, begin + sizes[d]));
	}
	for (let i = 0; i < nr; i++)
		all[next[depth[i]]++] = i;
	return Object.assign(tree, {depth: maxDepth < 65536 ? new Uint16Array(depth) : depth, rows, maxDepth, sizes: null});
}
