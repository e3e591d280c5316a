// Finds the significant changes of a comparison, node by node.  The same steps as src/fold/changes.c.
import {Noise} from './noise.js';
import {sumOf} from './times.js';

// Is the number of samples of an event known?  Times, bytes and calls are added up, not sampled; weights with
// fractions or without a unit are not numbers of samples either.  The same rule as samples_known() in
// src/fold/changes.c.
const noiseMeasured = ['', 'us', 'ms', 's', 'bytes', 'calls', 'count', 'permille'];

export function samplesKnown(event) {
	if (event.measured)
		return false;
	if (event.unit === 'samples' || (event.unit === 'count' && event.name === 'samples'))
		return event.scale >= 0;
	return !noiseMeasured.includes(event.unit);
}

// The basis of verdicts on the events before and after: 'samples', 'measured', or nothing.  changes_basis() in
// src/fold/changes.c.
export function changesBasis([before, after]) {
	if (samplesKnown(before) && samplesKnown(after))
		return 'samples';
	return before.measured && after.measured && before.unit === after.unit && after.unit && after.unit !== 'count' && 'measured';
}

// The share of the CPU time without samples on either side, from the facts of both.  changes_missed() in
// src/fold/changes.c.
const missedUnknown = 0.05;

export function changesMissed(info) {
	const has = (key) => info.some(([own]) => own === key), before = has('before: sampling'), after = has('after: sampling');
	const differ = has('sampling') ? before || after : before && after;
	const shares = info.filter(([key]) => key.endsWith('not sampled')).map(([, value]) => Math.min(1, Number(value.split(' ')[0]) / 100) || 0);
	return Math.max(differ ? missedUnknown : 0, ...shares);
}

// Estimates the spread between runs from the frames that have enough samples, and counts the disjoint ones among
// these.
function noiseTreeSpread(noise, tree, runOf) {
	const [before, after] = tree.samples, covered = new Uint8Array(tree.nr), df = noise.degrees(3), own = [];
	let nrDisjoint = 0;
	for (let i = tree.nr - 1; i >= 0; i--) {
		const parent = tree.parent[i];
		const same = i > 0 && before[i] + after[i] === before[parent] + after[parent];
		const shows = !same && noise.showsSpread(before[i], after[i], runOf(i));
		if (shows) {
			own.push(noise.squares(before[i], after[i], runOf(i)) / df);
			nrDisjoint += covered[i] ? 0 : 1;
		}
		if (i > 0 && (shows || covered[i]))
			covered[parent] = 1;
	}
	noise.setSpread(own.reverse(), nrDisjoint);
}

// By node: the share of a side whose truncated stacks may explain its change.  hide_callers() in src/fold/changes.c.
function hiddenOf({samples, parent, truncated, nr}, change) {
	if (!truncated)
		return () => 0;
	const [before, after] = samples.map((column) => {
		let sum = 0;
		for (let i = 1; i < nr; i++)
			sum += truncated[i] && !truncated[parent[i]] ? column[i] : 0;
		return sum / column[0];
	});
	return (i) => truncated[i] || (i > 0 && (after - before) * change(i) < 0) ? Math.abs(after - before) : 0;
}

// The verdict on every node of a tree with two columns; tree.kernel: by column, the number of samples in the kernel;
// tree.truncated: by node, is it [truncated] or below that?
// options = {sizes: by side, the divisor of each of its runs; without sizes, shares are compared,
// confidence, basis: the result of changesBasis() ['samples'],
// runs: null | [[Float64Array by node…], [Float64Array by node…]] (inclusive samples of each run),
// missed: the result of changesMissed(),
// like: the result of noiseOf() for the tree, if these are its functions: runs differ in the same way}.
export function noiseOf(tree, options = {}) {
	const {sizes} = options, [before, after] = tree.samples, rate = !!sizes, total = [before[0], after[0]];
	const several = options.runs && options.runs[0].length + options.runs[1].length > 2;
	const time = rate ? sizes.map(sumOf) : [1, 1];
	const runs = several ? sizes || options.runs.map((side) => side.map((run) => run[0])) : null;
	const noise = new Noise({rate, measured: options.basis === 'measured', total, time, confidence: options.confidence, runs,
		kernel: tree.kernel?.map((column) => column[0]), missed: options.missed});
	const runOf = (i) => several ? options.runs.map((side) => side.map((run) => run[i])) : null;
	const kernelOf = (i) => tree.kernel?.map((column) => column[i]);
	const significant = new Uint8Array(tree.nr), claim = !!(options.basis ?? true) && noise.isTestable();
	const change = (i) => noise.change(before[i], after[i]), hidden = hiddenOf(tree, change);
	const answer = {
		significant, claim, confidence: noise.confidence, tests: 0, family: noise,
		change,
		interval: (i) => claim ? noise.interval(before[i], after[i], runOf(i), kernelOf(i), hidden(i)) : null,
	};
	if (!claim)
		return answer;
	const isSame = (i) => i > 0 && before[i] + after[i] === before[tree.parent[i]] + after[tree.parent[i]];
	const numbers = [];
	for (let i = 0; i < tree.nr; i++)
		if (!isSame(i))
			numbers.push(before[i] + after[i]);
	noise.setLevel(numbers);
	if (several && options.like)
		noise.setSpreadLike(options.like.family);
	else if (several)
		noiseTreeSpread(noise, tree, runOf);
	for (let i = 0; i < tree.nr; i++)
		significant[i] = isSame(i) ? significant[tree.parent[i]]
			: noise.judge(before[i], after[i], runOf(i), kernelOf(i), hidden(i));
	answer.tests = noise.tests;
	return answer;
}
