// web/noise.js says what src/fold/noise.c says: the cases of tests/noise.
import {readFileSync} from 'node:fs';
import {Noise, noiseOf, samplesKnown} from '../../web/noise.js';
import {done, is, ok} from './tap.mjs';

const near = (got, want) => got === want || Math.abs(got - want) <= 1e-7 * Math.abs(want) + 1e-12;

// [{title, facts, items: [{parent, before, after, run}], want: [[…]], end: […]}]
function readCases() {
	const families = [];
	let title = '', family = null;
	for (const line of readFileSync(new URL('../noise/cases.txt', import.meta.url), 'utf8').split('\n')) {
		const [word, ...rest] = line.split(' '), v = rest.map((x) => x === 'inf' ? Infinity : Number(x));
		if (word === '#') {
			title = line.slice(2);
		} else if (word === 'family') {
			family = {title, rate: rest[0] === 'rate', v: v.slice(1), runs: null, items: [], want: []};
			families.push(family);
		} else if (word === 'run') {
			family.runs = [v.slice(0, family.v[5]), v.slice(family.v[5])];
		} else if (word === 'item') {
			const run = v.slice(3), nr = family.v[5];
			family.items.push({parent: v[0], before: v[1], after: v[2], run: [run.slice(0, nr), run.slice(nr)]});
		} else if (word === 'want') {
			family.want.push(v);
		} else if (word === 'end') {
			family.end = v;
		}
	}
	return families;
}

// The items as a tree, and their runs by node.
function treeOf({items}) {
	const column = (of) => Float64Array.from(items, of);
	return {
		nr: items.length, parent: Uint32Array.from(items, (t) => t.parent),
		samples: [column((t) => t.before), column((t) => t.after)],
	};
}

function runsOf({items, runs}) {
	return runs && runs.map((side, k) => side.map((size, i) => Float64Array.from(items, (t) => t.run[k][i])));
}

for (const family of readCases()) {
	const {title, rate, v, items, want, end, runs} = family, [total0, total1, time0, time1, confidence] = v;
	const tree = treeOf(family), found = noiseOf(tree, {
		normalize: !rate ? 'total' : time0 === 1 && time1 === 1 ? 'none' : 'duration',
		time: [time0, time1], confidence, runs: runsOf(family),
	});
	// A family of one frame has no root that is everything.
	const single = new Noise({rate, total: [total0, total1], time: [time0, time1], confidence, runs});
	const wrong = [];
	items.forEach(({before, after, run}, i) => {
		const [verdict, chance, change, low, high] = want[i];
		const one = items.length === 1;
		const [gotLow, gotHigh] = one ? single.interval(before, after, run) : found.interval(i);
		const got = [one ? single.judge(before, after, run) : found.significant[i], single.chance(before, after),
			single.change(before, after), gotLow, gotHigh];
		if (!got.every((x, k) => near(x, want[i][k])))
			wrong.push(`item ${i}: got ${got}, want ${[verdict, chance, change, low, high]}`);
	});
	if (items.length > 1 && found.tests !== end[0])
		wrong.push(`${found.tests} tests, not ${end[0]}`);
	ok(!wrong.length && want.length === items.length, title, ...wrong);
}

const tree = {nr: 1, parent: new Uint32Array(1), samples: [Float64Array.of(5), Float64Array.of(0)]};
is(noiseOf(tree).claim, false, 'nothing to compare with: no claim');
tree.samples[1][0] = 7;
is(noiseOf(tree).claim, true, 'two sides');
is(noiseOf(tree, {known: false}).claim, false, 'of unknown numbers of samples');
is(samplesKnown({name: 'samples', unit: 'samples', scale: 0}), true, 'samples are counted');
is(samplesKnown({name: 'samples', unit: 'samples', scale: -1}), false, 'halves of them are not');
is(samplesKnown({name: 'cycles', unit: 'cycles', scale: 0}), true, 'an event of perf');
is(samplesKnown({name: 'time', unit: 'us', scale: 0}), false, 'a time is measured');
done();
