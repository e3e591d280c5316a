// Searching names: smart case, plain text or a regular expression, never for long.

const MATCH_MS = 200;

// The time of many repetitions grows with a power of the length of the name.
const REPETITIONS_MAX = 4;
// Past this, a name is searched by its beginning when there are several repetitions.
const LONG_NAME = 400;

// Parts of a pattern: an escaped character, a class, a quantifier, or one character.
const PART = /\\.|\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[^]/g;

// How many repetitions a pattern has, and whether a group repeats that can match one text in several ways,
// as `(a+)+` or `(a|ab)*`: its time doubles with every character.
function studyPattern(source) {
	const open = [{varies: false, first: []}];
	let repetitions = 0, explodes = false, closed = null, begins = true;
	for (const [part] of source.matchAll(PART)) {
		const group = open[open.length - 1], isQuantifier = /^(?:[*+?]|\{\d)/.test(part);
		if (begins && (part === '|' || part === ')'))
			group.first.push('');
		if (isQuantifier) {
			const repeats = part[0] !== '?' && !/^\{\d+\}/.test(part);
			repetitions += repeats;
			explodes ||= repeats && closed !== null && (closed.varies || isAmbiguous(closed.first));
			group.varies = true;
		} else if (part[0] === '(') {
			open.push({varies: false, first: []});
		} else if (part === ')' && open.length > 1) {
			closed = open.pop();
			open[open.length - 1].varies ||= closed.varies || isAmbiguous(closed.first);
		} else if (begins && part !== '|') {
			group.first.push(part);
		}
		begins = part === '|' || part[0] === '(';
		closed = part === ')' ? closed : null;
	}
	return {repetitions, explodes};
}

// Alternatives are told apart by their first characters, if these are plain and differ.
function isAmbiguous(first) {
	return first.length > 1 && (new Set(first.map(f => f.toLowerCase())).size < first.length ||
		!first.every(f => /^[\w:~]$/.test(f)));
}

function plainTest(text, ignoreCase) {
	if (!ignoreCase)
		return name => name.includes(text);
	const wanted = text.toLowerCase();
	return name => name.toLowerCase().includes(wanted);
}

function regexTest(source, ignoreCase) {
	const regex = new RegExp(source, ignoreCase ? 'iu' : 'u');
	const several = studyPattern(source).repetitions > 1;
	return name => regex.test(several && name.length > LONG_NAME ? name.slice(0, LONG_NAME) : name);
}

// A `\` before a letter is no capital of the person who searches: \S, \W.
function hasUpperCase(text) {
	const letters = text.replace(/\\./g, '');
	return letters !== letters.toLowerCase();
}

// What is wrong with a pattern, or null.
function patternError(source) {
	const {repetitions, explodes} = studyPattern(source);
	if (explodes)
		return 'a group that repeats can match in several ways: that takes too long';
	if (repetitions > REPETITIONS_MAX)
		return 'too many repetitions: that takes too long';
	try {
		new RegExp(source, 'u');
	} catch (e) {
		return e.message.replace(/^.*: /, '').toLowerCase();
	}
	return null;
}

// Text typed into a search box: {text, test(name), error, regex}.  `/x/` is always a regular expression,
// other text when it has characters that mean something in one.  A wrong one is told and taken as text.
export function parseSearch(text) {
	const slashed = /^\/(.+)\/$/.exec(text);
	const source = slashed ? slashed[1] : text;
	const ignoreCase = !hasUpperCase(source);
	const isRegex = slashed !== null || /[\\^$.*+?()[\]{}|]/.test(text);
	const error = isRegex ? patternError(source) : null;
	if (!text)
		return {text, test: () => false, error: null, regex: false};
	if (!isRegex || error)
		return {text, test: plainTest(text, ignoreCase), error, regex: false};
	return {text, test: regexTest(source, ignoreCase), error: null, regex: true};
}

// By word, 1 where the search matches.  One that takes too long is cut short, and search.error tells.
export function matchWords(profile, search, now = () => performance.now()) {
	const {name} = profile.words, hits = new Uint8Array(name.length), begin = now();
	for (let w = 0; w < name.length; w++) {
		if (search.test(name[w]))
			hits[w] = 1;
		if (now() - begin >= MATCH_MS) {
			search.error = `it took too long: ${w + 1} of ${name.length} names were searched`;
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
