// Regular expressions in linear time.  The browser's own backtrack, which takes exponential time for some patterns
// (`(a+)+b`).  Here, a nondeterministic automaton follows all alternatives at once; it only finds whether there is a
// match.

const PROGRAM_MAX = 5000; // states; `(x{99}){99}` has more

// The tokens of a pattern, which the browser has validated before.
const TOKEN = new RegExp([
	'\\\\(?:u\\{[0-9a-f]+\\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\\{[^}]*\\}|.)', // escaped
	'\\[(?:\\\\.|[^\\]\\\\])*\\]', // a class
	'(?:[*+?]|\\{\\d+(?:,\\d*)?\\})\\??', // a quantifier
	'\\((?:\\?(?:[:=!]|<[=!]|<\\w+>))?', // the begin of a group
	'.',
].join('|'), 'gisu');

// A tree of the pattern: {all: [...]} one after the other, {any: [...]} one of them, {repeat, least, most},
// {char: source} or {assert: '^' | '$' | 'b' | 'B'}.
function parsePattern(source) {
	const tokens = source.match(TOKEN) ?? [];
	let at = 0;
	const parseAny = () => {
		const any = [parseAll()];
		while (tokens[at] === '|') {
			at++;
			any.push(parseAll());
		}
		return any.length === 1 ? any[0] : {any};
	};
	const parseAll = () => {
		const all = [];
		while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
			let part = parseOne(tokens[at++]);
			if (/^(?:[*+?]|\{\d)/.test(tokens[at] ?? ''))
				part = {repeat: part, ...bounds(tokens[at++])};
			all.push(part);
		}
		return {all};
	};
	const parseOne = token => {
		if (/^\((?:\?<?[=!])/.test(token) || /^\\[1-9k]/.test(token))
			throw new Error('lookaround and backreferences are not supported');
		if (token[0] === '(') {
			const group = parseAny();
			at++;
			return group;
		}
		return /^(?:[$^]|\\[bB])$/.test(token) ? {assert: token.at(-1)} : {char: token};
	};
	return parseAny();
}

function bounds(quantifier) {
	const simple = {'*': [0, Infinity], '+': [1, Infinity], '?': [0, 1]}[quantifier[0]];
	const [, least, comma, most] = simple ? [] : /\{(\d+)(,?)(\d*)/.exec(quantifier);
	return simple ? {least: simple[0], most: simple[1]}
		: {least: Number(least), most: Number(most || (comma ? Infinity : least))};
}

// The number of choices in a pattern: repeated characters and alternatives.  Infinity if more than a character is
// repeated, since the browser's time may then double with each character of the text.
function countChoices({repeat, all, any}) {
	if (repeat)
		return repeat.char ? 1 : Infinity;
	return (all ?? any ?? []).reduce((sum, part) => sum + countChoices(part), any ? 1 : 0);
}

// A state is {test, next} for a character, {split: [...]} for alternatives, {assert, next}, or {end}.
function compilePattern(tree, flags) {
	const states = [];
	const add = state => {
		if (states.length >= PROGRAM_MAX)
			throw new Error('pattern too long');
		return states.push(state) - 1;
	};
	// Returns the first state of a part, given the state that follows it.
	const emit = (part, next) => {
		if (part.all)
			return part.all.reduceRight((behind, p) => emit(p, behind), next);
		if (part.any)
			return add({split: part.any.map(p => emit(p, next))});
		if (part.repeat)
			return emitRepeat(part, next);
		return part.assert ? add({assert: part.assert, next}) : add({test: charTest(part.char, flags), next});
	};
	const emitRepeat = ({repeat, least, most}, next) => {
		let behind = next;
		if (most === Infinity) {
			const loop = add({split: [next]});
			states[loop].split.unshift(emit(repeat, loop));
			behind = loop;
		} else {
			for (let i = least; i < most; i++)
				behind = add({split: [emit(repeat, behind), next]});
		}
		for (let i = 0; i < least; i++)
			behind = emit(repeat, behind);
		return behind;
	};
	const end = add({end: true});
	return {states, begin: emit(tree, end), reach: []};
}

// Tests one character; results for ASCII are cached.
function charTest(source, flags) {
	const own = /^[{}\]]$/.test(source) ? '\\' + source : source;
	const regex = new RegExp(`^${own}$`, flags);
	const known = new Uint8Array(128); // 1: no, 2: yes
	return c => {
		const code = c.charCodeAt(0);
		if (code > 127)
			return regex.test(c);
		known[code] ||= 1 + regex.test(c);
		return known[code] === 2;
	};
}

const isWordChar = c => c !== undefined && /\w/.test(c);

function assertHolds(kind, before, after) {
	switch (kind) {
	case '^': return before === undefined;
	case '$': return after === undefined;
	default: return (isWordChar(before) !== isWordChar(after)) === (kind === 'b');
	}
}

// The states that can be reached without consuming a character: those that test a character or an assertion, or the
// end.
function reachOf(states, from) {
	const out = [], seen = new Set(), pending = [from];
	while (pending.length) {
		const s = pending.pop();
		if (seen.has(s))
			continue;
		seen.add(s);
		if (states[s].split)
			pending.push(...states[s].split);
		else
			out.push(s);
	}
	return out;
}

// Runs the automaton over the characters of a text.
function runPattern({states, begin, reach}, text) {
	const chars = Array.from(text), seen = new Int32Array(states.length).fill(-1);
	let now = [], next = [], matched = false;
	const enter = (list, from, at) => {
		for (const s of reach[from] ??= reachOf(states, from)) {
			const state = states[s];
			if (seen[s] === at)
				continue;
			seen[s] = at;
			if (state.test)
				list.push(state);
			else if (state.end)
				matched = true;
			else if (assertHolds(state.assert, chars[at - 1], chars[at]))
				enter(list, state.next, at);
		}
	};
	for (let at = 0; !matched; at++) {
		enter(now, begin, at);
		if (at === chars.length)
			break;
		for (const state of now)
			if (state.test(chars[at]))
				enter(next, state.next, at + 1);
		[now, next] = [next, now];
		next.length = 0;
	}
	return matched;
}

const STEPS_MAX = 2e6; // limit of the browser's steps for one name

// A test of names by a pattern; throws an Error if the pattern is invalid.
export function compileTest(source, ignoreCase) {
	let flags = ignoreCase ? 'iu' : 'u', regex;
	try {
		regex = new RegExp(source, flags);
	} catch {
		// Without `u`, brackets may be literal: {{closure}}
		flags = ignoreCase ? 'i' : '';
		regex = new RegExp(source, flags);
	}
	const tree = parsePattern(source), program = compilePattern(tree, flags);
	// Each choice may have any length, and start at any position.
	const longest = STEPS_MAX ** (1 / (countChoices(tree) + 1));
	return name => name.length <= longest ? regex.test(name) : runPattern(program, name);
}
