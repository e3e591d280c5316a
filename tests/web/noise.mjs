// web/noise.js says what src/fold/noise.c says: the cases of tests/noise.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {colorHash} from '../../web/color.js';
import {changeOfRow} from '../../web/detail.js';
import {Model} from '../../web/model.js';
import {changesBasis, noiseOf, samplesKnown} from '../../web/changes.js';
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
			family = {title, rate: rest[0].endsWith('rate'), measured: rest[0].startsWith('measured'), v: v.slice(1), runs: null, items: [], kernel: [], want: []};
			families.push(family);
		} else if (word === 'run') {
			family.runs = [v.slice(0, family.v[5]), v.slice(family.v[5])];
		} else if (word === 'item') {
			const run = v.slice(3), nr = family.v[5];
			family.items.push({parent: v[0], before: v[1], after: v[2], run: [run.slice(0, nr), run.slice(nr)]});
		} else if (word === 'kernel') {
			family.kernel.push(v);
		} else if (word === 'want') {
			family.want.push(v);
		} else if (word === 'end') {
			family.end = v;
		}
	}
	return families;
}

// The items as a tree, and their runs by node.
function treeOf({items, kernel}) {
	const column = (of) => Float64Array.from(items, of);
	return {
		nr: items.length, parent: Uint32Array.from(items, (t) => t.parent),
		samples: [column((t) => t.before), column((t) => t.after)], kernel: kernel.length ? [0, 1].map((k) => kernel.map((pair) => pair[k])) : null,
	};
}

function runsOf({items, runs}) {
	return runs && runs.map((side, k) => side.map((size, i) => Float64Array.from(items, (t) => t.run[k][i])));
}

