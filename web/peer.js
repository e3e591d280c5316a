// Colors of pictures in the style of other programs: those of a palette, or from white to red and blue.
import {colorScheme} from './color.js';

// From white over pale to full red (more) or blue (less).
function diffColor(delta, max, perl) {
	const c = Math.floor((perl ? 0 : 100) + (perl ? 210 : 150) * (max - Math.abs(delta)) / max);
	const none = perl ? 255 : 250;
	if (!delta)
		return `rgb(${none},${none},${none})`;
	return delta > 0 ? `rgb(255,${c},${c})` : `rgb(${c},${c},255)`;
}

// A scheme with a color for each distinct change: css is filled on demand.
function changingScheme(deltaOf, max, perl) {
	const css = [], number = new Map();
	const of = (tree, node) => {
		const color = diffColor(deltaOf(tree, node), max, perl);
		if (!number.has(color))
			number.set(color, css.push(color) - 1);
		return number.get(color);
	};
	return {css, of, legend: []};
}

// The change is that of self weights, as in the other programs.
function changeScheme(tree, view) {
	const [before, after] = tree.self, sign = view.has('negate') ? -1 : 1;
	let max = 1;
	for (let i = 0; i < tree.nr; i++)
		max = Math.max(max, Math.abs(after[i] - before[i]));
	return changingScheme((t, node) => sign * (after[node] - before[node]), max, view.get('scale') === 'perl');
}

const MARKS = [['inlined', 'i', 4], ['waker', 'w', 8], ['kernel', 'k'], ['jit', 'j']];

// Names with their marks in folded text, by which the other programs sort.
export function peerNames({view, words: {name, kind, flags}}) {
	const spelled = (view.get('spelling') ?? '').split(' ');
	const markOf = (text, w) => {
		const [word, letter] = MARKS.find(([, , flag], i) => flag ? flags[w] & flag : kind[w] === i - 1) ?? [], mark = `_[${letter}]`;
		return spelled.includes(word) && (letter === 'k' || !text.includes(mark)) ? mark : '';
	};
	return {words: {name: name.map((text, w) => text + markOf(text, w))}};
}

export function peerScheme(profile, tree) {
	const {view} = profile;
	if (view.has('by-width'))
		return changingScheme((t, node) => Math.trunc(Math.sqrt(t.width[node] / (t.whole || 1)) * 2000), 2000,
			view.get('scale') === 'perl');
	if (tree.self.length === 2)
		return changeScheme(tree, view);
	return colorScheme(view.get('color'), profile, false);
}
