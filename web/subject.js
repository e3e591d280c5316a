// The part of the profile that an SVG shows: the tree, and the texts of its frames.
import {changeOf, colorByChange, colorHash, colorScheme} from './color.js';
import {formatCount, formatDelta, formatShare} from './format.js';
import {plainText} from './legible.js';
import {peerNames, peerScheme} from './peer.js';
import {TIP_LETTERS, shorten} from './shorten.js';
import {columnFactors} from './times.js';
import {buildTree} from './tree.js';
import {usualRoots} from './words.js';

const CHANGE_LETTERS = 12; // room for the number of a change and some of the name
const THIN = '\u2009';

// By event, 1 if its number is in the list.
function eventColumn(profile, numbers) {
	const column = new Uint8Array(profile.events.length);
	for (const n of (numbers ?? '0').split(','))
		column[n] = 1;
	return column;
}

// The query that the file was written with.
function queryOf(profile, peer) {
	const {view} = profile;
	const columns = view.has('before') ? [eventColumn(profile, view.get('before')), eventColumn(profile, view.get('after'))]
		: [eventColumn(profile, view.get('event'))];
	return {columns, samples: view.get('weight') === 'samples', factors: columns.length > 1 ? columnFactors(view) : null, threads: null, range: null, range2: null, transforms: [],
		reverse: view.get('tree') === 'reverse', order: view.get('sort') ?? 'name', byThread: peer ? 'comm' : usualRoots(profile),
		widthOf: view.get('width') === 'either' ? 'either' : 1, least: 0};
}

// Hashes of the paths to all nodes: links use them to name stacks.
function hashPaths(profile, tree) {
	const word = profile.words.name.map(colorHash), paths = new Uint32Array(tree.nr);
	for (let i = 1; i < tree.nr; i++)
		paths[i] = Math.imul(paths[tree.parent[i]] ^ word[tree.word[i]], 0x9e3779b1) + 1;
	return paths;
}

export class Subject {
	constructor(profile, look) {
		const {view, words} = profile;
		Object.assign(this, {profile, look, view});
		this.tree = buildTree(profile, {...queryOf(profile, look.peer), names: look.peer ? peerNames(profile) : null});
		this.colors = look.peer ? peerScheme(profile, this.tree) : colorScheme(view.get('color'), profile, false);
		// wick's own colors are classes, so that they can be dark or light.
		this.named = look.peer || words.color !== null;
		this.unit = plainText(view.get('unit') ?? 'samples');
		this.paths = hashPaths(profile, this.tree);
		this.changed = !look.peer && view.has('changed') ?
			new Set(view.get('changed').split(',').map((path) => parseInt(path, 16))) : null;
	}

	rawName(node) {
		return node ? this.profile.words.name[this.tree.word[node]] : 'all';
	}

	// The name of a node, in at most `letters` characters.
	name(node, letters = Infinity) {
		const name = plainText(this.rawName(node));
		return name.length > letters ? plainText(shorten(this.rawName(node), letters)) : name;
	}

	// Is the change of a node not significant?  The writer has determined that.
	isNoise(node) {
		return this.changed !== null && !this.changed.has(this.paths[node]);
	}

	colorOf(node) {
		return this.view.get('color') === 'diff' && this.isNoise(node) ? colorByChange(0) : this.colors.of(this.tree, node);
	}

	// Pictures in the style of other programs truncate names as those do.
	label(node, letters) {
		const name = this.rawName(node), short = (room) => plainText(shorten(name, room));
		if (this.look.peer)
			return this.cut([...plainText(name)], letters);
		const change = this.tree.total.length === 2 ? changeOf(this.tree, node, this.view) : 0;
		if (Math.abs(change) < 0.001 || this.isNoise(node))
			return short(letters);
		const points = formatDelta(change).replace(/\s*pt$/, ' '), sign = letters < CHANGE_LETTERS ? points[0] + THIN : points;
		return sign + short(letters - sign.length);
	}

	cut(name, letters) {
		const keep = Math.max(letters - 2, 0);
		if (name.length < letters + this.look.snug)
			return name.join('');
		return this.look.cut === 'left' ? '..' + name.slice(name.length - keep).join('') : name.slice(0, keep).join('') + '..';
	}

	// The description of a node; zoomed: the node that fills the picture; letters: the limit of the name, so that
	// the numbers after it are visible.
	describe(node, zoomed, letters) {
		return `${this.name(node, letters)} (${this.describeNumbers(node, zoomed)})`;
	}

	// The same for the tooltip: the numbers come first, since a name may be long; not in the style of other
	// programs.
	tip(node, zoomed) {
		return this.look.peer ? this.describe(node, zoomed) : `${this.describeNumbers(node, zoomed)}\n${this.name(node, TIP_LETTERS)}`;
	}

	describeNumbers(node, zoomed) {
		const {tree} = this, text = tree.total.length === 2 ? this.describeChange(node) : this.describeWidth(node);
		const inside = zoomed && node >= zoomed && node < tree.end[zoomed];
		return text + (inside ? `, ${formatShare(tree.width[node] / (tree.width[zoomed] || 1))} of the zoom` : '');
	}

	describeWidth(node) {
		const width = this.tree.width[node], whole = Math.max(this.tree.width[0], +this.view.get('total') || 0);
		return `${formatCount(width * (+this.view.get('factor') || 1), this.unit)}, ${formatShare(width / (whole || 1))}`;
	}

	// In a comparison, both sides are shown, since the width need not be that of either.
	describeChange(node) {
		const {total} = this.tree, change = changeOf(this.tree, node, this.view);
		return total.map(t => formatCount(t[node], this.unit)).join(' → ') + ', '
			+ total.map(t => formatShare(t[node] / (t[0] || 1))).join(' → ') + ', '
			+ formatDelta(change) + (change && this.isNoise(node) ? ', not significant' : '');
	}
}
