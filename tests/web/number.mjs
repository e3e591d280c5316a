// Numbers in the page: the cases that src/render/number.c is held to as well.
import {readFileSync} from 'node:fs';
import {formatCount, formatDelta, formatShare} from '../../web/format.js';

let nr = 0;
const formats = {count: formatCount, share: formatShare, change: formatDelta};

for (const line of readFileSync(new URL('../number/cases.tsv', import.meta.url), 'utf8').split('\n')) {
	if (!line || line.startsWith('#'))
		continue;
	const [what, number, unit, wanted] = line.split('\t');
	console.log(`${formats[what](Number(number), unit) === wanted ? 'ok' : 'not ok'} ${++nr} - ${line.replaceAll('\t', ' ')}`);
}
console.log(`1..${nr}`);
