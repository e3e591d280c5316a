// The page's colors: the cases that src/render/color.c is held to as well, and text that can be read on every fill.
import {readFileSync} from 'node:fs';
import {SCHEMES, colorHash, colorByChange, colorByFunction, colorByHue, colorByKind, colorBySelf, colorList, colorScheme, crateOf, isLibrary,
	kindOf}
	from '../../web/color.js';
import {hueOf, moduleName} from '../../web/modules.js';
import {shadeOfState, stateOfName} from '../../web/states.js';

let nr = 0;
const check = (good, what) => console.log(`${good ? 'ok' : 'not ok'} ${++nr} - ${what}`);

function colorOf([scheme, kind, flags, inlined, module, name]) {
	const is = kindOf(+kind, +flags, inlined === '1', isLibrary(module));
	switch (scheme) {
	case 'kind':
		return colorByKind(is, name);
	case 'module': {
		const [, rank, path] = /^(\d+) (.*)/.exec(module);
		return colorByHue(hueOf(+rank, colorHash(moduleName(path))), name);
	}
	case 'function':
		return colorByFunction(name);
	case 'state':
		return shadeOfState(stateOfName(module), colorHash(name));
	case 'self':
		return colorBySelf(+name);
	default:
		return colorByChange(+name);
	}
}

const here = new URL('.', import.meta.url);
for (const line of readFileSync(new URL('../color/cases.tsv', here), 'utf8').split('\n'))
	if (line && !line.startsWith('#')) {
		const row = line.split('\t');
		check(String(colorOf(row)) === row[6], line.replaceAll('\t', ' '));
	}

for (const line of readFileSync(new URL('../color/crates.tsv', here), 'utf8').split('\n'))
	if (line && !line.startsWith('#'))
		check((crateOf(line.split('\t')[0]) ?? '') === line.split('\t')[1], `the crate of ${line.split('\t')[0]}`);

const light = (channel) => channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

