// web/search.js and web/format.js.
import {formatCount, formatDelta, formatNumber, formatShare} from '../../web/format.js';
import {matchNodes, matchTotal, matchWords, parseSearch} from '../../web/search.js';
import {buildTree} from '../../web/tree.js';
import {queryOf, readFolded} from './fold.mjs';
import {done, is, ok} from './tap.mjs';

const found = (text, ...names) => names.filter(parseSearch(text).test);
is(found('mem', 'memcpy', 'MemCpy', 'other'), ['memcpy', 'MemCpy'], 'small letters find any');
is(found('Mem', 'memcpy', 'MemCpy'), ['MemCpy'], 'a capital finds capitals');
is(found('^mem', 'memcpy', 'a_mem'), ['memcpy'], 'a regular expression');
is(found('/mem/', 'memcpy', 'Mem'), ['memcpy', 'Mem'], 'between slashes');
is(found('\\Wb', 'a::b', 'A::B', 'ab'), ['a::b', 'A::B'], '\\W is no capital');
is(found('a|c', 'a', 'b', 'C'), ['a', 'C'], 'one or the other');
is(found('', 'a', ''), [], 'nothing finds nothing');
is(found('größe', 'GRÖSSE', 'Größe'), ['Größe'], 'letters that are not ASCII');
is(found('vector<int>', 'std::vector<int>', 'vector'), ['std::vector<int>'], 'angles mean nothing');
const broken = parseSearch('foo(');
ok(broken.error && !broken.regex, 'reports an invalid pattern');
is(['foo(int)', 'foo'].filter(broken.test), ['foo(int)'], 'and taken as text');
is(found('{{closure}}', 'a::{{closure}}', 'b'), ['a::{{closure}}'], 'brackets that mean themselves');
is(['(?=a)b', '(a)\\1', '(?<!a)b'].map(t => /not supported/.test(parseSearch(t).error)), [true, true, true], 'reports unsupported patterns');
ok(/too long/.test(parseSearch('((a{99}){99}){99}').error), 'a pattern with too many states');

// Patterns that would take for ever by trying: these would not come back
for (const slow of ['(a+)+$', '(a*)*b', '(.*)*x', '(a{2,})+b', '((a+)b?)+c', '(a|a)*b', '(a|ab|b)*c', '(?:a?a?)*b', '(a|)+b',
	'([a-z]+)*1', `${'a?'.repeat(40)}${'a'.repeat(40)}b`, `${'(a|a)'.repeat(40)}b`, 'a*a*a*a*a*a*b', '.*.*.*.*.*x'])
	is([parseSearch(slow).test(`${'a'.repeat(3000)}!`), parseSearch(slow).error], [false, null], `${slow} does not hang`);

// All ways at once find what the browser finds
const PIECES = ['a', 'b', '.', 'a', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '(a|b)', '(?:ab)', '(a|)', '\\.', 'é'];
const QUANTIFIERS = ['', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '+?'];
let seed = 5;
const random = n => (seed = Math.imul(seed, 1103515245) + 12345 >>> 0) / 65536 % n | 0;
const pick = list => list[random(list.length)];
const piece = () => {
	const p = random(6) ? pick(PIECES) : `(${piece()}${pick(['', '|'])}${piece()})`;
	return p + (/^(\^|\$|\\b)$/.test(p) ? '' : pick(QUANTIFIERS));
};
const wrong = [];
for (let i = 0; i < 4000; i++) {
	const source = Array.from({length: 1 + random(4)}, piece).join(pick(['', '', '|']));
	const name = Array.from({length: random(7)}, () => pick(['a', 'b', 'B', '.', ' ', 'é', '😀'])).join('');
	if (parseSearch(`/${source}/`).test(name) !== new RegExp(source, 'iu').test(name))
		wrong.push([source, name]);
}
is(wrong, [], 'random patterns');

const profile = await readFolded('a;b;a;c 1\na;d 2\ne;b 4\ne 8');
const tree = buildTree(profile, queryOf(profile));
const hits = text => matchWords(profile, parseSearch(text));
is(matchTotal(tree, hits('a')), 3, 'what is below a match is counted once');
is(matchTotal(tree, hits('b|c')), 5, 'matches side by side add up');
is(matchTotal(tree, hits('.')), 15, 'everything');
is(matchTotal(tree, hits('zzz')), 0, 'no match');
is([...matchNodes(tree, hits('a'))].map(i => tree.depth[i]), [1, 3], 'nodes that match, callers first');
let clock = 0;
const slow = parseSearch('.');
const large = {words: {name: Array(1000).fill('a')}};
is(matchWords(large, slow, () => clock += 150).lastIndexOf(1), 127, 'a search that takes too long is cut short');
ok(/too long: searched only 128 of 1000 names/.test(slow.error), 'reports a search that takes too long');

const plain = text => text.replaceAll('\u00a0', ' ').replaceAll('\u2212', '-');
const formats = (f, ...rows) => rows.forEach(([args, want]) => is(plain(f(...[args].flat())), want, `${f.name} ${args}`));
formats(formatNumber, [0, '0'], [999, '999'], [1234567, '1,234,567'], [-1234, '-1,234'], [[-0.001, 2], '0.00'], [[1234.5, 1], '1,234.5']);
formats(formatCount, [[1234, 'samples'], '1,234 samples'], [[1, 'samples'], '1 sample'], [[12.5, ''], '12.50'], [[5, 'faults'], '5 faults'],
	[[1500, 'ns'], '1.50 µs'], [[999, 'ns'], '999 ns'], [[2.5e9, 'ns'], '2.50 s'], [[123456789, 'ns'], '123 ms'], [[0, 'ns'], '0 ns'],
	[[2048, 'bytes'], '2 KiB'], [[1536 * 1024, 'bytes'], '1.50 MiB'], [[-5e6, 'ns'], '-5 ms'], [[3600e9, 'ns'], '3,600 s']);
formats(formatShare, [0, '0 %'], [1, '100 %'], [0.123, '12.3 %'], [0.00123, '0.12 %'], [0.00001, '< 0.01 %'], [0.5, '50.0 %'], [0.9999, '100 %']);
formats(formatDelta, [0.021, '+2.1 pt'], [-0.0213, '-2.1 pt'], [0, '±0 pt'], [0.0012, '+0.12 pt'], [-0.00001, '±0 pt'], [1, '+100.0 pt']);
done();
