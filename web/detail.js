// The facts of a frame: in the line below the picture, in the tooltip, and for screen readers (mirror.js).
import {changeOfCost} from './color.js';
import {el} from './dom.js';
import {formatCount, formatDelta, formatNumber, formatShare} from './format.js';
import {legible, plainText} from './legible.js';
import {TIP_LETTERS, shorten} from './shorten.js';

const LONGEST = 2000; /* characters of a name that is shown */
const NO_NAME = 0xffffffff;
const NAMELESS = '[unnamed]';
export const NOT_SIGNIFICANT = 'not significant';

// Names as they are shown: very long ones are shortened, then invisible characters replaced.  Escape sequences
// instead would look like parts of a name.
export class Names {
	constructor(profile) {
		this.profile = profile;
		this.shown = [];
		this.drawn = [];
	}

	of(word) {
		return word === NO_NAME ? 'all' : this.shown[word] ??= legible(shorten(this.profile.words.name[word], LONGEST)) || NAMELESS;
	}

	// The name in a picture.
	inPicture(word) {
		return this.drawn[word] ??= this.cut(word, LONGEST);
	}

	cut(word, letters) {
		return plainText(shorten(word === NO_NAME ? 'all' : this.profile.words.name[word], letters));
	}

	module(word) {
		const {words, modules, strings} = this.profile;
		return word === NO_NAME ? '' : legible(strings[modules.path[words.module[word]]] || '');
	}

	// file:line, if known.
	place(word) {
		const {words, strings} = this.profile;
		const file = word === NO_NAME ? '' : strings[words.file[word]];
		return file ? legible(file) + (words.line[word] ? ':' + words.line[word] : '') : '';
	}
}

const shareOf = (part, whole) => whole ? part / whole : 0;

// Uses tree.all, the total weight, since the root of a sandwich is a function.
export function changeOfNode({total: [before, after], all, asItIs}, node) {
	return changeOfCost(before[node], after[node], all, asItIs);
}

// The same for a row of the table.
export function changeOfRow({total: [before, after], whole, asItIs}, row) {
	return changeOfCost(before[row], after[row], whole, asItIs);
}

const fact = (title, ...texts) => el('span', {}, title + ' ', el('em', {}, texts.filter(Boolean).join(' · ')));

// The verdict on a change, in words.
function verdictOf(noise, node) {
	if (!noise.claim)
		return 'significance unknown';
	const ends = noise.interval(node).map(formatDelta).join(' … ');
	return `${noise.significant[node] ? '' : NOT_SIGNIFICANT + ', '}${formatNumber(100 * noise.confidence)} % interval ${ends}`;
}

// Facts of a node as elements, or of a function if the tree is about.top.  about: {names, unit, zoomed (node), top,
// noise}.
export function detailOf(tree, node, about) {
	const {names, unit, zoomed, top} = about, word = tree.word[node], row = word === NO_NAME ? 0 : top.at[word];
	const column = tree.total.length - 1, total = tree.total[column], self = tree.self[column];
	const count = (n, whole) => [formatCount(n, unit), formatShare(shareOf(n, whole))];
	const where = [names.module(word), names.place(word)].filter(Boolean).map((text) => el('span', {}, text));
	const facts = [];
	if (column) {
		const [before] = tree.total;
		facts.push(fact('Before', ...count(before[node], tree.all[0])), fact('After', ...count(total[node], tree.all[1])),
			fact('Change', formatDelta(changeOfNode(tree, node)), verdictOf(about.noise, node)));
	} else {
		facts.push(fact('Total', ...count(total[node], tree.all[0])), fact('Self', ...count(self[node], tree.all[0])));
		if (zoomed)
			facts.push(fact('Of zoom', formatShare(shareOf(total[node], total[zoomed]))));
	}
	if (tree === top)
		facts.push(fact('Frames', formatNumber(top.frames[word])));
	else if (row && top.frames[word] > 1)
		facts.push(fact(`All ${formatNumber(top.frames[word])} frames: total`, ...count(top.total[column][row - 1], top.all[column])),
			fact('self', ...count(top.self[column][row - 1], top.all[column])));
	return [el('p', {}, el('b', {}, names.of(word)), ...where), el('p', {}, ...facts)];
}

export function costText(tree, node, unit) {
	const column = tree.total.length - 1, total = tree.total[column];
	const change = column ? ', ' + formatDelta(changeOfNode(tree, node)) : '';
	return `${formatShare(shareOf(total[node], tree.all[column]))}, ${formatCount(total[node], unit)}${change}`;
}

// The same in one line, for screen readers.
export function sayNode(tree, node, {names, unit}) {
	return `${names.of(tree.word[node])}: ${costText(tree, node, unit)}`;
}

// The same for the tooltip: the numbers come first, since a name may be long; a very long one is shortened.
export function tipOf(tree, node, {names, unit}) {
	const word = tree.word[node], name = names.of(word);
	return [el('b', {}, costText(tree, node, unit)), name.length > TIP_LETTERS ? names.cut(word, TIP_LETTERS) : name];
}

// Cells of the mirror: name, total, self.
export function cellsOf(tree, node, {names, unit}) {
	const column = tree.total.length - 1;
	return [names.of(tree.word[node]),
		`${formatCount(tree.total[column][node], unit)}, ${formatShare(shareOf(tree.total[column][node], tree.all[column]))}`,
		`self ${formatCount(tree.self[column][node], unit)}`];
}
