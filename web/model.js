// Builds the trees that are shown from the state of the page.  Trees are cached.
import {calleesTree, callersTree} from './callers.js';
import {changesBasis, changesMissed, noiseOf, samplesKnown} from './changes.js';
import {KERNEL_FRAME, SCHEMES} from './color.js';
import {clampRange, tickSpan} from './heat.js';
import {linkName} from './link.js';
import {columnFactors, isAsItIs, runSizes, sumOf} from './times.js';
import {topTable} from './top.js';
import {buildTree} from './tree.js';
import {usualRoots} from './words.js';

const MOST_TREES = 8;
const MOST_RUNS = 1000; /* a "run" label with a larger number means something else */
const MOST_NODES = 1e6; /* of two trees that are kept */

export const VIEWS = ['flame', 'reverse', 'sandwich', 'table', 'timeline'];

// The transforms of stacks, and the texts of their chips.
export const STEPS = {
	focus: 'Only with', ignore: 'Without', hide: 'Hidden', base: 'From', module: 'Collapsed', recursion: 'Recursion collapsed',
};

// By word: 1 kernel, 2 inlined.
export function wordMarks({words}) {
	return words.kind.map((kind, w) => kind === 1 ? 1 : words.flags[w] & 6 ? 2 : 0);
}

// The numbers in a list of events such as "0,2", without those that do not exist.
const numbersOf = (events, text) => text.split(',').map(Number).filter((e) => events[e]);

// The unit of a sum of events.
function unitOfSum(events, numbers) {
	const units = new Set(numbers.map((e) => events[e].unit || 'samples'));
	return units.size > 1 ? 'count' : [...units][0] || 'samples';
}

// The name that the user gave the numbers; '': none, or a unit of the file itself.
function nameGiven({events, view}) {
	const unit = view.get('unit') || '';
	return ['samples', 'count', ...events.map((event) => event.unit)].includes(unit) ? '' : unit;
}

export class Model {
	constructor(profile) {
		this.profile = profile;
		this.trees = new Map();
		this.tests = new Map();
		this.tops = new WeakMap();
		this.noises = new WeakMap();
		this.builds = new WeakMap();
		this.choices = this.listChoices();
		this.findGroup();
		this.usual = this.usualState();
	}

	// The choices of events: each event with samples, by weight, and by number of samples if that differs; and
	// the sum or the comparison that the writer showed.
	listChoices() {
		const {events, counts, view} = this.profile, list = [], differ = new Uint8Array(events.length);
		const shown = view.get('event') || '', sampled = new Set(counts.groups.map(({event}) => event));
		for (const {event, alike, begin, end} of counts.groups)
			for (let i = begin; i < end && !alike && !differ[event]; i++)
				differ[event] = counts.weight[i] === counts.nr_samples[i] ? 0 : 1;
		const columnOf = (numbers) => Uint8Array.from(events, (_, e) => numbers.includes(e) ? 1 : 0), named = nameGiven(this.profile);
		const add = (numbers) => {
			const own = unitOfSum(events, numbers), column = columnOf(numbers);
			const key = numbers.join(), text = numbers.map((e) => events[e].name || 'samples').join(' + ');
			list.push({key, text, columns: [column], samples: false, unit: named || own});
			if (own !== 'samples' && numbers.some((e) => differ[e]))
				list.push({key: key + 's', text: `${text} (samples)`, columns: [column], samples: true, unit: 'samples'});
		};
		events.forEach((_, i) => !sampled.size || sampled.has(i) ? add([i]) : 0);
		if (view.has('before') && view.has('after')) {
			const sides = ['before', 'after'].map((key) => numbersOf(events, view.get(key)));
			list.unshift({
				key: 'diff', text: 'before and after' + (view.get('normalize') === 'duration' && runSizes(view) ? ', in the same time' : ''), samples: false, unit: named || unitOfSum(events, sides[1]),
				columns: sides.map(columnOf),
			});
		} else if (numbersOf(events, shown).length > 1) {
			add(numbersOf(events, shown));
		}
		return list;
	}

	// The largest group of threads whose names differ in their numbers only.
	findGroup() {
		const {threads, words} = this.profile, most = threads.reduce((a, b) => b.nrAlike > a.nrAlike ? b : a, {nrAlike: 0, grouped: []});
		this.nrAlike = most.nrAlike;
		this.groupName = most.grouped.map((word) => words.name[word]).join(';');
	}

