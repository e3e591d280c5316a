// Shortens a long name to its most informative part, the function's own name.
// src/render/shorten.c does the same; tests/shorten/cases.tsv tests both.  The rule:
//
// Length is counted in characters (code points).  The first of these texts that has at most `max` of
// them is the result:
//   1. the name;
//   2. the same with every argument list as `(…)`;
//   3. 2 with every template list, and every other < > pair right after a `:` that does not begin with
//      `<impl `, as `<…>`; and other < > pairs as `<A as B>` if they contain ` as ` outside of brackets,
//      else as `<A>` if they contain `::` there: A and B are the last components of their paths, with their
//      template lists as `<…>`;
//   4. 3 without its tail;
//   5. 4 from a later beginning on: of all the beginnings, from left to right, the first that fits;
//   6. the last text of 5 (of 4 if there is no beginning) without argument and template lists,
//      and without blanks at its end;
//   7. if 6 is telling (see below) and has separators outside of brackets: the part before the first one, and `…`;
//   8. the same without the `…`;
//   9. of 8, or of 6 if there is no 8: as many characters of its begin and of its end as fit with `…` between
//      them, one more of the begin if their number is odd.
// max 1 gives `…` and max 0 nothing.  A name longer than READ_MAX goes directly to 9.
//
// Brackets ( ) [ ] { } < > form pairs.  A closing bracket other than `>` first discards all `<` that were opened last
// and not closed: they are not brackets.  Then, if the last open bracket is not its partner, it is an ordinary
// character, as is the `>` of `->`.  `operator` at the begin of a word and the operator after it are one unit of
// ordinary characters.  The operator is `()`, `[]`, a run of <>=!+-*/%^&|~, or a blank and everything up to the next
// `(`.
// An argument list is a ( ) pair that is not inside of brackets other than { }, right after a letter, digit, `_`, `$`,
// a non-ASCII character, a closing bracket, or an operator.  A template list is a < > pair that is not inside of
// brackets other than { }, right after one of these or after an operator and a blank.  Lists of at most one character
// are kept.
// The tail is outside of brackets and operators, and not at the begin of the text.  If there is an argument list that
// is not inside of any brackets, the tail is after the last such list.  It begins at the first of:
//   - a blank, if there is such an argument list; else a blank before one of / [ ( {
//   - a `.` after the last separator other than `.`, before a digit or before a word of SUFFIXES that no letter
//     follows
//   - an `@`
//   - in a text that ends in `:` and digits, a `:` that is not part of `::`
// `JS:*name /file.js:1:2` is a JavaScript function.  It ends in `:` and digits, and begins with its kind: letters, a
// `:` that is not part of `::`, and a mark.  The mark is one of *~^+, with or without a `'` after it, and a blank if the
// function has no name.  The mark may be missing if the first blank is before a `/`.  A JavaScript function has no
// argument lists, and its tail begins at the first blank before a `/` or else at the last blank; without a name, it has
// no tail.
// Separators are, outside of brackets and operators, `::`, `/`, `\`, `!`, `` ` ``, a single `:`, and, if the text has no
// `::` there, a `.` after the last of these.
// Beginnings are the positions after separators.  If there is an argument list as above, the first beginning is after
// the last blank before that list which is not right after an operator; in a JavaScript function, it is after the kind.
// The others follow it.  No beginning is at a digit, at the end, or after the last telling one.  A beginning is telling
// if neither a bracket nor `operator()` follows it.  If none is telling, only that first beginning is left, if there is
// one.

