// What the page can do without a screen: links, the window of the zoom, samples over time, names as shown.
import {Names} from '../../web/detail.js';
import {legible} from '../../web/legible.js';
import {followZoom, linkName, linkPath, readLink, writeLink, writeZoom} from '../../web/link.js';
import {betweenWindows, clampWindow, nodeOfWindow, panWindow, rowsUnder, zoomWindow} from '../../web/zoom.js';
import {heatCells, heatShape, stripCells, tickSpan} from '../../web/heat.js';
import {nodeAt} from '../../web/draw.js';
import {buildTree} from '../../web/tree.js';
import {readPack} from '../../web/profile.js';
import {foldedPack, makePack} from './pack.mjs';
import {done, is, ok} from './tap.mjs';

const usual = {
	view: 'flame', flip: false, event: '0', zoom: '', pivot: '', search: '', color: '', order: '', width: 'either', roots: 'comm',
	threads: null, range: null, range2: null, transforms: [],
};

// Links.
is(writeLink(usual, usual), '', 'the usual state needs no link');
const odd = {
	...usual, view: 'sandwich', flip: true, event: 'diff', pivot: 'operator&=(a, b)#1 100%', search: '/a|b&c=d,e:f/', threads: ['ab-_', 'cdef'],
	range: [0, 1500000000], range2: [2, 3.5], transforms: [{op: 'focus', text: 'a;b,c:d&e=f'}, {op: 'recursion', text: ''}, {op: 'module', text: 'libc.so.6'}],
};
is(readLink('#' + writeLink(odd, usual), usual), odd, 'every setting comes back');
ok(/^[\w\-.!~*'()%=&,:]*$/.test(writeLink(odd, usual)), 'a link needs no quoting', writeLink(odd, usual));
const flipped = {...usual, flip: true, transforms: [{op: 'hide', text: 'x'}]};
is(readLink(writeLink({...usual}, flipped), flipped), {...usual}, 'what is usual can be turned off');
is(readLink('#view=table&nonsense=1&range=9-1&search=%E0%A4%A&=&__proto__=1&zoom', usual), {...usual, view: 'table', range: null},
	'what nobody wrote is passed over');
is(readLink('#transforms=', usual).transforms, [], 'no steps');
is(readLink(writeLink({...usual, threads: []}, usual), usual).threads, [], 'a choice of no threads comes back');
for (const range of [[-1e9, 2e8], [-3, -2], [1e-7, 1e21], [-2.5e-7, 0.5]])
	is(readLink(writeLink({...usual, range}, usual), usual).range, range, `the range ${range} comes back`);
for (const bad of ['5', '-5', '1-2-3', '--1-2', 'a-b', '1-', '.-1', '1e-2'])
	is(readLink('#range=' + bad, usual).range, null, `${bad} is no range`);

const profile = await readPack(foldedPack('a;b;c 4\na;b;d 2\na;e 1\nf 3\n'));
const query = {columns: [Uint8Array.of(1)], transforms: [], order: 'name', byThread: 'none'};
const tree = buildTree(profile, query);
const name = (word) => profile.words.name[word];
const find = (...names) => followZoom(tree, name, linkPath(names)).node;
is([0, 1, 2, 3, 4, 5, 6].map((i) => i ? name(tree.word[i]) : ''), ['', 'a', 'b', 'c', 'd', 'e', 'f'], 'the tree that is tested on');
is(find('a', 'b', 'd'), 4, 'a path is found');
is(find('a', 'b', 'gone', 'x'), 2, 'or its nearest caller');
is(find('gone'), 0, 'or the root');
is(followZoom(tree, name, 'abc').node, 0, 'half a name is none');
is(followZoom(tree, name, writeZoom([], undefined, [0.25, 0.5])), {node: 0, part: [0.25, 0.5]}, 'a part of the whole comes back');
is(followZoom(tree, name, linkPath(['nowhere']) + '~0.25~0.5'), {node: 0, part: null}, 'a part of a frame that is not there is none');
for (const bad of ['~0.5~0.25', '~0~2', '~0~', '~.~.', '.zz', '~1e-9~1', '~NaN~1'])
	is(followZoom(tree, name, bad), {node: 0, part: null}, `${bad} is the whole`);

// In the order of time, of all boxes of a path: a;b;c is in the second and the fourth box of a;b.
const stacksInTime = ['a b', 'a', 'a b c', 'a', 'a b', 'a d', 'a b c', 'a b'];
const chart = await readPack(makePack({counts: [{stack: ['a'], weight: 1}], ticks: {rows: stacksInTime.map((stack, i) => ({time: i, stack: stack.split(' ')}))}}));
const inTime = buildTree(chart, {...query, order: 'time'}), chartName = (word) => chart.words.name[word];
const boxAt = (names, ...more) => {
	const {node, part} = followZoom(inTime, chartName, writeZoom(names, ...more));
	return [inTime.depth[node], inTime.first[node], part];
};
is(boxAt(['a', 'b', 'c'], 2), [3, 2, null], 'a box of a flame chart is found below another than the first box of its caller');
is(boxAt(['a', 'b', 'c'], 6, [0.25, 0.5]), [3, 6, [0.25, 0.5]], 'of two boxes, the one that begins with the sample, with the part of it');
is(boxAt(['a', 'b', 'c'], 5), [3, 6, null], 'or nearest to it');
is(boxAt(['a', 'b', 'c'], 0), [3, 2, null], 'a box of the whole path counts more than a nearer one of its caller');
is(boxAt(['a', 'b', 'gone'], 5), [2, 4, null], 'without the whole path, the nearest box of the deepest caller');
is(boxAt(['a', 'b', 'c']), [3, 2, null], 'without a sample, the first box of the whole path');

ok(linkName('a') !== linkName('b') && linkName('').length === 4, 'names are four letters');

// The window of the zoom.
is(clampWindow([-2, 3], 10), [0, 5], 'a window stays inside');
is(clampWindow([8, 13], 10), [5, 10], 'on the right as well');
is(clampWindow([-5, 20], 10), [0, 10], 'and is not larger than the whole');
is(zoomWindow([0, 10], 2, 0.5, 10), [2.5, 7.5], 'zooming in keeps the middle');
is(zoomWindow([0, 10], 2, 0, 10), [0, 5], 'or the left edge');
is(zoomWindow([4, 6], 0.1, 0.5, 10), [0, 10], 'zooming out ends at the whole');
is(panWindow([2, 4], 0.5, 10), [3, 5], 'panning');
is(betweenWindows([0, 16], [4, 8], 0), [0, 16], 'a motion begins where it was');
is(betweenWindows([0, 16], [4, 8], 1), [4, 8], 'ends where it goes');
is(betweenWindows([0, 16], [4, 8], 0.5).map((x) => +x.toFixed(9)), [2.666666667, 10.666666667], 'and halves the width halfway, around a fixed point');
is(betweenWindows([0, 4], [6, 10], 0.5), [3, 7], 'at one width it slides');
is(nodeOfWindow(tree, [0, 10]), 0, 'the whole is the root');
is(nodeOfWindow(tree, [0, 7]), 1, 'a window that a frame fills');
is(nodeOfWindow(tree, [1, 3]), 3, 'one within a frame: the deepest');
is(nodeOfWindow(tree, [3, 5]), 2, 'one across two frames: what holds both');
is([rowsUnder(tree, 0), rowsUnder(tree, 5), rowsUnder(tree, 6)], [4, 3, 2], 'rows of a subtree');
is([nodeAt(tree, 1, 0), nodeAt(tree, 1, 6.9), nodeAt(tree, 1, 7), nodeAt(tree, 2, 7.5), nodeAt(tree, 9, 0)], [1, 1, 6, -1, -1], 'what is at a place');

// Samples over time.
const ticks = {nr: 5, quantum: 1, time: Float64Array.of(0, 10, 19, 20, 39), thread: Uint32Array.of(1, 1, 2, 2, 3), weight: Float64Array.of(1, 2, 4, 8, 16)};
is(tickSpan(ticks), [0, 40], 'from the first to behind the last');
is(tickSpan({nr: 0}), null, 'nothing has no span');
is([...heatCells(ticks, 0, {column: 20, rows: 2}, 2, () => true)], [1, 6, 8, 16], 'columns of rows');
is([...heatCells(ticks, 0, {column: 20, rows: 2}, 2, (i) => i !== 2)], [1, 2, 8, 16], 'of those that count');
is([...stripCells(ticks, 0, 40, 2, Int32Array.of(-1, 1, 0, -1), 2, () => true)], [4, 8, 3, 0], 'strips of the threads that have one');
is(heatShape(60, 1, 200, 0.001), {column: 1, rows: 50}, 'a minute: a column is a second');
is(heatShape(2, 1, 200, 0.0001), {column: 0.01, rows: 50}, 'two seconds: less');
is(heatShape(2, 1, 200, 0.01), {column: 0.1, rows: 5}, 'with few samples: cells that hold some');
is(heatShape(1000, 1, 200, 0.1), {column: 5, rows: 25}, 'a quarter of an hour: more');
ok(heatShape(1e9, 1, 200, 1).column * 200 >= 1e9, 'years still fit');
ok(heatShape(1, 1e9, 200, 1).rows >= 5, 'and so does a moment');

// Names as they are shown.
is(legible('a\x1b[31mb\u202ec\x00d\u200be'), 'a\\x1b[31mb\\u202ec\\x00d\\u200be', 'what cannot be seen is spelled out');
is(legible('größe<T>::operator()'), 'größe<T>::operator()', 'the rest stays');


// Names that are too long to be shown: the function stays.
const longName = `std::map<${'std::pair<int, int>, '.repeat(120)}int>::insert(std::pair<int, int> const&)`, bare = new Names({words: {name: [longName, '', 'a\u202eb']}});
is([bare.of(0), bare.inPicture(0), bare.cut(0, 22)], Array(3).fill('std::map<…>::insert(…)'), 'a name of 2,500 characters keeps its function');
is([bare.cut(0, 240), bare.cut(0, 8)], ['std::map<…>::insert(…)', 'insert'], 'in a tooltip and in a narrow box as well');
is([bare.of(1), bare.of(2), bare.inPicture(2), bare.inPicture(0xffffffff)], ['[unnamed]', 'a\\u202eb', 'a\ufffdb', 'all'], 'other names are shown as they are');
done();
