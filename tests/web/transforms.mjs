// Transforms in any order, against a twin that rewrites each path as a list.
import {readPack} from '../../web/profile.js';
import {buildTree} from '../../web/tree.js';
import {makePack} from './pack.mjs';
import {checkTree, foldedLines, queryOf} from './fold.mjs';
import {done, is} from './tap.mjs';

let seed = 17;
const random = n => (seed = Math.imul(seed, 1103515245) + 12345 >>> 0) / 65536 % n | 0;
const pick = list => list[random(list.length)];

// A path is a list of {name, module}, or null when the sample does not count.
const TWIN = {
	focus: (path, {test}) => path.some(f => test(f.name)) ? path : null,
	ignore: (path, {test}) => path.some(f => test(f.name)) ? null : path,
	hide: (path, {test}) => path.filter(f => !test(f.name)),
	base: (path, {test}) => {
		const at = path.findIndex(f => test(f.name));
		return at < 0 ? null : path.slice(at);
	},
	recursion: path => path.filter((f, i) => path[i - 1]?.name !== f.name),
	module: (path, {module}) => path.filter((f, i) => f.module !== module || path[i - 1]?.module !== module)
		.map(f => f.module === module ? {...f, name: `[${module}]`} : f),
};
TWIN.root = TWIN.base;

const frames = Array.from({length: 14}, (_, i) => ({names: i % 5 ? [`f${i % 6}`] : [`f${i % 4}`, `g${i % 3}`], module: pick(['liba', 'libb', 'libc'])}));
const counts = Array.from({length: 400}, () => ({stack: Array.from({length: random(9)}, () => 1 + random(14)), weight: 1 + random(9), thread: random(3)}));
const threads = [{comm: 'f1', root: 'f1'}, {comm: 'x', root: 'x'}];
const profile = await readPack(makePack({frames, counts, threads}));
const framesOf = stack => stack.flatMap(f => [...frames[f - 1].names].reverse().map(name => ({name, module: frames[f - 1].module})));

const makers = [
	...['focus', 'ignore', 'hide', 'base', 'root'].map(op => () => {
		const wanted = pick(['f1', 'f2', 'g1', 'liba', 'f']);
		return {op, test: name => name.includes(wanted), wanted};
	}),
	() => ({op: 'recursion'}),
	() => ({op: 'module', module: pick(['liba', 'libb'])}),
];
for (let i = 0; i < 150; i++) {
	const transforms = Array.from({length: random(4)}, () => pick(makers)());
	const sums = new Map();
	for (const {stack, weight, thread} of counts) {
		const path = transforms.reduce((p, t) => p && TWIN[t.op](p, t), framesOf(stack));
		const key = path && [...(thread ? [threads[thread - 1].root] : []), ...path.map(f => f.name)].join(';');
		if (path)
			sums.set(key, (sums.get(key) ?? 0) + weight);
	}
	const tree = buildTree(profile, queryOf(profile, {transforms}));
	const name = transforms.map(t => `${t.op} ${t.wanted ?? t.module ?? ''}`).join(', ') || 'none';
	is([foldedLines(profile, tree), checkTree(tree)], [[...sums].map(([key, sum]) => `${key} ${sum}`).sort(), []], `${i}: ${name}`);
}

// Deeper than the arrays are at first
const deep = await readPack(makePack({counts: [{stack: Array.from({length: 300}, (_, i) => `f${i >> 1}`), weight: 3}]}));
const folded = foldedLines(deep, buildTree(deep, queryOf(deep, {transforms: [{op: 'recursion'}, {op: 'hide', test: n => n === 'f0'}]})));
is(folded, [`${Array.from({length: 149}, (_, i) => `f${i + 1}`).join(';')} 3`], 'a deep stack');
done();
