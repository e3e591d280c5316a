// wick's own colors, the same as src/render/color.c: tests/color/ checks both.  A color is a number; light and dark
// are two lists of the same numbers, six digits each.
import {moduleName, rankModules} from './modules.js';
import {shorten} from './shorten.js';
import {STATES, shadeOfState, stateColor, stateOfName, statesOfCallers, statesOfNodes} from './states.js';
import {isAsItIs} from './times.js';

const LIGHT_COLORS =
	'd4d6d8d8dadcdcdee0e0e2e4' +
	'eab07decbc8ceec79cf0d3ac' +
	'94cdaca0d4baacdcc7b9e3d4' +
	'a1bfefb0c7f2becff5ccd7f8' +
	'cdbf76d0c989d4d39cd9dcae' +
	'dfabcee6b6d2ecc1d6f2cbdc' +
	'f0ada7fcb8b2ffc8c3e7b68cf3c197fecca4cfc285dbcd90e6d89badcd97' +
	'b8d8a2c3e3ad8cd2b897dec3a2e9ce80d0d98bdce596e7f192c8f09dd4fc' +
	'b2deffb3bdf5bfc8fecdd5fed3b2e6dfbdf2eac9fee9acc9f5b7d4ffc4df' +
	'efebddece2c7ecd7b2eccb9eeebe8bf0b179f2a26af4925df58254f57050' +
	'52a9fe6bb4fe83bffd99c9fbaed3fac4ddf8e0e1e4f3d2bef2c4a6f1b58e' +
	'efa775ed975aeb883b';
const DARK_COLORS =
	'3b3d403e404342434745474a' +
	'633c156a451b704d21775628' +
	'27503a2c584431604e376859' +
	'3247673c4e6f465577515c80' +
	'51470b564f165a58215f612b' +
	'5c39516540576e485c784f61' +
	'66393671433f7b4c48613f216b482a75523452481a5b5124655b2e3a4f2a' +
	'4359334c633c1c5342275d4b316754095258195b6225656c244c672e5672' +
	'375f7c3f446a484e7551577f543d615e466b68507562394d6c4257764c61' +
	'3b3732443b2f4f3f2c5a41296543277145257d46248a4625964628a3452e' +
	'1f6cb028659f2e5f8e33587d36516d394a5d41424559433567463075492a' +
	'834c22914e169e5107';

export const SCHEMES = ['kind', 'module', 'function', 'self', 'diff', 'state'];

const KIND_ROOT = 0, KIND_USER = 1, KIND_LIBRARY = 2, KIND_KERNEL = 3, KIND_INLINED = 4, KIND_JIT = 5, KIND_NONE = 6;
const KIND_TEXTS = ['no code', 'user', 'library', 'kernel', 'inlined', 'JIT, crate'];
export const KERNEL_FRAME = 1; // among the kinds of the profile
const MOST_MODULES = 8; // in the legend
const FIRST_HUE = 24, FIRST_HEAT = 54, SAME = 70;
const HEAT_STEPS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const CHANGE_STEPS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3];

const colorEncoder = new TextEncoder();

// FNV-1a over the UTF-8 bytes, its upper half folded in.
export function colorHash(name) {
	let h = 2166136261;
	for (let i = 0; i < name.length; i++) {
		const c = name.charCodeAt(i);
		if (c > 127)
			return colorHashBytes(colorEncoder.encode(name));
		h = Math.imul(h ^ c, 16777619);
	}
	return (h ^ h >>> 15) >>> 0;
}

function colorHashBytes(bytes) {
	let h = 2166136261;
	for (let i = 0; i < bytes.length; i++)
		h = Math.imul(h ^ bytes[i], 16777619);
	return (h ^ h >>> 15) >>> 0;
}

