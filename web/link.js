// The state of the page as the fragment (after #) of its URL.  A zoom is the call chain of names, each as four
// letters: so it finds the frame, or its nearest caller, in another recording of the same program, too. A dot
// precedes the first sample of a box of a flame chart, a tilde the visible part of the frame's width:
// `AbcdEfgh.1f~0.25~0.5`.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LETTERS = 4;

export function linkName(name) {
	let h = 0x811c9dc5;
	for (let i = 0; i < name.length; i++)
		h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
	h ^= h >>> 15;
	let text = '';
	for (let i = 0; i < LETTERS; i++)
		text += DIGITS[h >>> 6 * i & 63];
	return text;
}

export const linkPath = (names) => names.map(linkName).join('');

// The nodes with the path of a link, or else with its longest prefix that exists; [0]: none.  In a flame chart, a
// path may exist many times.
function followPath(tree, names, text) {
	const links = [];
	let found = [0];
	for (let at = 0; at + LETTERS <= text.length; at += LETTERS) {
		const want = text.slice(at, at + LETTERS), next = [];
		for (const node of found)
			for (let child = node + 1; child < tree.end[node]; child = tree.end[child])
				if ((links[tree.word[child]] ??= linkName(names(tree.word[child]))) === want)
					next.push(child);
		if (!next.length)
			break;
		found = next;
	}
	return found;
}

// first: the first sample of a box of a flame chart.
export function writeZoom(names, first, part) {
	return linkPath(names) + (first === undefined ? '' : '.' + first.toString(36)) + (part ? '~' + part.join('~') : '');
}

export const isFree = (zoom) => zoom.includes('~');

// The node of a zoom, and the part of its width, or null.
export function followZoom(tree, names, text) {
	const [, path, sample, ...ends] = /^([\w-]*)(?:\.(\w+))?(?:~([\d.]+)~([\d.]+))?$/.exec(text) ?? ['', ''];
	const found = followPath(tree, names, path), [from, to] = ends.map(Number);
	// In a flame chart, the box that begins nearest to the sample.
	const distance = (node) => Math.abs(tree.first?.[node] - parseInt(sample ?? '', 36));
	const node = found.reduce((best, other) => distance(other) < distance(best) ? other : best);
	// The part is dropped if only a caller of the frame was found.
	return {node, part: from < to && to <= 1 && tree.depth[node] * LETTERS === path.length ? [from, to] : null};
}

// The fields of a link, in this order; a field with its default value is left out.  Texts and numbers are as they
// are, flags are 1, lists are joined by commas.
const FIELDS = {
	view: 'text', event: 'text', zoom: 'text', pivot: 'text', search: 'text', color: 'text', order: 'text',
	width: 'text', roots: 'text', flip: 'flag', threads: 'list', range: 'range', range2: 'range', transforms: 'steps',
};

const writers = {
	text: (x) => encodeURIComponent(x),
	flag: () => '1',
	list: (x) => x.map(encodeURIComponent).join(','),
	range: (x) => x.join('-'),
	steps: (x) => x.map(({op, text}) => op + ':' + encodeURIComponent(text)).join(','),
};

// An empty text is an empty list: no thread at all.
const partsOf = (s) => s ? s.split(',') : [];

const readers = {
	text: (s) => decodeURIComponent(s),
	flag: (s) => s === '1',
	list: (s) => partsOf(s).map(decodeURIComponent),
	range: (s) => {
		// Both ends are numbers as JavaScript writes them: `-1e-7-2.5`.
		const [, from, to] = /^(.+?)(?<!e)-(.+)$/.exec(s)?.map(Number) ?? [];
		return from < to ? [from, to] : null;
	},
	steps: (s) => partsOf(s).map((step) => {
		const [op, text = ''] = step.split(':');
		return {op, text: decodeURIComponent(text)};
	}),
};

// A flag that is off, but on by default, is written as 0.
export function writeLink(state, usual) {
	const parts = [];
	for (const [key, type] of Object.entries(FIELDS)) {
		const value = state[key];
		if (JSON.stringify(value) === JSON.stringify(usual[key]))
			continue;
		parts.push(key + '=' + (type === 'flag' && !value ? '0' : writers[type](value)));
	}
	return parts.join('&');
}

// Links are untrusted: invalid fields keep their default values.
export function readLink(text, usual) {
	const state = {...usual};
	for (const part of text.replace(/^#/, '').split('&')) {
		const at = part.indexOf('='), key = part.slice(0, at), type = Object.hasOwn(FIELDS, key) && FIELDS[key];
		if (at < 0 || !type)
			continue;
		try {
			state[key] = readers[type](part.slice(at + 1));
		} catch {
			state[key] = usual[key];
		}
	}
	return state;
}
