// Nodes placed: in the order in which they are shown, each with its left edge and its width.

const placesOf = new WeakMap(); // by profile

// Places in the order of names, two for each word: one where something ends in it, one where it only
// goes on.  The other side of wick sorts lines as text, and there `a;b` comes behind `a b`.
function namePlaces(profile) {
	let places = placesOf.get(profile);
	if (places)
		return places;
	const {name} = profile.words, rank = new Map();
	const texts = name.concat(name.map(n => n + ';')).sort();
	places = new Uint32Array(2 * name.length);
	texts.forEach((text, i) => rank.set(text, i));
	for (let w = 0; w < name.length; w++) {
		places[2 * w] = rank.get(name[w]);
		places[2 * w + 1] = rank.get(name[w] + ';');
	}
	placesOf.set(profile, places);
	return places;
}

// By node, its place in the order of names.
function nodePlaces(profile, raw) {
	const places = namePlaces(profile), out = new Uint32Array(raw.nr);
	for (let n = 1; n < raw.nr; n++)
		out[n] = places[2 * raw.word[n] + 1 - raw.ends[n]];
	return out;
}

// Sums of what is below added to each node's own.
export function addUp(nr, parent, self) {
	const total = self.slice(0, nr);
	for (let n = nr; n-- > 1;)
		total[parent[n]] += total[n];
	return total;
}

// The width that ends at each node itself.
export function ownWidths(raw, widthOf) {
	const {nr, self} = raw, out = new Float64Array(nr);
	const [a, b] = self.length === 1 ? [self[0], self[0]]
		: widthOf === 'either' ? self : [self[widthOf ?? 1], self[widthOf ?? 1]];
	for (let n = 0; n < nr; n++)
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
function comesBefore(profile, raw, width, order) {
	if (order === 'time')
		return null;
	const place = nodePlaces(profile, raw);
	if (order === 'width')
		return (a, b) => width[b] - width[a] || place[a] - place[b];
	return (a, b) => place[a] - place[b];
}

// Raw nodes (see sumNodes) as the tree that is drawn.  A tree holds, by node in preorder: word,
// parent, depth, end (its subtree is i up to end[i]), left and width as shown; by column self,
// total, samples (inclusive); the nodes of each depth from left to right in rows.
// Raw nodes that were cut have their width, total and samples of all below with them.
export function layOut(profile, query, raw) {
	const {nr, parent} = raw;
	const own = ownWidths(raw, query.widthOf), width = raw.width ?? addUp(nr, parent, own);
	const total = raw.total ?? raw.self.map(s => addUp(nr, parent, s));
	const samples = raw.cut ? raw.samples : raw.samples.map(s => addUp(nr, parent, s));
	const children = listChildren(nr, parent);
	const before = comesBefore(profile, raw, width, query.order);
	if (before)
		sortChildren(children, nr, before);
	const at = new Uint32Array(nr), left = new Float64Array(nr);
	const tree = place(raw, children, own, width, at, left);
	const spread = column => scatter(column, at, nr);
	return Object.assign(tree, {
		self: raw.self.map(spread),
		total: total.map(spread),
		samples: samples.map(spread),
		left: spread(left),
		width: spread(width),
		cut: raw.cut ? spread(raw.cut) : null,
		rows: listRows(tree),
		whole: width[0],
	});
}

// Gives each node its number in preorder (at) and its left edge: what ends in a node comes first, then
// what it calls.
function place({nr, parent, word}, {first, list}, own, width, at, left) {
	const size = new Uint32Array(nr).fill(1);
	const tree = {nr, word: new Uint32Array(nr), parent: new Uint32Array(nr),
		end: new Uint32Array(nr), depth: null, maxDepth: 0};
	const depth = new Uint32Array(nr);
	for (let n = nr; n-- > 1;)
		size[parent[n]] += size[n];
	for (let n = 0; n < nr; n++) {
		const me = at[n];
		let next = me + 1, x = left[n] + own[n];
		for (let i = first[n]; i < first[n + 1]; i++) {
			const child = list[i];
			at[child] = next;
			left[child] = x;
			tree.parent[next] = me;
			depth[next] = depth[me] + 1;
			next += size[child];
			x += width[child];
		}
		tree.word[me] = word[n];
		tree.end[me] = next;
	}
	for (let i = 0; i < nr; i++)
		tree.maxDepth = Math.max(tree.maxDepth, depth[i]);
	tree.depth = tree.maxDepth < 65536 ? new Uint16Array(depth) : depth;
	return tree;
}

function scatter(column, at, nr) {
	const out = new column.constructor(nr);
	for (let n = 0; n < nr; n++)
		out[at[n]] = column[n];
	return out;
}

// By depth, the nodes from left to right: preorder has them in this order.
export function listRows({nr, depth, maxDepth}) {
	const first = new Uint32Array(maxDepth + 2), list = new Uint32Array(nr), rows = [];
	for (let i = 0; i < nr; i++)
		first[depth[i] + 1]++;
	for (let d = 0; d <= maxDepth; d++)
		first[d + 1] += first[d];
	for (let d = 0; d <= maxDepth; d++)
		rows.push(list.subarray(first[d], first[d + 1]));
	for (let i = 0; i < nr; i++)
		list[first[depth[i]]++] = i;
	return rows;
}
