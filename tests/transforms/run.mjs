// The cases here, done by the page: the pack that $WICK writes of the input, the operations as transforms
// of a query, and the tree as folded lines.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, existsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readPack} from '../../web/profile.js';
import {parseSearch} from '../../web/search.js';
import {buildTree} from '../../web/tree.js';
import {queryOf, sortedLines} from '../web/fold.mjs';
import {done, is} from '../web/tap.mjs';

const here = new URL('.', import.meta.url).pathname;
const SECOND = 1e9;

// Adds an operation to a query.
const OPERATIONS = {
	recursion: query => query.transforms.push({op: 'recursion'}),
	module: (query, name) => query.transforms.push({op: 'module', module: name}),
	reverse: query => Object.assign(query, {reverse: true, least: 0}),
	thread: (query, wanted, {threads}) => {
		query.threads ??= new Uint8Array(threads.length);
		threads.forEach((t, i) => {
			if (i && [t.comm, String(t.pid), String(t.tid)].includes(wanted))
				query.threads[i] = 1;
		});
	},
	range: (query, text) => {
		const [begin, end] = text.split('..');
		query.range = [Number(begin) * SECOND, end ? Number(end) * SECOND : Infinity];
	},
};
for (const op of ['focus', 'ignore', 'hide', 'root'])
	OPERATIONS[op] = (query, text) => query.transforms.push({op, test: parseSearch(`/${text}/`).test});

async function fold(folder, source) {
	const pack = join(scratch, 'x.wick');
	execFileSync(process.env.WICK ?? 'build/wick', ['flame', '-q', '--sort', 'time', '-o', pack, source]);
	const profile = await readPack(readFileSync(pack));
	const query = queryOf(profile);
	for (const line of readFileSync(join(folder, 'ops'), 'utf8').split('\n').filter(Boolean)) {
		const blank = line.indexOf(' ');
		const [op, value] = blank < 0 ? [line, ''] : [line.slice(0, blank), line.slice(blank + 1)];
		OPERATIONS[op](query, value, profile);
	}
	return sortedLines(profile, buildTree(profile, query)).map(line => `${line}\n`).join('');
}

const scratch = mkdtempSync(join(tmpdir(), 'wick-'));
try {
	for (const name of readdirSync(here).filter(n => existsSync(join(here, n, 'ops')))) {
		const folder = join(here, name);
		const [source] = readdirSync(folder).filter(f => f.startsWith('in.'));
		is(await fold(folder, join(folder, source)), readFileSync(join(folder, 'want.out'), 'utf8'), `${name} (page)`);
	}
} finally {
	rmSync(scratch, {recursive: true});
}
done();