export function isLibrary(path) {
	return /\.so($|[. (])|\.(dylib|dll|DLL)$|^\[vdso\]$/.test(moduleName(path));
}

// The color kind of a frame: kinds and flags are those of the profile.
export function kindOf(kind, flags, inlined, library) {
	if (kind === 3)
		return KIND_ROOT;
	if (kind === 1)
		return KIND_KERNEL;
	if (inlined || flags & 6)
		return KIND_INLINED;
	if (kind === 2)
		return KIND_JIT;
	return library ? KIND_LIBRARY : KIND_USER;
}

export function colorByKind(kind, name) {
	return kind * 4 + colorHash(name) % 4;
}

// A shade of a module's hue.
export function colorByHue(hue, name) {
	return FIRST_HUE + hue * 3 + colorHash(name) % 3;
}

export function colorByFunction(name) {
	return FIRST_HUE + colorHash(name) % 30;
}

// The number of steps that are not above x.
function stepsBelow(steps, x) {
	let n = 0;
	while (n < steps.length && x >= steps[n])
		n++;
	return n;
}

// By a frame's self weight, as a share of the total.
export function colorBySelf(share) {
	return FIRST_HEAT + stepsBelow(HEAT_STEPS, share);
}

// By the change of a frame's share: 0.01 is a percentage point.
export function colorByChange(change) {
	const step = stepsBelow(CHANGE_STEPS, Math.abs(change));
	return change < 0 ? SAME - step : SAME + step;
}

// All colors for a light or a dark background, as CSS.
export function colorList(dark) {
	const digits = dark ? DARK_COLORS : LIGHT_COLORS, list = [];
	for (let i = 0; i < digits.length; i += 6)
		list.push('#' + digits.slice(i, i + 6));
	return list;
}

// By word: its kind and module.  If its frames have several, the smallest counts, so that the order of frames does
// not matter.
function wordFacts(profile) {
	const {words, frames, modules, strings} = profile;
	const kind = new Uint8Array(words.name.length).fill(KIND_NONE);
	const module = new Uint32Array(words.name.length);
	const hash = Array.from(modules.path, (path) => colorHash(moduleName(strings[path])));
	const library = Array.from(modules.path, (path) => isLibrary(strings[path]));
	for (let f = 0; f < frames.nr; f++) {
		const m = frames.module[f];
		for (let k = words.first[f]; k < words.first[f + 1]; k++) {
			const w = words.of[k];
			const is = kindOf(frames.kind[f], frames.flags[f], k > words.first[f], library[m]);
			if (is < kind[w])
				kind[w] = is;
			if (m && (!module[w] || hash[m] < hash[module[w]]))
				module[w] = m;
		}
	}
	addCrates(profile, kind);
	return {kind, module, hash};
}

// The first word of a type, if it begins a path: `&mut app::T`.
const firstCrate = (text) => /^\W*(?:(?:dyn|mut|const) \W*)*(\w+)::/.exec(text)?.[1];
const isCompilers = (crate) => /^(std|core|alloc)$/.test(crate);

// Rust: the crate of a function.  For `<type as trait>::f`, it is the crate of the type or of the trait, whichever
// implements it: only the compiler's crates implement traits for built-in and generic types.
export function crateOf(name) {
	if (name[0] !== '<')
		return firstCrate(name);
	let outer = name.slice(1).replaceAll('->', ''), before;
	do
		outer = (before = outer).replace(/<[^<>]*>/g, '');
	while (outer !== before);
	const [types, rest] = outer.split('>::'), [type, trait] = types.split(' as ').map(firstCrate);
	if (!types.includes(' as '))
		return type ?? (rest && 'core');
	return type && (!trait || !isCompilers(type) || isCompilers(trait)) ? type : trait;
}

// Rust: code of another crate is colored as such even if it was inlined.  The compiler's crates come first.
function addCrates({info, words}, kind) {
	const crates = info?.find(([key]) => key === 'crates')?.[1].split(' ');
	crates && words.name.forEach((name, word) => {
		const at = crates.indexOf(crateOf(name));
		if (at >= 0)
			kind[word] = at < 3 ? KIND_LIBRARY : KIND_JIT;
	});
}

// An inlined call without its own module gets that of its owner.
function addOwners({frames, stacks, words}, {module, hash}, owner) {
	const inKernel = new Uint8Array(words.name.length);
	for (let s = 1; s < stacks.nr; s++) {
		const f = stacks.frame[s], m = frames.module[owner[s]];
		if (f === owner[s])
			continue;
		for (let k = words.first[f]; k < words.first[f + 1]; k++) {
			const w = words.of[k];
			if (frames.kind[owner[s]] === KERNEL_FRAME)
				inKernel[w] = 1;
			else if (m && (!module[w] || hash[m] < hash[module[w]]))
				module[w] = m;
		}
	}
	return inKernel;
}

// The colors of words by module, and the legend.
function moduleScheme(profile, facts) {
	const {list, owner, hue} = rankModules(profile, colorHash), inKernel = addOwners(profile, facts, owner);
	const colorOf = (word, text) => {
		const module = facts.module[word], kernel = facts.kind[word] === KIND_KERNEL || inKernel[word] && !module;
		return module && !kernel ? colorByHue(hue[module], text) : colorByKind(kernel ? KIND_KERNEL : KIND_ROOT, text);
	};
	return {colorOf, meanings: [
		...facts.kind.includes(KIND_KERNEL) ? [{color: 4 * KIND_KERNEL + 1, text: KIND_TEXTS[KIND_KERNEL]}] : [],
		...list.slice(0, MOST_MODULES).map(({name, hue: h}) => ({color: FIRST_HUE + 3 * h + 1, text: shorten(name, 24)}))]};
}

// The colors of words by kind, and the legend of the kinds that occur.
function kindScheme(profile, facts) {
	const there = new Set(facts.kind);
	return {colorOf: (word, text) => colorByKind(facts.kind[word] === KIND_NONE ? KIND_ROOT : facts.kind[word], text),
		meanings: KIND_TEXTS.map((text, kind) => ({color: 4 * kind + 1, text, kind})).filter(({kind}) => kind && there.has(kind))};
}

const functionScheme = () => ({colorOf: (word, text) => colorByFunction(text), meanings: []});

const WORD_SCHEMES = new Map([['module', moduleScheme], ['function', functionScheme]]);

// The change of a share; if asItIs (not normalized), the change of the weight as a share of before.
export function changeOfCost(before, after, [allBefore, allAfter], asItIs) {
	if (asItIs)
		return (after - before) / (allBefore || allAfter || 1);
	return after / (allAfter || 1) - before / (allBefore || 1);
}

// The same for a node of a picture.
export function changeOf(tree, node, view) {
	const [before, after] = tree.total;
	return after ? changeOfCost(before[node], after[node], [before[0], after[0]], isAsItIs(view)) : 0;
}

// These two schemes color nodes, not words.
const changeColor = (profile) => (tree, node) =>
	colorByChange(changeOf(tree, node, profile.view));

const selfColor = (tree, node) => {
	const column = tree.self.length - 1;
	return colorBySelf(tree.self[column][node] / (tree.total[column][0] || 1));
};

// The states that frames of counted stacks stand for: a reason may have a frame in the profile, but no wait with it.
function statesThere({counts, stacks, words}) {
	const counted = new Uint8Array(stacks.nr), there = new Set();
	for (const stack of counts.stack)
		counted[stack] = 1;
	for (let s = stacks.nr; s-- > 1;) {
		if (!counted[s])
			continue;
		counted[stacks.caller[s]] = 1;
		for (let k = words.first[stacks.frame[s]]; k < words.first[stacks.frame[s] + 1]; k++)
			there.add(stateOfName(words.name[words.of[k]]));
	}
	return there;
}

// By the state of threads.  States are cached for each tree.
function stateScheme(profile, css) {
	const {words} = profile, known = new WeakMap();
	const of = (tree, node) => {
		if (!known.has(tree))
			known.set(tree, tree.callersIn ? statesOfCallers(tree, tree.callersIn, words.name) : statesOfNodes(tree, words.name));
		return node && shadeOfState(known.get(tree)[node], colorHash(words.name[tree.word[node]]));
	};
	const there = statesThere(profile);
	return {css, of, legend: STATES.map((text, state) => ({css: css[stateColor(state)], text, state})).filter(({state}) => !state || there.has(state))};
}

// The colors that a palette gave to words, an entry for each distinct color.
function paletteScheme(words, dark) {
	const number = new Map(), css = [];
	const indexOf = (rgb) => {
		if (!number.has(rgb)) {
			number.set(rgb, css.length);
			css.push('#' + rgb.toString(16).padStart(6, '0'));
		}
		return number.get(rgb);
	};
	const root = indexOf(parseInt((dark ? DARK_COLORS : LIGHT_COLORS).slice(0, 6), 16));
	const index = Uint32Array.from(words.color, indexOf);
	return {css, of: (tree, node) => node ? index[tree.word[node]] : root, legend: []};
}

// A color scheme for a profile: {css: list of colors, of(tree, node): an index into it, legend}.
export function colorScheme(name, profile, dark) {
	const css = colorList(dark);
	if (profile.words.color && !SCHEMES.includes(name))
		return paletteScheme(profile.words, dark);
	if (name === 'self')
		return {css, of: selfColor, legend: [0, 3, 5, 7, 9].map((i) =>
			({css: css[FIRST_HEAT + i], text: i ? '≥ ' + 100 * HEAT_STEPS[i - 1] + ' %' : 'little'}))};
	if (name === 'state')
		return stateScheme(profile, css);
	if (name === 'diff')
		return {css, of: changeColor(profile), legend: [
			{css: css[SAME - 5], text: 'less'}, {css: css[SAME], text: 'same'}, {css: css[SAME + 5], text: 'more'}]};
	const {colorOf, meanings} = (WORD_SCHEMES.get(name) ?? kindScheme)(profile, wordFacts(profile));
	const known = new Uint8Array(profile.words.name.length);
	const of = (tree, node) => {
		const word = tree.word[node];
		if (!node)
			return 0;
		return (known[word] ||= 1 + colorOf(word, profile.words.name[word])) - 1;
	};
	return {css, of, legend: meanings.map(({color, text}) => ({css: css[color], text}))};
}