	usualState() {
		const {view} = this.profile, first = view.get('event') || '0';
		const sampled = first + 's', wanted = view.get('weight') === 'samples' ? sampled : first;
		const has = (key) => this.choices.some((c) => c.key === key);
		return {
			view: view.get('tree') === 'reverse' ? 'reverse' : 'flame', flip: view.get('top') === 'leaf',
			event: has('diff') ? 'diff' : has(wanted) ? wanted : has(first) ? first : this.choices[0]?.key || '0', zoom: '', pivot: '', search: '', color: '',
			order: '', width: view.get('width') === 'after' ? 'after' : 'either', roots: usualRoots(this.profile), threads: null, range: null, range2: null, transforms: [],
		};
	}

	// A link may have values that this profile does not support: these get their defaults.
	checked(state) {
		const allowed = {
			view: VIEWS, event: this.choices.map(({key}) => key), color: [this.profile.view.get('color'), ...SCHEMES],
			order: ['name', 'width', 'time'], width: ['before', 'after', 'either'], roots: ['comm', 'group', 'thread', 'none'],
		};
		for (const [key, values] of Object.entries(allowed))
			if (!values.includes(state[key]))
				state[key] = this.usual[key];
		if (state.threads?.length) {
			const known = new Set(this.profile.threads.map((_, t) => this.threadKey(t)));
			state.threads = state.threads.filter((key) => known.has(key));
			state.threads = state.threads.length ? state.threads : null;
		}
		state.transforms = state.transforms.filter(({op}) => Object.hasOwn(STEPS, op));
		if (state.view === 'timeline' && !this.hasTimes)
			state.view = 'flame';
		state.range &&= this.hasTimes ? clampRange(state.range, this.span) : null;
		state.range2 &&= state.range && clampRange(state.range2, this.span);
		return state;
	}

	// The time from the first sample to the end of the last one.
	get span() {
		return this.spanned ??= tickSpan(this.profile.ticks()) ?? [0, 0];
	}

	get start() {
		return this.span[0];
	}

	get hasTimes() {
		return this.profile.nrTicks + this.profile.nrIntervals > 1;
	}

	choice({event}) {
		return this.choices.find(({key}) => key === event) || this.choices[0] ||
			{key: '0', text: 'nothing', columns: [new Uint8Array(0)], samples: false, unit: 'samples'};
	}

	// Two columns: a comparison of events, or of ranges.
	compares(state) {
		return state.range && state.range2 || this.choice(state).key === 'diff';
	}

	order(state) {
		return state.order || (state.view === 'flame' || state.view === 'timeline') && this.profile.view.get('sort') ||
			(state.view === 'flame' || state.view === 'timeline' ? 'name' : 'width');
	}

	// The color scheme: by state if waits are shown, unless the writer was given another one.
	color(state) {
		const written = this.profile.view.get('color') || 'kind', usual = (s) => this.showsWaits(s) ? 'state' : 'kind';
		return state.color || (this.compares(state) ? 'diff' : written === usual(this.usual) ? usual(state) : written);
	}

	// Are waits shown, all of them with a reason?
	showsWaits(state) {
		const {counts, events, labelSets} = this.profile, shown = this.choice(state).columns.at(-1);
		const groups = counts.groups.filter(({event}) => shown[event] && events[event].name === 'off-cpu');
		return groups.length > 0 && groups.every(({labels}) => labelSets[labels].some(({key}) => key === 'reason'));
	}

	// Is CPU time shown, too?
	showsRunning(state) {
		const shown = this.choice(state).columns.at(-1);
		return this.profile.events.some(({name}, event) => shown[event] && name !== 'off-cpu');
	}

	// The name of a thread in links and lists.
	threadName(thread) {
		const {comm, pid, tid} = this.profile.threads[thread];
		const id = tid ?? pid;
		return (comm || (id === null ? 'no thread' : 'thread')) + (id === null ? '' : ' ' + id);
	}

	threadKey(thread) {
		return linkName(this.threadName(thread) + '/' + this.profile.threads[thread].pid);
	}

	// Returns the same function for the same text, since paths are cached by it.
	test(text) {
		if (!this.tests.has(text))
			this.tests.set(text, (name) => name === text);
		return this.tests.get(text);
	}

	query(state) {
		const {columns, samples, key} = this.choice(state), {threads, view} = this.profile, wanted = new Set(state.threads);
		return {
			columns, samples, amounts: key === 'diff' ? this.amounts() : null,
			factors: key === 'diff' ? columnFactors(view) : null, range: state.range, range2: state.range && state.range2,
			threads: state.threads && Uint8Array.from(threads, (_, t) => wanted.has(this.threadKey(t)) ? 1 : 0),
			transforms: state.transforms.map(({op, text}) =>
				op === 'recursion' ? {op} : op === 'module' ? {op, module: text} : {op, test: this.test(text)}),
			order: this.order(state), byThread: state.roots,
			widthOf: state.width === 'either' ? 'either' : state.width === 'before' ? 0 : 1,
		};
	}

