// Searching names: smart case, plain text or a regular expression, never for long.
import {compileTest} from './pattern.js';

const MATCH_MS = 200;

function plainTest(text, ignoreCase) {
	if (!ignoreCase)
		return name => name.includes(text);
	const wanted = text.toLowerCase();
	return name => name.toLowerCase().includes(wanted);
}

// A `\` before a letter is no capital of the person who searches: \S, \W.
function hasUpperCase(text) {
	const letters = text.replace(/\\./g, '');
	return letters !== letters.toLowerCase();
}

// Text typed into a search box: {text, test(name), error, regex}.  `/x/` is always a regular expression,
// other text when it has characters that mean something in one.  A wrong one is told and taken as text.
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

// By word, 1 where the search matches.  One that takes too long is cut short, and search.error tells.
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

// The width of all that matches; what is below a match is part of it already.
export function matchTotal(tree, hits, column = tree.width) {
	let sum = 0;
	for (let i = 0; i < tree.nr;) {
		const hit = isHit(tree, hits, i);
		sum += hit ? column[i] : 0;
		i = hit ? tree.end[i] : i + 1;
	}
	return sum;
}

// The nodes that match, as they are shown: from left to right, callers first.
export function* matchNodes(tree, hits) {
	for (let i = 1; i < tree.nr; i++)
		if (isHit(tree, hits, i))
			yield i;
}
