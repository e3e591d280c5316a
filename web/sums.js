// What counts and where: the rows of a profile that a query asks for, summed up by node.
import {NO_WORD} from './profile.js';
import {DROPPED} from './paths.js';

// Calls add(column, thread, stack, weight, nr) for each row that counts in a column.
export function eachRow(profile, query, add) {
	if (query.range)
		eachTick(profile, query, add);
	else
		eachCount(profile, query, add);
}

function eachCount({counts}, {columns, samples, threads}, add) {
	const {event, thread, stack, weight, nr_samples: nr} = counts;
	for (let k = 0; k < columns.length; k++)
		for (let i = 0; i < counts.nr; i++)
			if (columns[k][event[i]] && (!threads || threads[thread[i]]))
				add(k, thread[i], stack[i], samples ? nr[i] : weight[i], nr[i]);
}

// The same for ticks, in the order of the samples.  Two ranges are two columns of one event.
export function eachTick(profile, {columns, samples, threads, range, range2}, add) {
	const ticks = profile.ticks();
	const parts = range2 ? [[columns[0], range], [columns[0], range2]]
		: columns.map(c => [c, range ?? [-Infinity, Infinity]]);
	for (let i = 0; ticks && i < ticks.nr; i++) {
		const t = ticks.time[i];
		if (threads && !threads[ticks.thread[i]])
			continue;
		for (let k = 0; k < parts.length; k++)
			if (parts[k][0][ticks.event[i]] && t >= parts[k][1][0] && t < parts[k][1][1])
				add(k, ticks.thread[i], ticks.stack[i], samples ? 1 : ticks.weight[i], 1);
	}
}

export function nrColumns(query) {
	return query.range && query.range2 ? 2 : query.columns.length;
}

// By thread, the word its stacks begin with.
export function rootWords(profile, byThread = 'comm') {
	const pick = {comm: t => t.word, thread: t => t.own, none: () => NO_WORD}[byThread];
	return Uint32Array.from(profile.threads, pick);
}

// Rows by the root they hang below, each a number from 0 on: {words: by root, of: by thread}.
function usedRoots(profile, query) {
	const word = rootWords(profile, query.byThread);
	const used = new Uint8Array(word.length), words = [], of = new Uint32Array(word.length);
	eachRow(profile, query, (k, thread) => {
		used[thread] = 1;
	});
	const seen = new Map();
	for (let t = 0; t < word.length; t++) {
		if (!used[t])
			continue;
		if (!seen.has(word[t]))
			seen.set(word[t], words.push(word[t]) - 1);
		of[t] = seen.get(word[t]);
	}
	return {words, of};
}

export function zeros(nrOfColumns, nr) {
	return Array.from({length: nrOfColumns}, () => new Float64Array(nr));
}

// Sums by node of the paths, all below one root.
function sumPaths(profile, query, paths) {
	const nrCols = nrColumns(query), {of} = paths;
	const self = zeros(nrCols, paths.nr), samples = zeros(nrCols, paths.nr);
	const ends = new Uint8Array(paths.nr);
	eachRow(profile, query, (k, thread, stack, weight, nr) => {
		const node = of ? of[stack] : stack;
		if (node === DROPPED)
			return;
		self[k][node] += weight;
		samples[k][node] += nr;
		ends[node] = 1;
	});
	return {self, samples, ends};
}

// Where something ends, and all above it: what is not there is not shown.
function markNeeded(nr, parent, ends) {
	const needed = ends.slice(0, nr);
	for (let n = nr; n-- > 1;)
		needed[parent[n]] |= needed[n];
	return needed;
}

// The nodes that are needed, below the thread's name if there is one.
function compact(paths, sums, rootWord) {
	const needed = markNeeded(paths.nr, paths.parent, sums.ends);
	const shift = rootWord === NO_WORD ? 0 : 1;
	const at = new Uint32Array(paths.nr);
	let nr = shift;
	at[0] = nr++;
	for (let n = 1; n < paths.nr; n++)
		at[n] = needed[n] ? nr++ : 0;
	if (!shift && nr === paths.nr)
		return {nr, parent: paths.parent, word: paths.word, ...sums};
	const raw = emptyNodes(nr, sums.self.length);
	for (let n = 0; n < paths.nr; n++) {
		if (n && !needed[n])
			continue;
		const to = at[n];
		raw.parent[to] = n ? at[paths.parent[n]] : 0;
		raw.word[to] = n ? paths.word[n] : rootWord;
		raw.ends[to] = sums.ends[n];
		for (let k = 0; k < raw.self.length; k++) {
			raw.self[k][to] = sums.self[k][n];
			raw.samples[k][to] = sums.samples[k][n];
		}
	}
	raw.word[0] = NO_WORD;
	return raw;
}

