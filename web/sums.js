// What counts and where: the rows of a profile that a query asks for, summed up by node.
import {NO_WORD} from './profile.js';
import {DROPPED, PathTable} from './paths.js';

// Calls visit(column, thread, rows, begin, end) for the rows that count in a column; rows has columns
// stack, weight, and nr, the number of samples.
export function eachPart(profile, query, visit) {
	if (query.range)
		eachTick(profile, query, visit);
	else
		eachGroup(profile, query, visit);
}

function eachGroup({counts}, {columns, samples, threads}, visit) {
	const {stack, weight, nr_samples: nr} = counts, rows = {stack, weight: samples ? nr : weight, nr};
	for (const {event, thread, begin, end} of counts.groups)
		for (let k = 0; k < columns.length; k++)
			if (columns[k][event] && (!threads || threads[thread]))
				visit(k, thread, rows, begin, end);
}

// The same for ticks, in the order of the samples.  Two ranges are two columns of one event.
export function eachTick(profile, {columns, samples, threads, range, range2}, visit) {
	const ticks = profile.ticks();
	if (!ticks)
		return;
	const nr = ticks.nr_samples ??= new Float64Array(ticks.nr).fill(1);
	const rows = {stack: ticks.stack, weight: samples ? nr : ticks.weight, nr};
	const parts = range2 ? [[columns[0], range], [columns[0], range2]]
		: columns.map(c => [c, range ?? [-Infinity, Infinity]]);
	for (let i = 0; i < ticks.nr; i++) {
		const t = ticks.time[i];
		for (let k = 0; k < parts.length; k++)
			if (parts[k][0][ticks.event[i]] && t >= parts[k][1][0] && t < parts[k][1][1] &&
			    (!threads || threads[ticks.thread[i]]))
				visit(k, ticks.thread[i], rows, i, i + 1);
	}
}

// Whether every row weighs what it counts: then the sums of both are the same.
function weighsAlike({counts}, query) {
	return query.samples || (!query.range && counts.groups.every(g => g.alike));
}

export function nrColumns(query) {
	return query.range && query.range2 ? 2 : query.columns.length;
}

// What the stacks of a thread begin with.
export function rootOf(thread, byThread = 'comm') {
	return byThread === 'none' ? [] : byThread === 'thread' ? thread.own : thread.words;
}

// The roots of rows that count, each once: {words: by root, of: by thread}.
function usedRoots(profile, query) {
	const words = [], of = new Uint32Array(profile.threads.length).fill(DROPPED), seen = new Map();
	eachPart(profile, query, (k, thread) => {
		if (of[thread] !== DROPPED)
			return;
		const root = rootOf(profile.threads[thread], query.byThread), key = root.join();
		if (!seen.has(key))
			seen.set(key, words.push(root) - 1);
		of[thread] = seen.get(key);
	});
	return {words, of};
}

export function zeros(nrOfColumns, nr) {
	return Array.from({length: nrOfColumns}, () => new Float64Array(nr));
}

// Sums by node of the paths, all below one root.
function sumPaths(profile, query, paths) {
	const {of} = paths, sums = emptySums(paths.nr, nrColumns(query), weighsAlike(profile, query));
	const {ends, alike} = sums;
	eachPart(profile, query, (k, thread, {stack, weight, nr}, begin, end) => {
		const self = sums.self[k], samples = sums.samples[k];
		for (let i = begin; i < end; i++) {
			const node = of ? of[stack[i]] : stack[i];
			if (node === DROPPED)
				continue;
			self[node] += weight[i];
			if (!alike)
				samples[node] += nr[i];
			ends[node] = 1;
		}
	});
	return sums;
}

// Where something ends, and all above it: what is not there is not shown.
function markNeeded(nr, parent, ends) {
	const needed = ends.slice(0, nr);
	for (let n = nr; n-- > 1;)
		needed[parent[n]] |= needed[n];
	return needed;
}

