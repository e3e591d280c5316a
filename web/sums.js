// Sums the rows of a profile that a query selects, by node.
import {NO_WORD} from './words.js';
import {DROPPED, PathTable} from './paths.js';

const SMALL = 5e8; // twice as much, for two columns, still fits into 32 bits

export function nrColumns(query) {
	return query.range && query.range2 ? 2 : query.columns.length;
}

// The rows that count: columns stack, weight and nr, the number of samples, and parts, {k, thread, begin, end}: the
// rows of one thread that count in column k.  query.amounts replaces nr.  alike: all weights equal the numbers of
// samples, so the sums of both are the same.  factors: by column the factor of weights, or nothing.  Type: an integer
// array if the sums are known to be small: integers are faster while the code is not compiled yet.
function rowsOf(profile, query) {
	return query.range ? rowsOfTicks(profile, query) : rowsOfCounts(profile, query);
}

function rowsOfCounts({counts}, {columns, samples, amounts, threads, factors}) {
	const {groups, stack, weight, nr_samples} = counts, nr = amounts ?? nr_samples, parts = [];
	for (const {event, thread, begin, end} of groups)
		for (let k = 0; k < columns.length; k++)
			if (columns[k][event] && (!threads || threads[thread]))
				parts.push({k, thread, begin, end});
	return {parts, stack, weight: samples ? nr_samples : weight, nr, alike: !factors && !amounts && (samples || groups.every(g => g.alike)), factors,
		Type: !factors && counts.whole < SMALL ? Int32Array : undefined};
}

// The share of a tick within a range: a wait has a duration.
function shareIn({time, until}, i, begin, end) {
	const long = until && until[i] - time[i];
	return long ? Math.max(0, Math.min(until[i], end) - Math.max(time[i], begin)) / long : time[i] >= begin && time[i] < end ? 1 : 0;
}

// Calls visit(k, tick, share) for each tick that counts in column k, in the order of the samples.  Two ranges are two
// columns of one event.
export function eachTick(ticks, {columns, threads, range, range2}, visit) {
	const parts = range2 ? [[columns[0], ...range], [columns[0], ...range2]]
		: columns.map(column => [column, ...(range ?? [-Infinity, Infinity])]);
	for (let i = 0; i < ticks.nr; i++) {
		if (threads && !threads[ticks.thread[i]])
			continue;
		for (let k = 0; k < parts.length; k++) {
			const [column, begin, end] = parts[k], share = column[ticks.event[i]] && (range ? shareIn(ticks, i, begin, end) : 1);
			if (share)
				visit(k, i, share);
		}
	}
}

// Ticks grouped by column and thread.
function rowsOfTicks(profile, query) {
	const ticks = profile.ticks(), nrThreads = profile.threads.length, nrParts = nrColumns(query) * nrThreads;
	const first = new Uint32Array(nrParts + 1), parts = [];
	if (ticks)
		eachTick(ticks, query, (k, i) => first[k * nrThreads + ticks.thread[i] + 1]++);
	for (let p = 0; p < nrParts; p++) {
		first[p + 1] += first[p];
		if (first[p + 1] > first[p])
			parts.push({k: Math.floor(p / nrThreads), thread: p % nrThreads, begin: first[p], end: first[p + 1]});
	}
	const nr = first[nrParts], rows = {parts, stack: new Uint32Array(nr), weight: new Float64Array(nr),
		nr: new Float64Array(nr), alike: query.samples};
	if (ticks)
		eachTick(ticks, query, (k, i, share) => {
			const to = first[k * nrThreads + ticks.thread[i]]++;
			rows.stack[to] = ticks.stack[i];
			rows.nr[to] = ticks.first ? ticks.first[i] : 1;
			rows.weight[to] = query.samples ? rows.nr[to] : ticks.weight[i] * share;
		});
	return rows;
}

// The root words of a thread's stacks.
export function rootOf(thread, byThread = 'comm') {
	return byThread === 'none' ? [] : byThread === 'thread' ? thread.own : byThread === 'group' ? thread.grouped : thread.words;
}

// The distinct roots of the rows that count: {words: by root, of: by thread}.
function usedRoots(profile, query, {parts}) {
	const words = [], of = new Uint32Array(profile.threads.length), seen = new Map();
	for (const {thread} of parts) {
		const root = rootOf(profile.threads[thread], query.byThread), key = root.join();
		if (!seen.has(key))
			seen.set(key, words.push(root) - 1);
		of[thread] = seen.get(key);
	}
	return {words, of};
}

export function zeros(nrOfColumns, nr, Type = Float64Array) {
	return Array.from({length: nrOfColumns}, () => new Type(nr));
}

// Sums by node, all 0.  alike: weights equal numbers of samples, so one column is both.  negative: is a weight below
// zero?
export function emptySums(nr, nrCols, alike, Type) {
	const self = zeros(nrCols, nr, Type);
	return {self, samples: alike ? self : zeros(nrCols, nr, Type), ends: new Uint8Array(nr), alike, Type, negative: false};
}