export const TIP_LETTERS = 240; /* of a name in a tooltip */
const ELLIPSIS = '…';
const READ_MAX = 4096;
const SUFFIXES = /^\.(?:\d|(?:isra|constprop|part|cold|lto_priv|llvm|localalias|plt|so)(?![A-Za-z]))/;
const SUFFIX_MAX = 12; // longer than all suffixes
const KIND = /^[a-z]+:(?=.*:\d+$)(?:[*~^+]'? ?|(?=[^ :][^ ]* \/))/is; // of a JavaScript function
const OPERATOR = /operator(?:\(\)|\[\]|[<>=!+\-*/%^&|~,]+| [^(]*)/y;
const PARTNER = {')': '(', ']': '[', '}': '{', '>': '<'};

// By character code: 1 for brackets and the begin of `operator`, which scan() has to parse; 2 for what may separate
// or end a name.
const SPECIAL = new Uint8Array(128);
for (const c of '()[]{}<>o')
	SPECIAL[c.charCodeAt(0)] = 1;
for (const c of ' @.:/\\!`')
	SPECIAL[c.charCodeAt(0)] = 2;

// The number of code points: a pair of surrogates is one.
function lengthOf(text) {
	let nr = text.length;
	if (!/[\ud800-\udbff]/.test(text))
		return nr;
	for (let i = 0; i + 1 < text.length; i++)
		if (text.charCodeAt(i) >>> 10 === 0x36 && text.charCodeAt(i + 1) >>> 10 === 0x37)
			nr--;
	return nr;
}

function isNameChar(c) {
	return c !== undefined && (/[\w$]/.test(c) || c > '\x7f');
}

// The end of the operator at this position, or 0.
function operatorEnd(text, at) {
	if (text[at] !== 'o' || isNameChar(text[at - 1]))
		return 0;
	OPERATOR.lastIndex = at;
	return OPERATOR.test(text) ? OPERATOR.lastIndex : 0;
}

// {groups: the pairs of brackets, plain: places outside of brackets and operators of what may separate or end a name,
// operators: their ends}.
// A group has `around`, the number of brackets around it, and `inside`, those of them that are no { }.
function scan(text) {
	const groups = [], plain = [], operators = new Set(), open = [];
	for (let i = 0; i < text.length; i++) {
		const special = SPECIAL[text.charCodeAt(i)];
		if (special !== 1) {
			if (special && !open.length)
				plain.push(i);
			continue;
		}
		const c = text[i], end = operatorEnd(text, i);
		if (end) {
			operators.add(end);
			i = end - 1;
		} else if ('([{<'.includes(c)) {
			const up = open[open.length - 1];
			open.push({open: i, close: 0, kind: c, around: open.length,
				inside: up ? up.inside + (up.kind !== '{') : 0});
		} else if (c in PARTNER && !(c === '>' && text[i - 1] === '-')) {
			const group = closeGroup(open, c);
			if (group) {
				group.close = i + 1;
				groups.push(group);
			}
		}
	}
	return {groups, plain, operators};
}

// Pops the group that this bracket closes; null: none.
function closeGroup(open, c) {
	while (c !== '>' && open.length && open[open.length - 1].kind === '<')
		open.pop();
	return open.length && open[open.length - 1].kind === PARTNER[c] ? open.pop() : null;
}

function isList(text, {operators}, {open, kind, inside}) {
	const before = text[open - 1];
	if (inside || (kind !== '(' && kind !== '<'))
		return false;
	return isNameChar(before) || (before !== undefined && before in PARTNER) || operators.has(open) ||
		(kind === '<' && before === ' ' && operators.has(open - 1));
}

// The text with each of these groups replaced; they are not inside each other.
function replaceGroups(text, groups, replace) {
	let out = '', at = 0;
	for (const group of groups.sort((a, b) => a.open - b.open)) {
		if (group.open < at)
			continue;
		out += text.slice(at, group.open) + replace(text.slice(group.open, group.close), group);
		at = group.close;
	}
	return out + text.slice(at);
}

// `(…)` for a list, unless that saves nothing.
function dots(list) {
	return lengthOf(list) <= 3 ? list : list[0] + ELLIPSIS + list[list.length - 1];
}

function foldArguments(text) {
	if (!text.includes('('))
		return text;
	const scanned = scan(text);
	const lists = scanned.groups.filter(g => g.kind === '(' && isList(text, scanned, g));
	return replaceGroups(text, lists, dots);
}

function foldTemplates(text) {
	if (!text.includes('<'))
		return text;
	const scanned = scan(text);
	const pairs = scanned.groups.filter(g => g.kind === '<' && !g.inside);
	return replaceGroups(text, pairs, (list, g) => isList(text, scanned, g) ||
		text[g.open - 1] === ':' && !list.startsWith('<impl ') ? dots(list) : foldPaths(list));
}

const placeOf = (word, text, plain) => plain.find(i => text.startsWith(word, i));

// `<alloc::vec::Vec<u8> as core::iter::Iterator>` is `<Vec<…> as Iterator>`, `<alloc::string::String>` is `<String>`.
function foldPaths(list) {
	const inner = list.slice(1, -1), {plain} = scan(inner);
	const as = placeOf(' as ', inner, plain);
	if (as === undefined)
		return placeOf('::', inner, plain) === undefined ? list : `<${lastComponent(inner)}>`;
	return `<${lastComponent(inner.slice(0, as))} as ${lastComponent(inner.slice(as + 4))}>`;
}

function lastComponent(path) {
	const text = foldTemplates(path);
	const at = scan(text).plain.findLast(i => text.startsWith('::', i));
	return at === undefined ? text : text.slice(at + 2);
}

// The last argument list that is not inside of other brackets.
function lastArguments(text, scanned) {
	return scanned.groups.findLast(g => g.kind === '(' && !g.around && isList(text, scanned, g));
}

// The begin of the tail, or the end of the text.
function tailOf(text, plain, list, kind) {
	if (kind)
		return text[kind - 1] === ' ' ? text.length : kind + text.slice(kind).search(/ \/| [^ ]*$|$/);
	const numbered = /:\d+$/.test(text), dotsFrom = dotsBegin(text, plain);
	const isTail = i => {
		switch (text[i]) {
		case ' ': return list || '/[({'.includes(text[i + 1] ?? 'x');
		case '@': return true;
		case '.': return i >= dotsFrom && SUFFIXES.test(text.slice(i, i + SUFFIX_MAX));
		case ':': return numbered && text[i - 1] !== ':' && text[i + 1] !== ':';
		default: return false;
		}
	};
	return plain.find(i => i > 0 && (!list || i >= list.close) && isTail(i)) ?? text.length;
}

// A `.` before this position is not a separator, since another separator follows it.
function dotsBegin(text, plain) {
	return plain.findLast(i => ':/\\!`'.includes(text[i])) ?? 0;
}

// The separators as {at, size}, from left to right.
function separatorsOf(text, plain) {
	const dotsFrom = placeOf('::', text, plain) === undefined ? dotsBegin(text, plain) : Infinity;
	const sizeAt = i => {
		switch (text[i]) {
		case ':': return text[i + 1] === ':' ? 2 : 1;
		case '/': case '\\': case '!': case '`': return 1;
		case '.': return i < dotsFrom ? 0 : 1;
		default: return 0;
		}
	};
	const out = [];
	let end = 0;
	for (const at of plain) {
		const size = at < end ? 0 : sizeAt(at);
		if (size)
			out.push({at, size});
		end = Math.max(end, at + size);
	}
	return out;
}

function isTelling(text, at) {
	return !'([{<'.includes(text[at]) && !text.startsWith('operator()', at);
}

// The positions at which a shorter text may begin, from left to right.
function beginningsOf(text, {plain, operators}, list, kind) {
	const blank = list && plain.findLast(i => i < list.open && text[i] === ' ' && !operators.has(i));
	const first = blank === undefined ? kind : blank + 1;
	const out = separatorsOf(text, plain).filter(({at}) => at >= first).map(({at, size}) => at + size)
		.filter(at => at < text.length && !/\d/.test(text[at]));
	out.length = out.findLastIndex(at => isTelling(text, at)) + 1;
	return first ? [first, ...out] : out;
}

function withoutLists(text) {
	const scanned = scan(text);
	const out = replaceGroups(text, scanned.groups.filter(g => isList(text, scanned, g)), () => '');
	let end = out.length;
	while (end > 0 && out[end - 1] === ' ')
		end--;
	return out.slice(0, end);
}

export function cutMiddle(text, max) {
	const chars = Array.from(text), keep = max - 1, back = Math.floor(keep / 2);
	if (chars.length <= max)
		return text;
	return chars.slice(0, keep - back).join('') + ELLIPSIS + chars.slice(chars.length - back).join('');
}

// The rest of the rule, from 4 on.
function dropOuter(text, max) {
	const scanned = scan(text), kind = KIND.exec(text)?.[0].length ?? 0, list = kind ? undefined : lastArguments(text, scanned);
	const head = text.slice(0, tailOf(text, scanned.plain, list, kind));
	if (lengthOf(head) <= max)
		return head;
	const inHead = {...scanned, plain: scanned.plain.filter(i => i < head.length)};
	const beginnings = beginningsOf(head, inHead, list, kind);
	let nr = lengthOf(head), before = 0;
	for (const at of beginnings) {
		nr -= lengthOf(head.slice(before, at));
		before = at;
		if (nr <= max)
			return head.slice(at);
	}
	return cutName(withoutLists(head.slice(before)), max);
}

// The rest of the rule, from 6 on.
function cutName(own, max) {
	if (lengthOf(own) <= max)
		return own;
	const [first] = separatorsOf(own, scan(own).plain);
	if (!first || !first.at || !isTelling(own, 0))
		return cutMiddle(own, max);
	const name = own.slice(0, first.at), nr = lengthOf(name);
	return nr < max ? name + ELLIPSIS : cutMiddle(name, max);
}

export function shorten(name, max) {
	if (name.length <= max)
		return name;
	if (max < 2)
		return max < 1 ? '' : lengthOf(name) <= 1 ? name : ELLIPSIS;
	if (name.length > READ_MAX)
		return cutMiddle(name, max);
	let text = name;
	for (const step of [t => t, foldArguments, foldTemplates]) {
		text = step(text);
		if (lengthOf(text) <= max)
			return text;
	}
	return dropOuter(text, max);
}
