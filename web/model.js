// From the state of the page to the trees that are shown.  Trees are kept while the state stays the same.
import {SCHEMES} from './color.js';
import {calleesTree, callersTree} from './callers.js';
import {runTops, topTable} from './top.js';
import {buildTree} from './tree.js';
import {linkName} from './link.js';
import {noiseOf, samplesKnown} from './noise.js';
import {runSamples, runTrees} from './runs.js';

const MOST_TREES = 8;

export const VIEWS = ['flame', 'reverse', 'sandwich', 'table', 'timeline'];

// What can be done to stacks: how a chip says it.
export const STEPS = {
	focus: 'Only with', ignore: 'Without', hide: 'Hidden', base: 'From', module: 'Collapsed', recursion: 'Recursion collapsed',
};

// By word: 1 kernel, 2 inlined.
export function wordMarks({words}) {
	return words.kind.map((kind, w) => kind === 1 ? 1 : words.flags[w] & 6 ? 2 : 0);
}

export class Model {
	constructor(profile) {
		this.profile = profile;
		this.trees = new Map();
		this.tests = new Map();
		this.tops = new WeakMap();
		this.noises = new WeakMap();
		this.runs = new WeakMap();
		this.choices = this.listChoices();
		this.usual = this.usualState();
	}

	// What can be chosen as event: each by its weight, by samples too where that differs, and the comparison.
	listChoices() {
		const {events, counts, view} = this.profile, list = [], differ = new Uint8Array(events.length);
		const unit = view.get('unit');
		for (let i = 0; i < counts.nr; i++)
			if (counts.weight[i] !== counts.nr_samples[i])
				differ[counts.event[i]] = 1;
		const only = (i) => Uint8Array.from(events, (_, e) => e === +i ? 1 : 0);
		events.forEach(({name, unit: own}, i) => {
			list.push({key: String(i), text: name || 'samples', columns: [only(i)], samples: false, unit: unit || own || 'samples'});
			if (differ[i] && own && own !== 'samples')
				list.push({key: i + 's', text: `${name || own} (samples)`, columns: [only(i)], samples: true, unit: 'samples'});
		});
		if (view.has('before') && view.has('after')) {
			const by = ['before', 'after'].map((key) => only(view.get(key)));
			list.unshift({...list[0], key: 'diff', text: 'before and after', columns: by});
		}
		return list;
	}

	usualState() {
		const {view} = this.profile, first = view.get('event') || '0';
		const sampled = first + 's', wanted = view.get('weight') === 'samples' ? sampled : first;
		const has = (key) => this.choices.some((c) => c.key === key);
		return {
			view: view.get('tree') === 'reverse' ? 'reverse' : 'flame', flip: view.get('top') === 'leaf',
			event: has('diff') ? 'diff' : has(wanted) ? wanted : has(first) ? first : '0', zoom: '', pivot: '', search: '', color: '',
			order: '', width: 'either', roots: 'comm', threads: null, range: null, range2: null, transforms: [],
		};
	}

	// A link may ask for what is not there: that stays as usual.
	checked(state) {
		const allowed = {
			view: VIEWS, event: this.choices.map(({key}) => key), color: [this.profile.view.get('color'), ...SCHEMES],
			order: ['name', 'width', 'time'], width: ['before', 'after', 'either'], roots: ['comm', 'thread', 'none'],
		};
		for (const [key, values] of Object.entries(allowed))
			if (!values.includes(state[key]))
				state[key] = this.usual[key];
		state.transforms = state.transforms.filter(({op}) => Object.hasOwn(STEPS, op));
		if (state.view === 'timeline' && !this.hasTimes)
			state.view = 'flame';
		if (state.range && !this.hasTimes)
			state.range = state.range2 = null;
		return state;
	}

