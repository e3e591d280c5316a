// What of a comparison is more than noise, node by node.  The same steps as src/fold/changes.c.
import {Noise} from './noise.js';

// Is the number of samples of an event known?  Times, bytes and calls are added up, not sampled; a fraction
// of a sample is none, and without a unit nobody can tell.  The same rule as samples_known() in src/fold/changes.c.
const noiseMeasured = ['', 'us', 'ms', 's', 'bytes', 'calls', 'count'];

export function samplesKnown(event) {
	if (event.unit === 'samples' || (event.unit === 'count' && event.name === 'samples'))
		return event.scale >= 0;
	return !noiseMeasured.includes(event.unit);
}

// Estimates the spread between runs from the frames that have enough samples; of these, disjoint ones are counted.
function noiseTreeSpread(noise, tree, runOf) {
	const [before, after] = tree.samples, covered = new Uint8Array(tree.nr), df = noise.degrees(3), own = [];
	let nrDisjoint = 0;
	for (let i = tree.nr - 1; i >= 0; i--) {
		const parent = tree.parent[i];
		const same = i > 0 && before[i] + after[i] === before[parent] + after[parent];
		const tells = !same && noise.tellsSpread(before[i], after[i]);
		if (tells) {
			own.push(noise.squares(before[i], after[i], runOf(i)) / df);
			nrDisjoint += covered[i] ? 0 : 1;
		}
		if (i > 0 && (tells || covered[i]))
			covered[parent] = 1;
	}
	noise.setSpread(own.reverse(), nrDisjoint);
}

// The verdict on every node of a tree with two columns.  options = {normalize: 'total'|'none'|'duration',
// time: [before, after] (duration), confidence, known: bool (samplesKnown of both events),
// runs: null | [[Float64Array by node…], [Float64Array by node…]] (inclusive samples of each run; runTime: the
// time of each), like: what noiseOf() said of the tree that these are the functions of: runs differ alike}.
export function noiseOf(tree, options = {}) {
	const normalize = options.normalize || 'total', [before, after] = tree.samples;
	const several = options.runs && options.runs[0].length + options.runs[1].length > 2;
	const rate = normalize !== 'total';
	const total = [before[0], after[0]];
	const time = normalize === 'duration' ? options.time : [1, 1];
	const runs = several ? options.runs.map((side, k) => side.map((run, i) => !rate ? run[0] :
		normalize === 'duration' ? options.runTime[k][i] : 1 / side.length)) : null;
	const noise = new Noise({rate, total, time, confidence: options.confidence, runs});
	const runOf = (i) => several ? options.runs.map((side) => side.map((run) => run[i])) : null;
	const significant = new Uint8Array(tree.nr), claim = options.known !== false && noise.canTell();
	const answer = {
		significant, claim, confidence: noise.confidence, tests: 0, family: noise,
		change: (i) => noise.change(before[i], after[i]),
		interval: (i) => claim ? noise.interval(before[i], after[i], runOf(i)) : null,
	};
	if (!claim)
		return answer;
	const isSame = (i) => i > 0 && before[i] + after[i] === before[tree.parent[i]] + after[tree.parent[i]];
	const sizes = [];
	for (let i = 0; i < tree.nr; i++)
		if (!isSame(i))
			sizes.push(before[i] + after[i]);
	noise.setLevel(sizes);
	if (several && options.like)
		noise.setSpreadLike(options.like.family);
	else if (several)
		noiseTreeSpread(noise, tree, runOf);
	for (let i = 0; i < tree.nr; i++)
		significant[i] = isSame(i) ? significant[tree.parent[i]]
			: noise.judge(before[i], after[i], runOf(i));
	answer.tests = noise.tests;
	return answer;
}