export function emptyNodes(nr, nrCols, alike, Type) {
	return {nr, parent: new Uint32Array(nr), word: new Uint32Array(nr), ...emptySums(nr, nrCols, alike, Type)};
}

// Adds the self weights of one node to another.
export function addSums(into, to, from, n) {
	for (let k = 0; k < into.self.length; k++) {
		into.self[k][to] += from.self[k][n];
		if (!into.alike)
			into.samples[k][to] += from.samples[k][n];
	}
	into.ends[to] |= from.ends[n];
	into.negative ||= from.negative;
}

// Adds the rows of a part; `of` has the node by stack or, if ofRows, by position in the part.
function addRows(sums, {k, begin, end}, {stack, weight, nr, factors}, of, ofRows) {
	const self = sums.self[k], samples = sums.samples[k], {ends, alike} = sums, factor = factors ? factors[k] : 1;
	for (let i = begin; i < end; i++) {
		const node = ofRows ? of[i - begin] : of ? of[stack[i]] : stack[i];
		if (node === DROPPED)
			continue;
		self[node] += weight[i] * factor;
		if (weight[i] < 0)
			sums.negative = true;
		if (!alike)
			samples[node] += nr[i];
		ends[node] = 1;
	}
}

// Does a stack end at each node, or is the next node its callee?
function allNeeded({nr, parent}, ends) {
	let n = 1;
	while (n < nr && (ends[n] || n + 1 < nr && parent[n + 1] === n))
		n++;
	return n === nr;
}

// The nodes where stacks end and all of their callers, below the thread's name if there is one.
function compact(paths, sums, root) {
	if (!root.length && allNeeded(paths, sums.ends))
		return {nr: paths.nr, parent: paths.parent, word: paths.word, ...sums};
	const needed = sums.ends.slice();
	let unneeded = 0;
	for (let n = paths.nr; n-- > 1;) {
		needed[paths.parent[n]] |= needed[n];
		unneeded += 1 - needed[n];
	}
	if (!unneeded && !root.length)
		return {nr: paths.nr, parent: paths.parent, word: paths.word, ...sums};
	const at = new Uint32Array(paths.nr).fill(root.length);
	let nr = root.length + 1;
	for (let n = 1; n < paths.nr; n++)
		if (needed[n])
			at[n] = nr++;
	const raw = emptyNodes(nr, sums.self.length, sums.alike, sums.Type);
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

// Sums all rows below one root, or none.
function sumBelow(paths, rows, nrCols, root) {
	const sums = emptySums(paths.nr, nrCols, rows.alike, rows.Type);
	for (const part of rows.parts)
		addRows(sums, part, rows, paths.of);
	return compact(paths, sums, root);
}

// Copies paths below one root after the other: begin(root), and then copy(node) is the node below it.
class PathCopier {
	constructor(paths) {
		this.paths = paths;
		this.table = new PathTable(paths.nr);
		this.copies = new Uint32Array(paths.nr);
		this.turn = 0;
		this.turnOf = new Uint32Array(paths.nr); // the number of the root for which it was copied
		this.way = [];
	}

	begin(root) {
		this.turnOf[0] = ++this.turn;
		this.copies[0] = root.reduce((node, word) => this.table.child(node, word), 0);
	}

	copy(node) {
		const {copies, paths, turn, turnOf, way} = this;
		for (let n = node; turnOf[n] !== turn; n = paths.parent[n])
			way.push(n);
		while (way.length) {
			const n = way.pop();
			copies[n] = this.table.child(copies[paths.parent[n]], paths.word[n]);
			turnOf[n] = turn;
		}
		return copies[node];
	}
}

// Sums all rows below several roots.  The work is proportional to the nodes that are needed, not to roots × paths.
function sumBelowRoots(paths, rows, nrCols, roots) {
	const copier = new PathCopier(paths), byRoot = roots.words.map(() => []);
	for (const part of rows.parts)
		byRoot[roots.of[part.thread]].push({part, nodes: new Uint32Array(part.end - part.begin)});
	roots.words.forEach((root, r) => {
		copier.begin(root);
		for (const {part, nodes} of byRoot[r])
			for (let i = 0; i < nodes.length; i++) {
				const stack = rows.stack[part.begin + i], node = paths.of ? paths.of[stack] : stack;
				nodes[i] = node === DROPPED ? DROPPED : copier.copy(node);
			}
	});
	const raw = {...copier.table.nodes(), ...emptySums(copier.table.nr, nrCols, rows.alike)};
	for (const {part, nodes} of byRoot.flat())
		addRows(raw, part, rows, nodes, true);
	return raw;
}

// The nodes that a query shows, unordered, parents first: {nr, parent, word, ends, self[], samples[]};
// the samples are those that end at a node.
export function sumNodes(profile, query, paths) {
	const rows = rowsOf(profile, query), roots = usedRoots(profile, query, rows), nrCols = nrColumns(query);
	if (roots.words.length > 1)
		return sumBelowRoots(paths, rows, nrCols, roots);
	return sumBelow(paths, rows, nrCols, roots.words[0] ?? []);
}
