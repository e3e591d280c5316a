// web/noise.js says what src/fold/noise.c says: the cases of tests/noise.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {colorHash} from '../../web/color.js';
import {changeOfRow} from '../../web/detail.js';
import {Model} from '../../web/model.js';
import {noiseOf, samplesKnown} from '../../web/changes.js';
import {Noise} from '../../web/noise.js';
import {readPack} from '../../web/profile.js';
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
is(samplesKnown({name: 'samples', unit: '', scale: 0}), false, 'nor is what folded text counts');
is(samplesKnown({name: 'cycles', unit: 'cycles', scale: 0}), true, 'an event of perf');
is(samplesKnown({name: 'time', unit: 'us', scale: 0}), false, 'a time is measured');

// Files with several runs a side: the page says what the report says.
const wick = process.env.WICK ?? new URL('../../build/wick', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'wick-noise-'));
const points = (x) => (x < 0 ? '' : '+') + (100 * x).toFixed(2);

async function compare(title, files, ...options) {
	const pack = join(folder, 'runs.wick');
	execFileSync(wick, ['diff', '-q', '--counts', 'samples', ...options, '-o', pack, ...files]);
	const report = execFileSync(wick, ['diff', '--report', '--counts', 'samples', ...options, ...files], {encoding: 'utf8'});
	const profile = await readPack(readFileSync(pack)), model = new Model(profile);
	const whole = model.tree('flame', model.usual), ofTree = model.noise(whole);
	const top = model.top(model.usual), ofTop = model.topNoise(top, whole);
	const change = (row) => changeOfRow(top, row);
	const said = Array.from(top.word, (word, row) => [word, row]).filter(([, row]) => ofTop.significant[row])
		.sort(([, a], [, b]) => Math.abs(change(b)) - Math.abs(change(a)))
		.map(([word, row]) => `${points(change(row))} [${ofTop.interval(row).map(points).join(', ')}] ${profile.words.name[word]}`);
	const [, wanted] = report.split(' function\n'), rows = wanted.split('\n\n')[0].split('\n');
	is(said, rows.map((row) => row.replace(/^.*  ([-+][0-9.]+)  (\[.*\]) .*  (\S+)$/, '$1 $2 $3')), `${title}: the table of the page is the report`);
	ok(said.length > 1, `${title}: which says something`);
	// The picture's script is told by the writer; it hashes ways as that does.
	const ways = new Uint32Array(whole.nr), changed = profile.view.get('changed').split(',').map((way) => parseInt(way, 16));
	for (let i = 1; i < whole.nr; i++)
		ways[i] = Math.imul(ways[whole.parent[i]] ^ colorHash(profile.words.name[whole.word[i]]), 0x9e3779b1) + 1;
	is(Array.from(ways, (way) => changed.includes(way)), Array.from(ofTree.significant, (verdict) => verdict > 0),
		`${title}: the writer tells which frames changed`);
}

const runFiles = (side) => [0, 1, 2].map((i) => new URL(`../golden/diff-report-runs/in.${side}${i}`, import.meta.url).pathname);
await compare('runs', [...runFiles('a'), '--', ...runFiles('b')]);

// A recording of so many seconds: by function how many samples it has in each.
function record(name, seconds, rates) {
	const stacks = Object.entries(rates).flatMap(([f, nr]) => Array(Math.round(nr * seconds)).fill(f)), file = join(folder, name);
	writeFileSync(file, stacks.map((f, i) => `sh 12 [000] ${(100 + i * seconds / (stacks.length - 1)).toFixed(6)}: 1 cycles:\n` +
		`\t7f12 ${f}+0x2 (/bin/sh)\n\t7f13 main+0x2 (/bin/sh)\n\n`).join(''));
	return file;
}
const rates = {a: 300, b: 500, c: 200, d: 900};
await compare('times', [record('old', 2, rates), record('new', 1, {...rates, a: 500, b: 200})], '--normalize', 'duration');
await compare('times of runs', [record('o1', 2, rates), record('o2', 1, {...rates, c: 210}), record('o3', 1.5, {...rates, d: 880}), '--',
	record('n1', 1, {...rates, a: 600, b: 200}), record('n2', 3, {...rates, a: 590, b: 210})], '--normalize', 'duration');
rmSync(folder, {recursive: true});
done();
