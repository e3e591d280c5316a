// A flame chart: the samples of each thread in their order; only neighbors are merged.
import {addUp, placeNodes, stackRows} from './layout.js';
import {NO_WORD} from './words.js';
import {DROPPED} from './paths.js';
import {eachTick, nrColumns, rootOf} from './sums.js';

// The limit of boxes: later samples are added to open boxes, which are marked as cut.  A range of time has fewer
// boxes.
const BOXES_MAX = 1 << 21;

// Boxes in the order in which they open, which is preorder.
class ChartBuilder {
	constructor(paths, nrCols) {
		this.paths = paths;
		this.word = [];
		this.parent = [];
		this.left = [];
		this.own = []; // by box: its self width
		this.first = []; // by box: its first sample
		this.self = Array.from({length: nrCols}, () => []);
		this.samples = Array.from({length: nrCols}, () => []);
		this.cut = new Set();
		this.open = []; // by depth {key, node}: the path of the last sample
		this.position = 0;
		this.push(null, NO_WORD, 0);
	}

	push(key, word, tick) {
		const parent = this.open.at(-1)?.node ?? 0, node = this.word.length;
		if (node === BOXES_MAX) {
			this.cut.add(parent);
			return;
		}
		this.word.push(word);
		this.parent.push(parent);
		this.left.push(this.position);
		this.own.push(0);
		this.first.push(tick);
		for (const column of [...this.self, ...this.samples])
			column.push(0);
		this.open.push({key, node});
	}

	// Keys of a path from the root: the thread's words as negative numbers, then nodes of the paths.
	keysOf(root, node) {
		const keys = [];
		for (; node; node = this.paths.parent[node])
			keys.push(node);
		return [...root.map(word => -1 - word), ...keys.reverse()];
	}

	// Opens the boxes of a path that the previous path does not share.
	enter(keys, tick) {
		let shared = 0;
		while (shared < keys.length && this.open[shared + 1]?.key === keys[shared])
			shared++;
		this.open.length = shared + 1;
		for (const key of keys.slice(shared))
			this.push(key, key < 0 ? -1 - key : this.paths.word[key], tick);
	}

	add(column, weight, nr, width) {
		const {node} = this.open.at(-1);
		this.self[column][node] += weight;
		this.samples[column][node] += nr;
		this.own[node] += width;
		this.position += width;
	}

	tree() {
		const nr = this.word.length, parent = Uint32Array.from(this.parent), cut = new Uint8Array(nr);
		const floats = columns => columns.map(c => Float64Array.from(c));
		const sums = columns => floats(columns).map(c => addUp(nr, parent, c));
		const [width] = sums([this.own]), {depth, end, sizes} = placeNodes({parent}, width, this.own);
		this.cut.forEach(node => cut[node] = 1);
		return stackRows({nr, word: Uint32Array.from(this.word), parent, end, depth, sizes, self: floats(this.self),
			total: sums(this.self), samples: sums(this.samples), left: Float64Array.from(this.left), first: Uint32Array.from(this.first), width, cut, whole: width[0]});
	}
}

// The ticks that count, as lists of [column, tick, share, …].  Threads run at the same time: each gets a part of the chart, in the
// order of their first samples.  Samples without times stay in the order of the input.
function listTicks(ticks, query) {
	const lists = new Map();
	eachTick(ticks, query, (k, i, share) => {
		const key = ticks.timed && ticks.thread[i];
		lists.set(key, lists.get(key) ?? []).get(key).push(k, i, share);
	});
	return lists.values();
}

export function buildChart(profile, query, paths) {
	const builder = new ChartBuilder(paths, nrColumns(query));
	const wide = nrColumns(query) === 1 || query.widthOf === 'either' ? null : query.widthOf ?? 1;
	const ticks = profile.ticks();
	let lastNode = DROPPED, lastThread = DROPPED;
	const visit = (k, i, share) => {
		const stack = ticks.stack[i], thread = ticks.thread[i], nr = ticks.first ? ticks.first[i] : 1, weight = query.samples ? nr : ticks.weight[i] * share;
		const node = paths.of ? paths.of[stack] : stack;
		if (node === DROPPED)
			return;
		if (node !== lastNode || thread !== lastThread)
			builder.enter(builder.keysOf(rootOf(profile.threads[thread], query.byThread), node), i);
		lastNode = node;
		lastThread = thread;
		builder.add(k, weight, nr, wide === null || wide === k ? Math.max(weight, 0) : 0);
	};
	for (const list of listTicks(ticks, query)) {
		// Two threads with the same name get two boxes.
		builder.enter([]);
		lastNode = DROPPED;
		for (let i = 0; i < list.length; i += 3)
			visit(list[i], list[i + 1], list[i + 2]);
	}
	return builder.tree();
}