	// kind: flame, reverse, callers or callees (of a word).  A reverse tree has more detail below the path
	// `under`.
	tree(kind, state, word = 0, under = []) {
		const {event, threads, range, range2, transforms, width, roots} = state;
		const key = JSON.stringify([kind, word, under, event, threads, range, range2, transforms, width, roots, this.order(state)]);
		if (!this.trees.has(key)) {
			const asked = {...this.query(state), under, reverse: kind === 'reverse'};
			const build = (profile, amounts = asked.amounts) => {
				const query = {...asked, amounts};
				return kind === 'callers' ? callersTree(profile, query, word) :
					kind === 'callees' ? calleesTree(profile, query, word) : buildTree(profile, query);
			};
			const tree = build(this.profile), all = kind.startsWith('call') ? this.tree('flame', state) : tree;
			this.makeRoom(tree.nr);
			this.trees.set(key, tree);
			this.builds.set(tree, {build, buildAll: all === tree ? build : this.builds.get(all).build});
			Object.assign(tree, {
				all: all.total.map((total) => total[0]), allSamples: all.samples.map((samples) => samples[0]),
				asItIs: isAsItIs(this.profile.view), callersIn: kind === 'callers' ? all : null,
			});
		}
		return this.trees.get(key);
	}

	// The number of distinct stacks that the file shows at first.
	nrStacks() {
		const {nr, self} = this.tree('flame', this.usual);
		let sum = 0;
		for (let i = 0; i < nr; i++)
			sum += self.some((column) => column[i]);
		return sum;
	}

	// Drops the oldest trees from the cache: some, or all but one if they are large.
	makeRoom(nr) {
		for (const [key, tree] of this.trees) {
			if (this.trees.size < MOST_TREES && nr + tree.nr < MOST_NODES)
				return;
			this.trees.delete(key);
		}
	}

	// The sums of each function over all of its frames, with the fields of a tree whose nodes are rows: {word,
	// self[], total[], all[], at: by word its row + 1, frames: their number}.
	top(state) {
		const tree = this.tree('flame', state);
		if (!this.tops.has(tree)) {
			const top = topTable(tree);
			top.all = top.whole = tree.total.map((total) => total[0]);
			top.asItIs = tree.asItIs;
			top.at = new Uint32Array(this.profile.words.name.length);
			top.frames = new Uint32Array(top.at.length);
			for (let row = 0; row < top.word.length; row++)
				top.at[top.word[row]] = row + 1;
			for (let i = 1; i < tree.nr; i++)
				top.frames[tree.word[i]]++;
			this.tops.set(tree, top);
		}
		return this.tops.get(tree);
	}

	// The verdicts of a comparison, by node of its tree.
	noise(tree) {
		return this.judge(tree, tree, tree.parent, tree.samples, (run, side) => samplesByNode(tree, run, side));
	}

	// The same by row of the table.
	topNoise(top, tree) {
		const samples = tree.samples.map((_, side) => samplesByRow(top, tree, side));
		// Functions vary between runs as much as frames do.
		return this.judge(top, tree, null, samples, (run, side) => samplesByRow(top, run, side), this.noise(tree));
	}

	// Items with samples are nodes 1… of a tree whose root is the total, so that shares are shares of the total.
	// count(tree of a run, side) gives the samples of that run.  Cached by `key`.
	judge(key, tree, parent, samples, count, like) {
		if (this.noises.has(key))
			return this.noises.get(key);
		const {view} = this.profile, nr = samples[0].length + 1, sides = this.runs(tree), sizes = tree.asItIs && this.sizes();
		const kernel = sides ? null : this.kernel(tree), below = (whole, column) => {
			const list = new Float64Array(nr);
			list[0] = whole;
			list.set(column, 1);
			return list;
		};
		const truncated = this.basis() === 'samples' ? truncatedNodes(key, parent, nr, this.profile.words.name.indexOf('[truncated]')) : null;
		const noise = noiseOf({
			truncated, nr, parent: Uint32Array.from({length: nr}, (_, i) => i > 1 && parent ? parent[i - 1] + 1 : 0),
			samples: samples.map((column, side) => below(tree.allSamples[side], column)),
			kernel: kernel && samples.map((_, side) => below(kernel.whole[side], count(kernel.tree, side))),
		}, {
			sizes, confidence: Number(view.get('confidence')) || 0.95, basis: this.basis(), like, missed: this.basis() === 'samples' && changesMissed(this.profile.info),
			runs: sides && sides.map((runs, side) => runs.map((run) => below(run.whole[side], count(run.tree, side)))),
		});
		const answer = {
			claim: noise.claim, confidence: noise.confidence, significant: noise.significant.subarray(1), interval: (i) => noise.interval(i + 1),
			family: noise.family,
		};
		this.noises.set(key, answer);
		return answer;
	}

