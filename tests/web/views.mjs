// Reverse trees, callers and callees, the table of functions, the chart: against sums made the simple way.
import {calleesTree, callersTree} from '../../web/callers.js';
import {readPack} from '../../web/profile.js';
import {topTable} from '../../web/top.js';
import {buildTree, pathOf} from '../../web/tree.js';
import {makePack} from './pack.mjs';
import {boxes, checkTree, foldedLines, queryOf, readFolded} from './fold.mjs';
import {done, is, ok} from './tap.mjs';

let seed = 11;
const random = n => (seed = Math.imul(seed, 1103515245) + 12345 >>> 0) / 65536 % n | 0;

// Random stacks with recursion; names as lists, by weight
function randomProfile(nr) {
	const list = Array.from({length: nr}, () => ({stack: Array.from({length: 1 + random(7)}, () => `f${random(5)}`),
		weight: 1 + random(9), event: random(2), thread: random(3)}));
	return {list, pack: makePack({counts: list, events: [{name: 'before'}, {name: 'after'}],
		threads: [{comm: 'x', root: 'x'}, {comm: 'y', root: 'y'}]})};
}
const {list, pack} = randomProfile(500);
const profile = await readPack(pack);
const pathWith = c => [...(c.thread ? [' xy'[c.thread]] : []), ...c.stack];

// Sums by path as sorted lines
function sumLines(rows) {
	const sums = new Map();
	for (const [path, weight] of rows)
		sums.set(path.join(';'), (sums.get(path.join(';')) ?? 0) + weight);
	return [...sums].map(([path, sum]) => `${path} ${sum}`).sort();
}

// A comparison, in every order: a node's numbers go where the node goes
const columns = [Uint8Array.of(1, 0), Uint8Array.of(0, 1)];
for (const order of ['name', 'width'])
	for (const widthOf of [0, 1, 'either'])
		is(checkTree(buildTree(profile, queryOf(profile, {columns, order, widthOf}))), [], `columns by ${order}, as wide as ${widthOf}: all that must hold`);

const all = {reverse: true, least: 0};
const reverse = buildTree(profile, queryOf(profile, all));
is(foldedLines(profile, reverse), sumLines(list.map(c => [pathWith(c).reverse(), c.weight])), 'reverse: every path turned around');
is(checkTree(reverse), [], 'reverse: all that must hold');
ok(!reverse.cut.includes(1), 'reverse: nothing is cut');
is(reverse.samples[0][0], list.reduce((sum, c) => sum + c.weight, 0), 'reverse: the samples');

// Cut: what is made is as wide as in the whole, what is not made is marked
const cut = buildTree(profile, queryOf(profile, {reverse: true, least: 0.02}));
is(checkTree(cut), [], 'cut: all that must hold');
ok(cut.nr < reverse.nr && cut.cut.includes(1), 'cut: there are fewer nodes');
const widths = new Map(Array.from({length: reverse.nr}, (_, i) => [pathOf(reverse, i).join(), reverse.width[i]]));
ok(Array.from({length: cut.nr}, (_, i) => widths.get(pathOf(cut, i).join()) === cut.width[i]).every(Boolean), 'cut: widths are those of the whole');
ok(Math.min(...cut.width) >= 0.02 * cut.whole, 'cut: nothing narrow');
const narrowLeaves = await readFolded('a;b 97\na;c 1\na;d 1\ne;f 1');
const shallow = buildTree(narrowLeaves, queryOf(narrowLeaves, {reverse: true, least: 0.02}));
is(boxes(narrowLeaves, shallow), ['0+100 all', '  0+97 b', '    0+97 a', '  97+1 c', '  98+1 d', '  99+1 f'], 'cut: the first row is whole');
is([...widths.values()].filter(w => w >= 0.02 * reverse.whole).length, cut.nr, 'cut: nothing wide is missing');
const narrow = Array.from({length: reverse.nr}, (_, i) => i).find(i => reverse.depth[i] === 4 && reverse.end[i] > i + 1 && reverse.width[i] < 0.01 * reverse.whole);
const under = pathOf(reverse, narrow);
const zoomed = buildTree(profile, queryOf(profile, {reverse: true, least: 0.02, under}));
const below = tree => Array.from({length: tree.nr}, (_, i) => pathOf(tree, i).join()).filter(p => p.startsWith(under.join()));
is(below(zoomed), below(reverse), 'zoomed: all below the zoomed node');
is(checkTree(zoomed), [], 'zoomed: all that must hold');

