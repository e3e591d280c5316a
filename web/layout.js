// Nodes placed: in the order in which they are shown, each with its left edge and its width.

const placesOf = new WeakMap(); // by profile

// Places in the order of names, two for each word: one where something ends in it, one where it only
// goes on.  The other side of wick sorts lines as text, and there `a;b` comes behind `a b`: the second
// place is that of the word and a semicolon, behind the words that begin like it and go on with less.
function namePlaces(profile) {
	let places = placesOf.get(profile);
	if (places)
		return places;
	const {name} = profile.words, word = new Map(name.map((text, w) => [text, w]));
	const open = []; // words whose second place is still to come
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
	placesOf.set(profile, places);
	return places;
}

// Sums of what is below added to each node's own.
export function addUp(nr, parent, self) {
	const total = self.slice(0, nr);
	for (let n = nr; n-- > 1;)
		total[parent[n]] += total[n];
	return total;
}

// The width that ends at each node itself.
export function ownWidths(nr, self, widthOf = 1) {
	const [a, b] = self.length === 1 ? [self[0], self[0]]
		: widthOf === 'either' ? self : [self[widthOf], self[widthOf]];
	let n = 0;
	// One column without anything below zero is its own width.
	while (a === b && n < nr && a[n] >= 0)
		n++;
	if (n === nr)
		return a;
	const out = a.slice(0, nr);
	for (; n < nr; n++)
		out[n] = Math.max(a[n], b[n], 0);
	return out;
}

// Children by parent: of node n, list[first[n]] up to first[n + 1], in the order of the nodes.
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

// Which of two siblings comes first.
function comesBefore(profile, {word, ends}, width, order) {
	const places = namePlaces(profile), place = n => places[2 * word[n] + 1 - ends[n]];
	if (order === 'width')
		return (a, b) => width[b] - width[a] || place(a) - place(b);
	return (a, b) => place(a) - place(b);
}

// Nodes in preorder: at, by node its number; parent and end, by number.
function numberNodes(nr, above, {first, list}) {
	const size = new Uint32Array(nr).fill(1), at = new Uint32Array(nr);
	const parent = new Uint32Array(nr), end = new Uint32Array(nr);
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
		end[me] = next;
	}
	return {at, parent, end};
}

// Moves columns to where their nodes are now; a column that is there twice is moved once.
function mover(at) {
	const moved = new Map();
	return column => {
		if (!moved.has(column)) {
			const out = new column.constructor(at.length);
			for (let n = 0; n < at.length; n++)
				out[at[n]] = column[n];
			moved.set(column, out);
		}
		return moved.get(column);
	};
}

// Where nodes are in preorder, as the rows of a pack are: by node its end, and `messy`: 1 where what it calls is
// not in the order of names.  Otherwise null.
function checkOrder(profile, {nr, parent, word, ends}) {
	const places = namePlaces(profile), lastPlace = new Uint32Array(nr), end = new Uint32Array(nr), messy = new Uint8Array(nr);
	const depth = new Uint32Array(nr), path = new Uint32Array(nr); // by depth, the last node of it
	let nrMessy = 0;
	for (let n = 1; n < nr; n++) {
		const above = parent[n], d = depth[above], place = places[2 * word[n] + 1 - ends[n]] + 1;
		if (d > depth[n - 1] || path[d] !== above)
			return null;
		if (place < lastPlace[above])
			nrMessy += 1 - messy[above], messy[above] = 1;
		lastPlace[above] = place;
		path[depth[n] = d + 1] = n;
	}
	for (let n = nr; n-- > 0;) {
		end[n] = Math.max(end[n], n + 1);
		if (n)
			end[parent[n]] = Math.max(end[parent[n]], end[n]);
	}
	return {end, messy, nrMessy};
}

