// web/tree.js: merged by word, laid out, ordered; threads, events, ranges and columns chosen.
import {buildTree, findPath, pathOf} from '../../web/tree.js';
import {readPack} from '../../web/profile.js';
import {makePack} from './pack.mjs';
import {boxes, checkTree, foldedLines, queryOf, readFolded} from './fold.mjs';
import {done, is, ok} from './tap.mjs';

const sortLines = text => text.trim().split('\n').sort();

// One event, no threads: the table of stacks is the tree
const PLAIN = 'a 5\na;b 1\na;b;c 2\na;d 4\ne 3';
const plain = await readFolded(PLAIN);
const tree = buildTree(plain, queryOf(plain));
ok(plain.words.distinct, 'no two frames are shown alike');
is(foldedLines(plain, tree), sortLines(PLAIN), 'what went in comes out');
is(boxes(plain, tree), ['0+15 all', '  0+12 a', '    5+3 b', '      6+2 c', '    8+4 d', '  12+3 e'], 'by name, self first');
is(boxes(plain, buildTree(plain, queryOf(plain, {order: 'width'}))),
	['0+15 all', '  0+12 a', '    5+4 d', '    9+3 b', '      10+2 c', '  12+3 e'], 'by width');
is(checkTree(tree), [], 'all that must hold');
is(pathOf(tree, 3).map(w => plain.words.name[w]), ['a', 'b', 'c'], 'the path of a node');
is(findPath(tree, pathOf(tree, 3)), 3, 'a node by its path');
is([findPath(tree, [tree.word[2]]), findPath(tree, [])], [-1, 0], 'a path that is not there, and that of the root');

// Sums are exact, whatever they fit into
for (const [weight, why] of [[3, 'small'], [166666666, 'as large as whole numbers get'], [2 ** 31 - 1, 'larger'], [2 ** 40, 'much larger'], [-5, 'negative']]) {
	const {self, total, width} = await readFolded(`a ${weight}\na;b ${weight}\na;c ${weight}\nd 1`).then(p => buildTree(p, queryOf(p)));
	is([[...self[0]], [...total[0]], width[0]],
		[[0, weight, weight, weight, 1], [3 * weight + 1, 3 * weight, weight, weight, 1], Math.max(3 * weight, 0) + 1], `sums: ${why}`);
}

// The order of names is that of sorted lines
const names = await readFolded('foo;x 1\nfoo(int) 1\nfoo2 1\nfo 1');
is(boxes(names, buildTree(names, queryOf(names))).map(b => b.trim().split(' ')[1]), ['all', 'fo', 'foo(int)', 'foo2', 'foo', 'x'],
	'a name that goes on sorts as if it ended in a semicolon');
const nested = await readFolded('r;foo;x 1\nr;foo(int);b;x 2\nr;foo(int);b(1) 4\nr;foo2 8\ns;b;x 16\ns;b(1) 32\nt 64');
const tidied = buildTree(nested, queryOf(nested));
is(boxes(nested, tidied), ['0+127 all', '  0+15 r', '    0+6 foo(int)', '      0+4 b(1)', '      4+2 b', '        4+2 x', '    6+8 foo2',
	'    14+1 foo', '      14+1 x', '  15+48 s', '    15+32 b(1)', '    47+16 b', '      47+16 x', '  63+64 t'], 'so do those below it, and what is beside stays');
is(checkTree(tidied), [], 'put in order: all that must hold');

// Frames that are shown alike are one box; inlined calls are boxes of their own
const alike = await readPack(makePack({
	frames: [{names: ['main']}, {names: ['memcpy'], module: 'liba'}, {names: ['memcpy'], module: 'libb'}, {names: ['in', 'out']}],
	counts: [{stack: [1, 2], weight: 1}, {stack: [1, 3], weight: 2}, {stack: [1, 3, 4], weight: 4}, {stack: [1, 2, 4], weight: 8}],
}));
ok(!alike.words.distinct, 'two frames are shown alike');
const merged = buildTree(alike, queryOf(alike));
is(foldedLines(alike, merged), ['main;memcpy 3', 'main;memcpy;out;in 12'], 'they are one box');
is(checkTree(merged), [], 'merged: all that must hold');

