// Packs that $WICK writes: the page's tree of each is what `wick collapse` prints of the input.
// usage: packs.mjs [FILE...]    these inputs instead of those of the other tests
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readPack} from '../../web/profile.js';
import {buildTree} from '../../web/tree.js';
import {checkTree, queryOf, sortedLines} from './fold.mjs';
import {makePack} from './pack.mjs';
import {done, is, ok} from './tap.mjs';

const repo = new URL('../..', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'wick-'));
const pack = join(scratch, 'x.wick');

function inputs() {
	const found = ['tests/golden', 'tests/transforms'].flatMap(folder =>
		readdirSync(join(repo, folder), {recursive: true}).filter(f => /(^|\/)in\.[^/]*$/.test(f)).map(f => join(folder, f)));
	return [...found.sort(), 'demo/perf.txt.gz'];
}

function wick(...args) {
	const r = spawnSync(process.env.WICK ?? 'build/wick', args, {cwd: repo, maxBuffer: 2 ** 30});
	return {failed: r.status !== 0, out: r.stdout.toString()};
}

// What the view says is shown first; before and after, if that is what was read.
function shownFirst(profile, nrCols, more) {
	const only = (...shown) => Uint8Array.from(profile.events, (_, e) => shown.includes(e) ? 1 : 0);
	const shown = (profile.view.get('event') ?? '0').split(',').map(Number);
	return queryOf(profile, {columns: nrCols === 2 ? [only(0), only(1)] : [only(...shown)],
		samples: profile.view.get('weight') === 'samples', ...more});
}

const COUNT = / (-?[\d.e+]+)$/;

// Lines that can be compared: a word stands for compiled and other code alike, what counts nothing is not
// shown, and sums of fractions may differ in the last digit.
function comparable(lines) {
	const sums = new Map();
	for (const line of lines) {
		const key = line.replace(COUNT, '').replaceAll('_[j]', '');
		sums.set(key, (sums.get(key) ?? 0) + Number(COUNT.exec(line)[1]));
	}
	return [...sums].filter(([key, sum]) => sum !== 0).map(([key, sum]) => `${key} ${Number(sum.toPrecision(12))}`);
}

let compared = 0;
for (const input of process.argv.length > 2 ? process.argv.slice(2) : inputs()) {
	const want = wick('collapse', '-q', input);
	const flame = wick('flame', '-q', '-o', pack, input);
	if (want.failed || flame.failed || !want.out)
		continue;
	compared++;
	const profile = await readPack(readFileSync(pack));
	const lines = want.out.trimEnd().split('\n'), nrCols = profile.events[1]?.name === 'after' ? 2 : 1;
	const tree = buildTree(profile, shownFirst(profile, nrCols));
	is(comparable(sortedLines(profile, tree)), comparable(lines), input);
	is(checkTree(tree), [], `${input}: all that must hold`);
	const reverse = buildTree(profile, shownFirst(profile, nrCols, {reverse: true, least: 0, order: 'width'}));
	is([checkTree(reverse), reverse.whole.toPrecision(12)], [[], tree.whole.toPrecision(12)], `${input}: reverse`);
}
ok(process.argv.length > 2 || compared > 80, 'there are inputs to compare', `${compared}`);
// An older wick merged more intervals into a row than one has room for now: all are there, and links name the same rows.
writeFileSync(pack, makePack({
	events: [{name: 'off-cpu', unit: 'ns', source: 1}], threads: [{pid: 1, tid: 1}],
	counts: [{thread: 1, stack: ['a'], weight: 90, nr: 70000}, {thread: 1, stack: ['b'], weight: 5, nr: 1}],
	intervals: [{thread: 1, begin: 0, end: 100, weight: 90, nr: 70000, stack: ['a']}, {thread: 1, begin: 200, end: 205, stack: ['b'], link: 1}],
	links: [{kind: 2, thread: 1, stack: ['a'], interval: 0}],
}));
const {intervals} = JSON.parse(wick('convert', '-q', '--to', 'json', '-o', '-', pack).out);
is(intervals.reduce((sum, {samples}) => sum + samples, 0), 70001, 'a row of more intervals than fit becomes several');
is(intervals.reduce((sum, {weight}) => sum + weight, 0), 95, 'which weigh as much as the one');
rmSync(scratch, {recursive: true});
done();