	// Times are decoded when they are asked for, which is after the first picture.
	get hasTimes() {
		return (this.profile.ticks()?.nr ?? 0) > 1;
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

	color(state) {
		return state.color || (this.compares(state) ? 'diff' : this.profile.view.get('color') || 'kind');
	}

	// Threads as they are called in links and lists.
	threadName(thread) {
		const {comm, pid, tid} = this.profile.threads[thread];
		const id = tid ?? pid;
		return (comm || (id === null ? 'no thread' : 'thread')) + (id === null ? '' : ' ' + id);
	}

	threadKey(thread) {
		return linkName(this.threadName(thread) + '/' + this.profile.threads[thread].pid);
	}

	// The same function for the same step, since paths are kept by it.
	test(text) {
		if (!this.tests.has(text))
			this.tests.set(text, (name) => name === text);
		return this.tests.get(text);
	}

	query(state) {
		const {columns, samples} = this.choice(state), {threads} = this.profile;
		return {
			columns, samples, range: state.range, range2: state.range && state.range2,
			threads: state.threads && Uint8Array.from(threads, (_, t) => state.threads.includes(this.threadKey(t)) ? 1 : 0),
			transforms: state.transforms.map(({op, text}) =>
				op === 'recursion' ? {op} : op === 'module' ? {op, module: text} : {op, test: this.test(text)}),
			order: this.order(state), byThread: state.roots,
			widthOf: state.width === 'either' ? 'either' : state.width === 'before' ? 0 : 1,
		};
	}

	// kind: flame, reverse, callers or callees (of a word).  A reverse tree is finer below the path `under`.
	tree(kind, state, word = 0, under = []) {
		const {event, threads, range, range2, transforms, width, roots} = state;
		const key = JSON.stringify([kind, word, under, event, threads, range, range2, transforms, width, roots, this.order(state)]);
		if (!this.trees.has(key)) {
			const query = this.query(state);
			if (this.trees.size >= MOST_TREES)
				this.trees.delete(this.trees.keys().next().value);
			const make = (profile) => kind === 'callers' ? callersTree(profile, query, word) :
				kind === 'callees' ? calleesTree(profile, query, word) : buildTree(profile, {...query, under, reverse: kind === 'reverse'});
			const tree = make(this.profile);
			this.trees.set(key, tree);
			// Made when they are asked for: most files have one run.
			this.runs.set(tree, () => range ? null : runTrees(this.profile, query.columns, make));
		}
		return this.trees.get(key);
	}

	// Of every function, all of its frames together: {word, self[], total[], at: by word its row + 1}.
	top(state) {
		const tree = this.tree('flame', state);
		if (!this.tops.has(tree)) {
			const top = topTable(tree);
			top.whole = tree.total.map((total) => total[0]);
			top.at = new Uint32Array(this.profile.words.name.length);
			top.word.forEach((word, row) => top.at[word] = row + 1);
			this.tops.set(tree, top);
		}
		return this.tops.get(tree);
	}

	// Samples by run of a tree that compares several of them.
	runsOf(tree) {
		const trees = this.runs.get(tree)?.();
		return trees && runSamples(trees, tree);
	}

	// What can be told from the noise of sampling, by node of a tree that compares.
	noise(tree, runs = this.runsOf(tree), like = null) {
		const {view, events} = this.profile;
		if (!this.noises.has(tree))
			this.noises.set(tree, noiseOf(tree, {
				normalize: view.get('normalize') === 'none' ? 'none' : 'total', confidence: Number(view.get('confidence')) || 0.95,
				known: events.every(samplesKnown), runs, like,
			}));
		return this.noises.get(tree);
	}

	// The same by row of the table: a tree of one level has what it takes.
	topNoise(top, tree) {
		if (!this.noises.has(top)) {
			const {total} = topTable({...tree, total: tree.samples});
			const samples = total.map((column, k) => Float64Array.of(tree.samples[k][0], ...column));
			const nr = top.word.length + 1, trees = this.runs.get(tree)?.();
			this.noises.set(top, this.noise({nr, parent: new Uint32Array(nr), samples}, trees && runTops(trees, top.at, nr), this.noise(tree)));
		}
		return this.noises.get(top);
	}
}