// Nodes that are in order stay where they are; below a frame that comes twice they are not
ok(tree.parent === plain.stacks.caller, 'what is in order is not moved');
const twice = await readPack(makePack({
	frames: [{names: ['a'], module: 'liba'}, {names: ['a'], module: 'libb'}, 'b', 'p', 'x', 'y'],
	counts: [{stack: [1, 4, 5], weight: 1}, {stack: [3], weight: 2}, {stack: [2, 4, 6], weight: 4}],
}));
const gathered = buildTree(twice, queryOf(twice));
is(boxes(twice, gathered), ['0+7 all', '  0+5 a', '    0+5 p', '      0+1 x', '      1+4 y', '  5+2 b'], 'what came later is brought together');
is(checkTree(gathered), [], 'brought together: all that must hold');

// Threads
const THREADS = {
	frames: ['main', 'work', 'java'],
	threads: [{pid: 1, tid: 2, comm: 'java', root: 'java'}, {pid: 1, tid: 3, comm: 'java', root: 'java'},
		{pid: 5, tid: 5, comm: 'a b', root: 'a_b'}],
	counts: [
		{stack: ['main'], weight: 1, thread: 1}, {stack: ['main'], weight: 2, thread: 2},
		{stack: ['main', 'work'], weight: 4, thread: 2}, {stack: ['main', 'work'], weight: 8, thread: 3},
		{stack: ['java', 'main'], weight: 16, thread: 0}, {stack: [], weight: 32, thread: 3},
	],
};
const threads = await readPack(makePack(THREADS));
const threadLines = more => {
	const t = buildTree(threads, queryOf(threads, more));
	is(checkTree(t), [], `threads ${JSON.stringify(more)}: all that must hold`);
	return foldedLines(threads, t);
};
is(threadLines({}), ['a_b 32', 'a_b;main;work 8', 'java;main 19', 'java;main;work 4'], 'a root for each name');
is(threadLines({byThread: 'thread'}), ['a_b-5/5 32', 'a_b-5/5;main;work 8', 'java-1/2;main 1', 'java-1/3;main 2',
	'java-1/3;main;work 4', 'java;main 16'], 'a root for each thread');
is(threadLines({byThread: 'none'}), [' 32', 'java;main 16', 'main 3', 'main;work 12'], 'no roots');
is(threadLines({threads: Uint8Array.of(0, 1, 1, 0)}), ['java;main 3', 'java;main;work 4'], 'some threads');
is(threadLines({threads: Uint8Array.of(0, 0, 0, 0)}), [], 'no thread at all');

const javas = [...threads.words.name.keys()].filter(w => threads.words.name[w] === 'java');
is(javas.map(w => threads.words.kind[w]), [0, 3], 'a thread is not the function that is called like it');