	// The basis of the verdicts of a comparison of two events, or of two ranges of one event.
	basis() {
		const {events} = this.profile;
		return this.choices[0].columns.length > 1 ? changesBasis(events) : events.every(samplesKnown) && 'samples';
	}

	// By count: the measured weights as whole numbers, for a comparison of measured events; null: the numbers of
	// samples are compared.
	amounts() {
		const {counts, events: [before, after]} = this.profile, unit = 10 ** -Math.min(before.scale, after?.scale);
		return this.basis() === 'measured' ? this.measured ??= counts.weight.map((weight) => Math.round(weight * unit)) : null;
	}

	// By side: the counts of each of its runs.
	runGroups() {
		const {labelSets, counts, view} = this.profile, given = runSizes(view);
		const runOf = ({labels}) => Math.min(Number(labelSets[labels].find(({key}) => key === 'run')?.value) || 1, MOST_RUNS);
		return this.choices[0].columns.map((column, side) => {
			const groups = counts.groups.filter((group) => column[group.event]), nr = given?.[side].length ?? Math.max(1, ...groups.map(runOf));
			return Array.from({length: nr}, (_, run) => groups.filter((group) => runOf(group) === run + 1));
		});
	}

	// By side and run: the divisor of its numbers of samples, which is smaller the more a sample weighs.
	sizes() {
		const {counts, view} = this.profile, given = runSizes(view);
		const sum = (column, groups) => sumOf(groups.map(({begin, end}) => sumOf(column.subarray(begin, end))));
		return this.runGroups().map((runs, side) => runs.map((groups, run) =>
			(given ? given[side][run] : 1 / runs.length) * (this.amounts() ? 1 : sum(counts.nr_samples, groups) / sum(counts.weight, groups) || 1)));
	}

	// The tree of the samples in the kernel; null: not a comparison of recordings.
	kernel(tree) {
		const {counts, frames, stacks} = this.profile, {build, buildAll} = this.builds.get(tree);
		if (this.choices[0].columns.length < 2 || this.basis() !== 'samples')
			return null;
		const amounts = counts.nr_samples.map((nr, i) => frames.kind[stacks.frame[counts.stack[i]]] === KERNEL_FRAME ? nr : 0);
		return {tree: build(this.profile, amounts), whole: buildAll(this.profile, amounts).samples.map((samples) => samples[0])};
	}

	// The tree of each recording by side, if a side has several; else null.
	runs(tree) {
		const {counts} = this.profile, sides = this.runGroups(), {build, buildAll} = this.builds.get(tree);
		if (sides.length < 2 || sides[0].length + sides[1].length < 3)
			return null;
		return sides.map((runs) => runs.map((groups) => {
			const profile = {...this.profile, counts: {...counts, groups}};
			return {tree: build(profile), whole: buildAll(profile).samples.map((samples) => samples[0])};
		}));
	}
}

// Samples of the tree of one run, by node of the tree of all.
function samplesByNode(tree, run, side) {
	const samples = new Float64Array(tree.nr), at = new Int32Array(run.nr).fill(-1);
	at[0] = 0;
	samples[0] = run.samples[side][0];
	for (let node = 1; node < run.nr; node++) {
		const parent = at[run.parent[node]];
		if (parent < 0)
			continue;
		let child = parent + 1;
		while (child < tree.end[parent] && tree.word[child] !== run.word[node])
			child = tree.end[child];
		if (child < tree.end[parent]) {
			at[node] = child;
			samples[child] += run.samples[side][node];
		}
	}
	return samples;
}

// By node behind everything: is it [truncated], or below that?  null: none is.
function truncatedNodes({word}, parent, nr, truncated) {
	if (!word.includes(truncated))
		return null;
	const list = new Uint8Array(nr);
	for (let i = 0; i < nr - 1; i++)
		list[i + 1] = word[i] === truncated || (i > 0 && parent && list[parent[i] + 1]) ? 1 : 0;
	return list;
}

function samplesByRow(top, tree, side) {
	const {word, total} = topTable({...tree, total: tree.samples}), samples = new Float64Array(top.word.length);
	word.forEach((w, row) => samples[top.at[w] - 1] = total[side][row]);
	return samples;
}