function luminance(css) {
	const [r, g, b] = [1, 3, 5].map((i) => light(parseInt(css.slice(i, i + 2), 16) / 255));
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

for (const [dark, text] of [[false, '#1a1a1a'], [true, '#f2f2f2']])
	check(colorList(dark).every((css) => contrast(css, text) >= 4.5), `text on every ${dark ? 'dark' : 'light'} fill`);
check(colorList(false).length === colorList(true).length && colorList(false).length === 77, 'as many dark as light');

// One frame of the kernel, one of a library that shares its name with one of the program, and a palette.
const profile = {
	strings: ['', '/bin/app', '/lib/libc.so.6'],
	modules: {path: Uint32Array.of(0, 1, 2)},
	frames: {nr: 4, kind: Uint8Array.of(0, 1, 0, 0), flags: new Uint8Array(4), module: Uint32Array.of(0, 0, 2, 1)},
	words: {name: ['[unknown]', 'sys_read', 'free', 'java'], first: Uint32Array.of(0, 1, 2, 3, 4), of: Uint32Array.of(0, 1, 2, 2), color: null},
	stacks: {nr: 1, caller: new Uint32Array(1), frame: new Uint32Array(1)},
	counts: {nr: 0, stack: new Uint32Array(0)},
	view: new Map(),
};
const tree = {word: Uint32Array.of(0xffffffff, 1, 2, 3), self: [[0, 10, 0, 90]], total: [[100, 10, 0, 90]]};
const kinds = colorScheme('kind', profile, false);
check(kinds.of(tree, 1) >> 2 === 3, 'a word of the kernel');
check(kinds.of(tree, 2) >> 2 === 1, 'a word of a library and the program is the program\'s');
check(kinds.of(tree, 3) >> 2 === 0 && kinds.of(tree, 0) === 0, 'words of no frame, and everything, are no code');
check(kinds.legend.map(({text}) => text).join() === 'user,kernel', 'the legend has what is there');
check(colorScheme('self', profile, true).of(tree, 3) === 63, 'heat');
check(colorScheme('diff', profile, true).of({total: [[10, 5], [20, 5]]}, 1) === 65, 'less of a larger whole is less');
const crates = {...profile, info: [['crates', 'std core alloc serde']],
	words: {...profile.words, name: ['<std::time::Instant>::now', 'serde::de', 'app::free', '<T as core::X>::f']}};
const byCrate = colorScheme('kind', crates, false);
check([1, 2].map((node) => byCrate.of({word: [0, 1, 2]}, node) >> 2).join() === '5,1', 'other crates and the own one');
check(byCrate.of({word: [0, 0]}, 1) >> 2 === 2, 'those of the compiler are libraries');
profile.words.color = Uint32Array.of(0, 0xff0000, 0xff0000, 0x0000ff);
const palette = colorScheme('hot', profile, false);
check(palette.css[palette.of(tree, 3)] === '#0000ff' && palette.of(tree, 1) === palette.of(tree, 2), 'a palette');
check(SCHEMES.every((name) => colorScheme(name, profile, true).css.length === 77), 'every scheme');

// Of two reasons, one has a wait.
const waits = {
	...profile, words: {...profile.words, name: ['[lock]', '[other]', 'main', 'java'], of: Uint32Array.of(0, 1, 2, 3)},
	stacks: {nr: 4, caller: Uint32Array.of(0, 0, 1, 1), frame: Uint32Array.of(0, 2, 0, 1)}, counts: {nr: 1, stack: Uint32Array.of(2)},
};
check(colorScheme('state', waits, false).legend.map(({text}) => text).join() === 'running,lock', 'the legend has the states of stacks that count, and no other');

// main and copy are of the program, inner is inlined into main, and once into the kernel's read, outer only there; memcpy is of
// a library, as are its three samples; of two files that are called alike, one is enough.
const names = ['', 'main', 'inner', 'outer', 'memcpy', 'sys_read', 'helper', 'nobody'];
const called = {
	strings: ['', '/bin/app', '/lib/libc.so.6', '/old/app', '[kernel.kallsyms]', '/lib/unused.so'],
	modules: {path: Uint32Array.of(0, 1, 2, 3, 4, 5)},
	frames: {nr: 8, kind: Uint8Array.of(0, 0, 0, 0, 0, 1, 0, 0), flags: Uint8Array.of(0, 0, 2, 2, 0, 0, 0, 0),
		module: Uint32Array.of(0, 1, 0, 0, 2, 4, 3, 0)},
	words: {name: names, first: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8), of: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7), color: null},
	stacks: {nr: 8, caller: Uint32Array.of(0, 0, 1, 2, 1, 4, 1, 0), frame: Uint32Array.of(0, 1, 2, 4, 5, 3, 6, 7)},
	counts: {nr: 4, stack: Uint32Array.of(3, 5, 6, 7), nr_samples: Float64Array.of(3, 1, 1, 9)},
	view: new Map(),
};
const byModule = colorScheme('module', called, false), whole = {word: Uint32Array.of(0xffffffff, 1, 2, 3, 4, 5, 6, 7)};
const hueAt = (node) => Math.floor((byModule.of(whole, node) - 24) / 3);
const kindAt = (node) => byModule.of(whole, node) >> 2;
check(hueAt(1) === hueOf(0) && hueAt(6) === hueOf(0), 'what fills the most has the first hue, from wherever it is');
check(hueAt(4) === hueOf(1), 'the next has the next');
check(hueAt(2) === hueOf(0), 'what is inlined is of what it is inlined into');
check(kindAt(5) === 3 && kindAt(3) === 3, 'the kernel is the kernel, and so is what is inlined into it');
check(kindAt(7) === 0, 'no module, no hue');
check(byModule.legend.map(({text}) => text).join() === 'kernel,app,libc.so.6', 'the legend of modules: the heaviest first');
console.log(`1..${nr}`);