// Events and columns
const events = await readPack(makePack({
	events: [{name: 'before'}, {name: 'after', scale: -1}],
	counts: [{stack: ['a'], weight: 10, nr: 1}, {stack: ['a', 'b'], weight: 5, nr: 2}, {stack: ['a'], weight: 30, event: 1, nr: 3},
		{stack: ['a', 'c'], weight: 205, event: 1, nr: 4}],
}));
const column = (...rows) => Uint8Array.of(...rows);
const two = [column(1, 0), column(0, 1)];
is(foldedLines(events, buildTree(events, queryOf(events, {columns: [column(1, 0)]}))), ['a 10', 'a;b 5'], 'one event');
is(foldedLines(events, buildTree(events, queryOf(events, {columns: [column(0, 1)]}))), ['a 3', 'a;c 20.5'], 'another, scaled');
is(foldedLines(events, buildTree(events, queryOf(events, {columns: [column(1, 1)], samples: true}))), ['a 4', 'a;b 2', 'a;c 4'], 'samples of both');
const diff = buildTree(events, queryOf(events, {columns: two}));
is(foldedLines(events, diff), ['a 10 3', 'a;b 5 0', 'a;c 0 20.5'], 'two columns');
is(boxes(events, diff), ['0+23.5 all', '  0+23.5 a', '    3+0 b', '    3+20.5 c'], 'as wide as after');
is(boxes(events, buildTree(events, queryOf(events, {columns: two, widthOf: 0}))), ['0+15 all', '  0+15 a', '    10+5 b', '    15+0 c'], 'as wide as before');
is(boxes(events, buildTree(events, queryOf(events, {columns: two, widthOf: 'either'}))),
	['0+35.5 all', '  0+35.5 a', '    10+5 b', '    15+20.5 c'], 'as wide as either: what vanished is there');
is(diff.samples.map(s => Array.from(s)), [[3, 3, 2, 0], [7, 7, 0, 4]], 'samples of all below');
is(checkTree(diff), [], 'columns: all that must hold');

// Ranges of time
const ticks = await readPack(makePack({
	counts: [{stack: ['a'], weight: 2}, {stack: ['b'], weight: 3}],
	ticks: {rows: [{time: 100, stack: ['a']}, {time: 110, stack: ['a']}, {time: 120, stack: ['b'], weight: 2, nr: 1}, {time: 130, stack: ['b']}]},
}));
const within = more => foldedLines(ticks, buildTree(ticks, queryOf(ticks, more)));
is(within({range: [0, 20]}), ['a 2'], 'a range begins with its begin');
is(within({range: [10, 21]}), ['a 1', 'b 2'], 'a range ends before its end');
is(within({range: [0, 20], range2: [20, 40]}), ['a 2 0', 'b 0 3'], 'two ranges are two columns');
is(within({range: [10, 40], samples: true}), ['a 1', 'b 2'], 'samples of a range');
is(foldedLines(plain, buildTree(plain, queryOf(plain, {range: [0, 1]}))), [], 'a range of no ticks');

// Many random stacks, merged in every way, against sums made the simple way
let seed = 3;
const random = n => (seed = Math.imul(seed, 1103515245) + 12345 >>> 0) / 65536 % n | 0;
const frames = Array.from({length: 12}, (_, i) => ({names: Array.from({length: 1 + (i % 4 === 0)}, () => `f${random(8)}`)}));
const list = Array.from({length: 600}, () => ({stack: Array.from({length: random(8)}, () => 1 + random(12)), weight: 1 + random(9),
	thread: random(4)}));
const many = await readPack(makePack({frames, counts: list, threads: [1, 2, 3].map(i => ({pid: i, tid: i, comm: `t${i}`, root: `f${i >> 1}`}))}));
const wanted = new Map();
for (const {stack, weight, thread} of list) {
	const path = [...(thread ? [`f${thread >> 1}`] : []), ...stack.flatMap(f => [...frames[f - 1].names].reverse())].join(';');
	wanted.set(path, (wanted.get(path) ?? 0) + weight);
}
for (const order of ['name', 'width']) {
	const t = buildTree(many, queryOf(many, {order}));
	is(foldedLines(many, t), [...wanted].map(([path, sum]) => `${path} ${sum}`).sort(), `random stacks by ${order}`);
	is(checkTree(t), [], `random stacks by ${order}: all that must hold`);
	const siblings = new Set();
	let twice = 0;
	for (let i = 1; i < t.nr; i++) {
		const key = `${t.parent[i]} ${t.word[i]}`;
		twice += siblings.has(key);
		siblings.add(key);
	}
	is(twice, 0, `random stacks by ${order}: no word twice below one parent`);
}
done();