// The nodes that are needed, below the thread's name if there is one.
function compact(paths, sums, root) {
	const needed = markNeeded(paths.nr, paths.parent, sums.ends), at = new Uint32Array(paths.nr);
	let nr = root.length;
	at[0] = nr++;
	for (let n = 1; n < paths.nr; n++)
		at[n] = needed[n] ? nr++ : 0;
	if (nr === paths.nr && !root.length)
		return {nr, parent: paths.parent, word: paths.word, ...sums};
	const raw = emptyNodes(nr, sums.self.length, sums.alike);
	raw.word[0] = NO_WORD;
	root.forEach((word, i) => {
		raw.word[i + 1] = word;
		raw.parent[i + 1] = i;
	});
	addSums(raw, at[0], sums, 0);
	for (let n = 1; n < paths.nr; n++) {
		if (!needed[n])
			continue;
		raw.parent[at[n]] = at[paths.parent[n]];
		raw.word[at[n]] = paths.word[n];
		addSums(raw, at[n], sums, n);
	}
	return raw;
}

// Sums by node, nothing in them.  alike: weights are numbers of samples, one column is both.
export function emptySums(nr, nrCols, alike = false) {
	const self = zeros(nrCols, nr);
	return {self, samples: alike ? self : zeros(nrCols, nr), ends: new Uint8Array(nr), alike};
}

export function emptyNodes(nr, nrCols, alike) {
	return {nr, parent: new Uint32Array(nr), word: new Uint32Array(nr), ...emptySums(nr, nrCols, alike)};
}

// Adds what ends at one node to another.
export function addSums(into, to, from, n) {
	for (let k = 0; k < into.self.length; k++) {
		into.self[k][to] += from.self[k][n];
		if (!into.alike)
			into.samples[k][to] += from.samples[k][n];
	}
	into.ends[to] |= from.ends[n];
}

// Paths below each root that rows hang below.  The work is that of what is needed, not of roots × paths.
function copyBelowRoots(profile, query, paths, roots) {
	const parts = roots.words.map(() => []), table = new PathTable(paths.nr);
	const copy = new Uint32Array(paths.nr), copiedFor = new Uint32Array(paths.nr), way = [];
	const nodeOf = stack => paths.of ? paths.of[stack] : stack;
	const copied = (node, r) => {
		let n = node;
		for (; copiedFor[n] !== r; n = paths.parent[n])
			way.push(n);
		while (way.length) {
			const below = way.pop();
			copy[below] = table.child(copy[paths.parent[below]], paths.word[below]);
			copiedFor[below] = r;
		}
		return copy[node];
	};
	eachPart(profile, query, (k, thread, rows, begin, end) =>
		parts[roots.of[thread]].push({k, rows, begin, to: new Uint32Array(end - begin)}));
	parts.forEach((list, r) => {
		copy[0] = roots.words[r].reduce((node, word) => table.child(node, word), 0);
		copiedFor[0] = r + 1;
		for (const {rows, begin, to} of list)
			for (let i = 0; i < to.length; i++) {
				const node = nodeOf(rows.stack[begin + i]);
				to[i] = node === DROPPED ? DROPPED : copied(node, r + 1);
			}
	});
	return sumParts(parts.flat(), table, nrColumns(query));
}

// What the rows come to, each at its node of the table.
function sumParts(parts, table, nrCols) {
	const raw = {...table.nodes(), ...emptySums(table.nr, nrCols)};
	for (const {k, rows, begin, to} of parts)
		for (let i = 0; i < to.length; i++) {
			if (to[i] === DROPPED)
				continue;
			raw.self[k][to[i]] += rows.weight[begin + i];
			raw.samples[k][to[i]] += rows.nr[begin + i];
			raw.ends[to[i]] = 1;
		}
	return raw;
}

// The nodes that a query shows, unordered, parents first: {nr, parent, word, ends, self[], samples[]};
// the samples are those that end at a node.
export function sumNodes(profile, query, paths) {
	const roots = usedRoots(profile, query);
	if (roots.words.length > 1)
		return copyBelowRoots(profile, query, paths, roots);
	return compact(paths, sumPaths(profile, query, paths), roots.words[0] ?? []);
}
