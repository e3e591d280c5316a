// web/shorten.js against the cases that the C code passes as well.
import {readFileSync} from 'node:fs';
import {shorten} from '../../web/shorten.js';
import {done, is, ok} from './tap.mjs';

const cases = readFileSync(new URL('../shorten/cases.tsv', import.meta.url), 'utf8').split('\n')
	.filter(line => line && !line.startsWith('#')).map(line => line.split('\t'));
ok(cases.length > 300, 'there are cases');
for (const [name, max, want] of cases)
	is(shorten(name, Number(max)), want, `${name.slice(0, 80)} in ${max}`);

// Whatever it is, the result fits, and what fits stays.
const PIECES = ['std::', 'a', 'foo', '<', '>', '(', ')', '{', '}', '[', ']', ' ', '.', '/', '::', ':', 'operator',
	'operator()', '->', 'é', '😀', ' as ', ', ', '1', '@', '`', 'JS:*', '~', "'"];
let seed = 1;
const random = n => (seed = Math.imul(seed, 1103515245) + 12345 >>> 0) % 65536 % n;
let bad = null;
for (let i = 0; i < 20000 && !bad; i++) {
	const name = Array.from({length: random(12)}, () => PIECES[random(PIECES.length)]).join('');
	const max = random(30), nr = Array.from(name).length, got = shorten(name, max);
	if (nr <= max ? got !== name : Array.from(got).length > max || (max > 0 && got === ''))
		bad = [name, max, got];
}
is(bad, null, 'random names fit, and are never empty');

// A long name of brackets must not take long: this would be minutes if it were quadratic.
for (const piece of ['(', '<', '([<)', 'a::', 'a<b>::', '>)', 'operator<', ' '])
	ok(shorten(piece.repeat(20000), 20).length <= 20, `many ${piece}`);
done();