for (const family of readCases()) {
	const {title, rate, measured, v, items, want, end, runs} = family, [total0, total1, time0, time1, confidence, , , missed] = v;
	const tree = treeOf(family), found = noiseOf(tree, {
		sizes: rate ? runs ?? [[time0], [time1]] : null, confidence, runs: runsOf(family), basis: measured ? 'measured' : 'samples', missed,
	});
	// A family of one frame has no root that is everything.
	const single = new Noise({rate, measured, total: [total0, total1], time: [time0, time1], confidence, runs});
	const wrong = [];
	items.forEach(({before, after, run}, i) => {
		const [verdict, chance, change, low, high] = want[i];
		const one = items.length === 1;
		const [gotLow, gotHigh] = one ? single.interval(before, after, run) : found.interval(i);
		const got = [one ? single.judge(before, after, run) : found.significant[i], measured ? chance : single.chance(before, after),
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
is(noiseOf(tree, {basis: ''}).claim, false, 'makes no claim of unknown numbers of samples');
is(noiseOf(tree, {basis: 'measured'}).claim, false, 'makes no claim of measurements of one run a side');
const time = {name: 'after', unit: 'ns', scale: 0, measured: true};
is(changesBasis([time, time]), 'measured', 'verdicts on measured events rest on what was measured');
is(!changesBasis([time, {...time, unit: 'us'}]), true, 'two units have no verdicts');
is(!changesBasis([time, {...time, measured: false}]), true, 'measured and sampled events have no verdicts');
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
	// The writer identifies paths of an SVG by hashes, which are computed here in the same way.
	const paths = new Uint32Array(whole.nr), changed = profile.view.get('changed').split(',').map((path) => parseInt(path, 16));
	for (let i = 1; i < whole.nr; i++)
		paths[i] = Math.imul(paths[whole.parent[i]] ^ colorHash(profile.words.name[whole.word[i]]), 0x9e3779b1) + 1;
	is(Array.from(paths, (path) => changed.includes(path)), Array.from(ofTree.significant, (verdict) => verdict > 0),
		`${title}: the writer tells which frames changed`);
}

const runFiles = (side) => [0, 1, 2].map((i) => new URL(`../golden/diff-report-runs/in.${side}${i}`, import.meta.url).pathname);
await compare('runs', [...runFiles('a'), '--', ...runFiles('b')]);

// A recording of so many seconds: by function how many samples it has in each.
function record(name, seconds, rates, event = '1 cycles') {
	const stacks = Object.entries(rates).flatMap(([f, nr]) => Array(Math.round(nr * seconds)).fill(f)), file = join(folder, name);
	writeFileSync(file, stacks.map((f, i) => `sh 12 [000] ${(100 + i * seconds / (stacks.length - 1)).toFixed(6)}: ${event}:\n` +
		`\t7f12 ${f}+0x2 (/bin/sh)\n\t7f13 main+0x2 (/bin/sh)\n\n`).join(''));
	return file;
}
const rates = {a: 300, b: 500, c: 200, d: 900};
await compare('times', [record('old', 2, rates), record('new', 1, {...rates, a: 800, b: 100})], '--normalize', 'duration');
await compare('times of runs', [record('o1', 2, rates), record('o2', 1, {...rates, c: 210}), record('o3', 1.5, {...rates, d: 880}), '--',
	record('n1', 1, {...rates, a: 700, b: 100}), record('n2', 3, {...rates, a: 690, b: 110})], '--normalize', 'duration');
const often = Object.fromEntries(Object.entries(rates).map(([f, nr]) => [f, nr * 10]));
for (const [event, unit] of [['cycles', 1], ['cpu-clock', 1000]])
	for (const normalize of ['none', 'duration'])
		await compare(`${event} at another rate, ${normalize}`, [record('rare', 1, rates, `${unit * 10} ${event}`),
			record('often', 1, {...often, a: 8000, b: 500}, `${unit} ${event}`)], '--normalize', normalize);
// After, stacks lack callers: what became less may only have become invisible, what became more did.
function fold(name, counts) {
	const file = join(folder, name);
	writeFileSync(file, Object.entries(counts).map(([stack, nr]) => `${stack} ${nr}\n`).join(''));
	return file;
}
const untruncated = fold('whole.folded', {'main;sort;merge': 600, 'main;work': 400});
const truncated = fold('truncated.folded', {'main;sort;merge': 250, '[truncated];merge': 250, '[truncated];new': 100, 'main;work': 200, 'main;also': 200});
await compare('truncated stacks after', [untruncated, truncated]);
await compare('truncated stacks before', [truncated, untruncated], '--normalize', 'none');
await compare('all and nothing', [fold('old.folded', {'old;main': 205, 'both;main': 3}), fold('new.folded', {'new;main': 206})], '--match-process', 'name');
// Slices of a Chrome trace: measured, with a fraction.
function measure(name, times) {
	const file = join(folder, name), slice = {ph: 'X', pid: 1, tid: 1};
	let ts = 0;
	writeFileSync(file, JSON.stringify([{...slice, name: 'main', ts: 0, dur: Object.values(times).reduce((a, b) => a + b)},
		...Object.entries(times).map(([f, dur]) => ({...slice, name: f, ts: (ts += dur) - dur, dur}))]));
	return file;
}
const measured = [measure('m1.json', {a: 100.5, b: 300, c: 50.25}), measure('m2.json', {a: 101, b: 304, c: 51}), measure('m3.json', {a: 100, b: 299, c: 52}), '--',
	measure('m4.json', {a: 201, b: 301, c: 51}), measure('m5.json', {a: 198, b: 303.75, c: 50}), measure('m6.json', {a: 203, b: 300, c: 52})];
await compare('measurements', measured);
// The total stays: it would be a row that the table of the page does not have.
await compare('measurements as they are', [...measured.slice(0, 4), measure('m7.json', {a: 201, b: 199, c: 51}), measure('m8.json', {a: 198, b: 203.75, c: 50}),
	measure('m9.json', {a: 203, b: 200, c: 52})], '--normalize', 'none');
rmSync(folder, {recursive: true});
done();