// What numberNodes() tells of nodes in preorder: only below a messy one do they move, and what is below them
// moves along.
function tidyNodes(nr, above, {end: oldEnd, messy, nrMessy}, before) {
	if (!nrMessy)
		return {at: null, parent: above, end: oldEnd};
	const at = new Uint32Array(nr), parent = new Uint32Array(nr), end = new Uint32Array(nr);
	for (let n = 0; n < nr; n++) {
		const up = above[n], me = n && !messy[up] ? at[n] = at[up] + n - up : at[n];
		parent[me] = at[up];
		end[me] = me + oldEnd[n] - n;
		if (messy[n])
			placeChildren(n, oldEnd, at, before);
	}
	return {at, parent, end};
}

function placeChildren(node, end, at, before) {
	const children = [];
	for (let child = node + 1; child < end[node]; child = end[child])
		children.push(child);
	let next = at[node] + 1;
	for (const child of children.sort(before)) {
		at[child] = next;
		next += end[child] - child;
	}
}

function orderNodes(profile, query, raw, width) {
	const {nr, parent} = raw, before = query.order !== 'time' && comesBefore(profile, raw, width, query.order);
	const checked = before && query.order !== 'width' && checkOrder(profile, raw);
	if (checked)
		return tidyNodes(nr, parent, checked, before);
	const children = listChildren(nr, parent);
	if (before)
		sortChildren(children, nr, before);
	return numberNodes(nr, parent, children);
}

// Raw nodes (see sumNodes) as the tree that is drawn.  A tree holds, by node in preorder: word,
// parent, depth, end (its subtree is i up to end[i]), left and width as shown; by column self,
// total, samples (inclusive); the nodes of each depth from left to right in rows.
// Raw nodes that were cut have their width, total and samples of all below with them.
export function layOut(profile, query, raw) {
	const {nr} = raw, sums = new Map();
	const sum = column => sums.get(column) ?? sums.set(column, addUp(nr, raw.parent, column)).get(column);
	const own = ownWidths(nr, raw.self, query.widthOf), width = raw.width ?? sum(own);
	const {at, parent, end} = orderNodes(profile, query, raw, width), move = at ? mover(at) : column => column;
	const tree = {
		nr,
		word: move(raw.word),
		parent,
		end,
		self: raw.self.map(move),
		total: (raw.total ?? raw.self.map(sum)).map(move),
		samples: (raw.cut ? raw.samples : raw.samples.map(sum)).map(move),
		width: move(width),
		cut: raw.cut ? move(raw.cut) : null,
		whole: width[0],
	};
	tree.left = placeNodes(tree, move(own));
	return stackRows(tree);
}

// Left edges: what ends in a node comes first, then what it calls.
function placeNodes({nr, parent, width}, own) {
	const left = new Float64Array(nr), next = new Float64Array(nr);
	next[0] = own[0];
	for (let i = 1; i < nr; i++) {
		left[i] = next[parent[i]];
		next[parent[i]] += width[i];
		next[i] = left[i] + own[i];
	}
	return left;
}

// Gives a tree its depths and rows.
export function stackRows(tree) {
	const {nr, parent} = tree, depth = new Uint32Array(nr), size = new Uint32Array(nr);
	let maxDepth = 0;
	size[0] = 1;
	for (let i = 1; i < nr; i++) {
		const d = depth[i] = depth[parent[i]] + 1;
		size[d]++;
		if (d > maxDepth)
			maxDepth = d;
	}
	// Preorder has the nodes of a depth from left to right: one list of all, cut by depth.
	const next = new Uint32Array(maxDepth + 1), all = new Uint32Array(nr), rows = [];
	for (let d = 0, begin = 0; d <= maxDepth; begin += size[d++]) {
		next[d] = begin;
		rows.push(all.subarray(begin, begin + size[d]));
	}
	for (let i = 0; i < nr; i++)
		all[next[depth[i]]++] = i;
	return Object.assign(tree, {depth: maxDepth < 65536 ? new Uint16Array(depth) : depth, rows, maxDepth});
}