export function emptyNodes(nr, nrCols) {
	return {nr, parent: new Uint32Array(nr), word: new Uint32Array(nr), ends: new Uint8Array(nr),
		self: zeros(nrCols, nr), samples: zeros(nrCols, nr)};
}

// Rows sorted by root, as columns: {column, node, weight, nr, first: by root}.
function rowsByRoot(profile, query, paths, roots) {
	const first = new Uint32Array(roots.words.length + 1), {of} = paths;
	const nodeOf = stack => of ? of[stack] : stack;
	eachRow(profile, query, (k, thread, stack) => {
		if (nodeOf(stack) !== DROPPED)
			first[roots.of[thread] + 1]++;
	});
	for (let r = 0; r < roots.words.length; r++)
		first[r + 1] += first[r];
	const next = first.slice(), total = first[roots.words.length];
	const rows = {first, column: new Uint8Array(total), node: new Uint32Array(total),
		weight: new Float64Array(total), nr: new Float64Array(total)};
	eachRow(profile, query, (k, thread, stack, weight, nr) => {
		if (nodeOf(stack) === DROPPED)
			return;
		const to = next[roots.of[thread]]++;
		rows.column[to] = k;
		rows.node[to] = nodeOf(stack);
		rows.weight[to] = weight;
		rows.nr[to] = nr;
	});
	return rows;
}

// A copy of the needed paths below each root.  The work is that of what is needed, not of roots × paths.
function copyBelowRoots(profile, query, paths, roots) {
	const rows = rowsByRoot(profile, query, paths, roots);
	const copy = new Uint32Array(paths.nr), copiedFor = new Uint32Array(paths.nr);
	const way = [], parent = [0], word = [NO_WORD], to = new Uint32Array(rows.node.length);
	const add = (p, w) => word.push(w) && parent.push(p) - 1;
	for (let r = 0; r < roots.words.length; r++) {
		if (rows.first[r] === rows.first[r + 1])
			continue;
		copy[0] = roots.words[r] === NO_WORD ? 0 : add(0, roots.words[r]);
		copiedFor[0] = r + 1;
		for (let i = rows.first[r]; i < rows.first[r + 1]; i++) {
			let n = rows.node[i];
			for (; copiedFor[n] !== r + 1; n = paths.parent[n])
				way.push(n);
			while (way.length) {
				const below = way.pop();
				copy[below] = add(copy[paths.parent[below]], paths.word[below]);
				copiedFor[below] = r + 1;
			}
			to[i] = copy[rows.node[i]];
		}
	}
	const raw = emptyNodes(parent.length, nrColumns(query));
	raw.parent.set(parent);
	raw.word.set(word);
	for (let i = 0; i < to.length; i++) {
		raw.self[rows.column[i]][to[i]] += rows.weight[i];
		raw.samples[rows.column[i]][to[i]] += rows.nr[i];
		raw.ends[to[i]] = 1;
	}
	return raw;
}

// The nodes that a query shows, unordered, parents first: {nr, parent, word, ends, self[], samples[]};
// the samples are those that end at a node.
export function sumNodes(profile, query, paths) {
	const roots = usedRoots(profile, query);
	if (roots.words.length > 1)
		return mergeAlike(copyBelowRoots(profile, query, paths, roots), roots);
	return compact(paths, sumPaths(profile, query, paths), roots.words[0] ?? NO_WORD);
}

// A thread's name may also be the first frame of a stack without one: those are one box.
function mergeAlike(raw, roots) {
	if (!roots.words.includes(NO_WORD))
		return raw;
	const below = new Map(), into = new Uint32Array(raw.nr);
	let alike = false;
	for (let n = 1; n < raw.nr; n++) {
		const parent = into[raw.parent[n]], key = parent * 2 ** 32 + raw.word[n];
		into[n] = below.get(key) ?? n;
		alike ||= into[n] !== n;
		below.set(key, into[n]);
	}
	return alike ? moved(raw, into) : raw;
}

// The nodes with each one's sums moved into another, and the empty ones gone.
function moved(raw, into) {
	const at = new Uint32Array(raw.nr), nrCols = raw.self.length;
	let nr = 0;
	for (let n = 0; n < raw.nr; n++)
		at[n] = into[n] === n ? nr++ : at[into[n]];
	const out = emptyNodes(nr, nrCols);
	for (let n = 0; n < raw.nr; n++) {
		out.parent[at[n]] = at[raw.parent[n]];
		out.word[at[n]] = raw.word[n];
		out.ends[at[n]] |= raw.ends[n];
		for (let k = 0; k < nrCols; k++) {
			out.self[k][at[n]] += raw.self[k][n];
			out.samples[k][at[n]] += raw.samples[k][n];
		}
	}
	return out;
}
