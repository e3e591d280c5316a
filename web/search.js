// Searching names: smart case, plain text or a regular expression, with a time limit.
import {compileTest} from './pattern.js';

const MATCH_MS = 200;

function plainTest(text, ignoreCase) {
	if (!ignoreCase)
		return name => name.includes(text);
	const wanted = text.toLowerCase();
	return name => name.toLowerCase().includes(wanted);
}

// Escapes such as \S and \W do not count as upper case.
function hasUpperCase(text) {
	const letters = text.replace(/\\./g, '');
	return letters !== letters.toLowerCase();
}

// Parses a search: {text, test(name), error, regex}.  `/x/` is always a regular expression, other text if it has
// special characters.  An invalid one is reported and taken as plain text.
export function parseSearch(text) {
	const slashed = /^\/(.+)\/$/s.exec(text);
	const source = slashed ? slashed[1] : text;
	const ignoreCase = !hasUpperCase(source);
	const search = {text, test: plainTest(text, ignoreCase), error: null, regex: false};
	if (!text)
		search.test = () => false;
	if (!slashed && !/[\\^$.*+?()[\]{}|]/.test(text))
		return search;
	try {
		return {...search, test: compileTest(source, ignoreCase), regex: true};
	} catch (e) {
		return {...search, error: e.message.replace(/^Invalid regular expression: .*: /s, '').toLowerCase()};
	}
}

// By word, 1 if the search matches.  A search that takes too long is stopped, and search.error says so.
export function matchWords(profile, search, now = () => performance.now()) {
	const {name} = profile.words, hits = new Uint8Array(name.length), begin = now();
	for (let w = 0; w < name.length; w++) {
		if (search.test(name[w]))
			hits[w] = 1;
		if (search.regex && w % 64 === 63 && now() - begin >= MATCH_MS) {
			search.error = `search took too long: searched only ${w + 1} of ${name.length} names`;
			break;
		}
	}
	return hits;
}

function isHit(tree, hits, node) {
	return node > 0 && hits[tree.word[node]] === 1;
}

// The width of all matches; nodes below a match are part of it.
export function matchTotal(tree, hits, column = tree.width) {
	let sum = 0;
	for (let i = 0; i < tree.nr;) {
		const hit = isHit(tree, hits, i);
		sum += hit ? column[i] : 0;
		i = hit ? tree.end[i] : i + 1;
	}
	return sum;
}

// The matching nodes in the order of the picture: from left to right, callers first.
export function* matchNodes(tree, hits) {
	for (let i = 1; i < tree.nr; i++)
		if (isHit(tree, hits, i))
			yield i;
}