// Sandwich
for (const name of ['f0', 'f3', 'x']) {
	const word = profile.words.name.indexOf(name);
	const rows = list.map(c => [pathWith(c), c.weight]).filter(([path]) => path.includes(name));
	const callees = calleesTree(profile, queryOf(profile), word);
	is(foldedLines(profile, callees), sumLines(rows.map(([path, w]) => [path.slice(path.indexOf(name) + 1), w])), `callees of ${name}`);
	const callers = callersTree(profile, queryOf(profile, {least: 0}), word);
	is(foldedLines(profile, callers), sumLines(rows.map(([path, w]) => [path.slice(0, path.indexOf(name)).reverse(), w])), `callers of ${name}`);
	is([callees.word[0], callers.word[0], callees.whole], [word, word, callers.whole], `the root is ${name}`);
}
const absent = profile.words.name.indexOf('[unknown]');
is([calleesTree(profile, queryOf(profile), absent).whole, callersTree(profile, queryOf(profile), absent).nr], [0, 1], 'a function that is nowhere');

// Two columns go through all of them
const two = queryOf(profile, {columns: [Uint8Array.of(1, 0), Uint8Array.of(0, 1)], widthOf: 'either', least: 0, reverse: true});
const columnSums = path => [0, 1].map(e => list.filter(c => c.event === e).reduce((sum, c) => sum + (path(c) ? c.weight : 0), 0));
const diff = buildTree(profile, two);
is(diff.total.map(t => t[0]), columnSums(() => true), 'reverse: two columns');
is(calleesTree(profile, two, profile.words.name.indexOf('f1')).total.map(t => t[0]), columnSums(c => c.stack.includes('f1')), 'callees: two columns');

// The table
const table = topTable(buildTree(profile, queryOf(profile)));
const row = (t, name) => t.word.findIndex(w => profile.words.name[w] === name);
for (const name of ['f0', 'f1', 'f2', 'f3', 'f4', 'x']) {
	const r = row(table, name);
	is([table.self[0][r], table.total[0][r]], [
		list.reduce((sum, c) => sum + (c.stack.at(-1) === name ? c.weight : 0), 0),
		list.reduce((sum, c) => sum + (pathWith(c).includes(name) ? c.weight : 0), 0)], `self and total of ${name}`);
}
is(topTable(profile, queryOf(profile, {reverse: true})), table, 'the table of a profile');
is(topTable(profile, two).self.map(s => s.reduce((a, b) => a + b)), columnSums(() => true), 'the table of two columns');

// The chart
const chart = await readPack(makePack({
	counts: [{stack: ['a'], weight: 9}],
	threads: [{comm: 'x', root: 'x'}],
	ticks: {rows: [{time: 5, stack: ['a']}, {time: 6, stack: ['a', 'b'], weight: 2}, {time: 7, stack: ['a']}, {time: 8, stack: ['a', 'b']},
		{time: 9, stack: ['c']}, {time: 9, stack: ['a', 'b']}, {time: 10, stack: ['a', 'b'], thread: 1}]},
}));
const inTime = buildTree(chart, queryOf(chart, {order: 'time'}));
is(boxes(chart, inTime), ['0+8 all', '  0+5 a', '    1+2 b', '    4+1 b', '  5+1 c', '  6+1 a', '    6+1 b', '  7+1 x', '    7+1 a', '      7+1 b'], 'in the order of time');
is(Array.from(inTime.end), [10, 4, 3, 4, 5, 7, 7, 10, 10, 10], 'in the order of time: ends');
is(Array.from(inTime.self[0]), [0, 2, 2, 1, 1, 0, 1, 0, 0, 1], 'in the order of time: self');
is(boxes(chart, buildTree(chart, queryOf(chart, {order: 'time', range: [1, 3]}))), ['0+3 all', '  0+3 a', '    0+2 b'], 'in the order of time: a range');
const side = await readPack(makePack({
	counts: [{stack: ['a'], weight: 9}],
	threads: [{comm: 'x', root: 'x'}, {comm: 'y', root: 'y'}, {comm: 'x', root: 'x', tid: 3}],
	ticks: {rows: [{time: 2, stack: ['a'], thread: 2}, {time: 3, stack: ['b'], thread: 1}, {time: 4, stack: ['a'], thread: 2},
		{time: 5, stack: ['b'], thread: 3}, {time: 6, stack: ['a'], thread: 1}]},
}));
is(boxes(side, buildTree(side, queryOf(side, {order: 'time'}))), ['0+5 all', '  0+2 y', '    0+2 a', '  2+2 x', '    2+1 b', '    3+1 a',
	'  4+1 x', '    4+1 b'], 'threads, each by itself');
const folded = await readFolded('b 1\na 2');
is(boxes(folded, buildTree(folded, queryOf(folded, {order: 'time'}))), ['0+3 all', '  0+1 b', '  1+2 a'], 'without times, as the rows are');
done();
