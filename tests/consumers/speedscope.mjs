// speedscope in Chromium opens what wick writes, and what `wick serve --ui speedscope` hands to it: TAP.
//
// node speedscope.mjs FOLDED SERVED FILE…: all show the functions of these folded stacks, but for files of the profile of
// full.py, which are called full.*.  speedscope's page comes from npm's package, but at the address that people open: wick's
// server must let exactly that site fetch the profile.
import {createRequire} from 'node:module';
import {execFileSync, spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {findChromium, PATIENCE} from '../browser/harness.mjs';
import {frame, frames} from '../browser/viewer.mjs';

const require = createRequire(path.join(process.env.MODULES, 'package.json'));
const {chromium} = require('playwright-core');
const SITE = 'https://www.speedscope.app/';
const release = path.join(process.env.MODULES, 'node_modules/speedscope/dist/release');
const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm'};
let nr = 0, failed = 0;

function is(got, want, title) {
	const passed = JSON.stringify(got) === JSON.stringify(want);
	failed += !passed;
	console.log(`${passed ? '' : 'not '}ok ${++nr} - ${title}`);
	if (!passed)
		console.log(`#  got: ${JSON.stringify(got)}\n# want: ${JSON.stringify(want)}`);
}

// The server, and the two URLs that it prints.
function serve(file) {
	const child = spawn(process.env.WICK, ['serve', '--ui', 'speedscope', file], {stdio: ['ignore', 'pipe', 'ignore']});
	const ended = new Promise(resolve => child.on('exit', (status, signal) => resolve(signal || status)));
	return new Promise((resolve, reject) => {
		let text = '';
		child.stdout.on('data', data => {
			text += data;
			const [page, viewer, more] = text.split('\n');
			if (more !== undefined)
				resolve({child, ended, page, viewer});
		});
		ended.then(status => reject(new Error(`wick serve ended with ${status}`)));
	});
}

function fulfill(route) {
	const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
	const file = path.join(release, name);
	if (!fs.existsSync(file))
		return route.fulfill({status: 404});
	return route.fulfill({body: fs.readFileSync(file), contentType: TYPES[path.extname(name)] || 'application/octet-stream'});
}

// [function, self, total] in percent, by self: of what speedscope's sandwich view lists.
async function sandwich(page) {
	await page.getByText('Sandwich').click();
	await page.getByText('Symbol Name').waitFor();
	const rows = await page.locator('table tr:has(td)').evaluateAll(all =>
		all.map(row => [...row.cells].map(cell => cell.innerText)));
	const percent = text => Math.round(/\(<?([\d.]+)%\)/.exec(text)[1]);
	// Formats without threads have them as a function.
	return rows.map(([total, self, name]) => [name, percent(self), percent(total)]).filter(f => f[0] !== 'app').sort(bySelf);
}

// What speedscope shows of full.py: by file the name of each profile, and words of `full.py`.
const THREADS = {app: 10, worker: 11, db: 20};
const PIDS = {app: 10, worker: 10, db: 20};
const tracks = [['cpu-clock', 'app'], ['cpu-clock', 'worker'], ['cpu-clock', 'db'], ['faults', 'worker'], ['faults', 'db'],
	['off-cpu', 'worker'], ['off-cpu', 'db']];
const FULL = {
	'full.speedscope.json': {profiles: tracks.map(([event, thread]) => [`${thread}-${PIDS[thread]}/${THREADS[thread]} ${event}`, 'top', event, thread])},
	'full.callgrind': {profiles: ['cpu-clock', 'faults', 'off-cpu'].map(event => [`full.callgrind -- ${event}`, 'top', event])},
	// Slices are times, so there are no weights of faults.
	'full.trace.json': {profiles: [['app (pid 10), app (tid 10)', 'top', 'cpu-clock', 'app'], ['app (pid 10), worker (tid 11)', 'top', 'cpu-clock', 'worker'],
		['app (pid 10), worker 11 faults (tid 21)'], ['app (pid 10), worker 11 off-cpu (tid 23)', 'top', 'off-cpu', 'worker'],
		['db (pid 20), db (tid 20)', 'top', 'cpu-clock', 'db'], ['db (pid 20), db 20 faults (tid 22)'],
		['db (pid 20), db 20 off-cpu (tid 24)', 'top', 'off-cpu', 'db']]},
	'full.cpuprofile': {profiles: [['', 'top', 'cpu-clock']]},
	'full.folded': {profiles: [['', 'top', 'cpu-clock']], unit: 1000000},
	// Of the functions of a location, speedscope shows one.
	'full.pb.gz': {profiles: [['', 'outermost', 'cpu-clock']]},
};

// A number as speedscope writes it: "33.00ms (22%)", "18 (100%)".
function amount(text) {
	const [, number, unit] = /^([\d,.]+)(ns|µs|ms|s|)/.exec(text);
	return Math.round(Number(number.replaceAll(',', '')) * {ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9, '': 1}[unit]);
}

// "name|self|total" of each function of the profile that is shown.  callgrind numbers recursive calls.
async function amounts(page, unit = 1) {
	const rows = await page.locator('table tr:has(td)').evaluateAll(all => all.map(row => [...row.cells].map(cell => cell.innerText)));
	const functions = new Map();
	for (const [total, self, numbered] of rows.filter(row => /%/.test(row[0]))) {
		const name = numbered.replace(/'\d+$/, '');
		const f = functions.get(name) || [0, 0];
		functions.set(name, [f[0] + amount(self) * unit, Math.max(f[1], amount(total) * unit)]);
	}
	// Formats without threads have them as a function.
	return [...functions].filter(([name]) => !(name in THREADS)).map(([name, f]) => [name, ...f].join('|')).sort();
}

async function checkFull(page, file) {
	const {profiles, unit} = FULL[file];
	await page.getByText('Sandwich').click();
	await page.getByText('Symbol Name').waitFor();
	const rows = await page.locator('table tr:has(td)').evaluateAll(all => all.map(row => [...row.cells].map(cell => cell.innerText)));
	const names = rows.filter(row => !/%/.test(row[0])).map(row => row[1]);
	is(names, profiles.map(([name]) => name).filter(name => name), `speedscope lists the profiles of ${file}`);
	for (const [name, ...words] of profiles) {
		if (!words.length)
			continue;
		if (name) {
			await page.getByText(/ \(\d+\/\d+\)$/).first().click();
			await page.locator('tr', {has: page.getByText(name, {exact: true})}).first().click();
			await page.getByText(`${name} (${1 + names.indexOf(name)}/${names.length})`).waitFor();
		}
		const want = execFileSync('python3', [new URL('full.py', import.meta.url).pathname, ...words], {encoding: 'utf8'});
		is(await amounts(page, unit), want.trimEnd().split('\n').sort(), `speedscope shows the functions of ${file} ${name}`);
	}
}

// Of equal ones, the name decides.
function bySelf(a, b) {
	return b[1] - a[1] || (a[0] < b[0] ? -1 : 1);
}

// The same, added up from folded stacks.
function addUp(folded) {
	const functions = new Map();
	let sum = 0;
	for (const line of folded.trimEnd().split('\n')) {
		const [, stack, count] = /^(.*) (\d+)$/.exec(line);
		const names = stack.split(';');
		sum += Number(count);
		for (const name of new Set(names)) {
			const f = functions.get(name) || [name, 0, 0];
			f[1] += name === names.at(-1) ? Number(count) : 0;
			f[2] += Number(count);
			functions.set(name, f);
		}
	}
	return [...functions.values()].map(([name, self, total]) =>
		[name, Math.round(100 * self / sum), Math.round(100 * total / sum)]).sort(bySelf);
}

if (!findChromium()) {
	console.log('1..0 # SKIP chromium is not installed');
	process.exit(0);
}
const [folded, served, ...files] = process.argv.slice(2);
const want = addUp(fs.readFileSync(folded, 'utf8'));
const server = await serve(served);
// A person is asked whether the site may reach this machine, and allows it.
const browser = await chromium.launch({executablePath: findChromium(), chromiumSandbox: process.getuid() !== 0,
	args: ['--no-first-run', '--disable-background-networking', '--enable-unsafe-swiftshader',
		'--disable-features=LocalNetworkAccessChecks']});
try {
	const context = await browser.newContext({viewport: {width: 1200, height: 900}});
	const wrong = [];
	context.setDefaultTimeout(PATIENCE);
	context.on('weberror', e => wrong.push(String(e.error())));
	await context.route(`${SITE}**`, fulfill);

	const own = await context.newPage();
	await own.goto(server.page);
	await own.waitForFunction(() => window.wick?.views.main.painter.nrBoxes > 0);
	is((await frames(own)).filter(f => f.name === 'main').length, 1, 'Chromium shows the page of wick serve');

	const main = await frame(own, 'main');
	await own.mouse.click(main.x + main.width / 2, main.y + main.height / 2, {button: 'right'});
	const [source] = await Promise.all([context.waitForEvent('page'), own.getByRole('menuitem', {name: 'Show source'}).click()]);
	is((await source.locator('body').innerText()).split(':')[0], 'main', 'Chromium shows the source of a function of wick serve');

	const fetched = await context.newPage();
	await fetched.goto(server.viewer);
	is(await sandwich(fetched), want, 'speedscope fetches the profile from wick serve');

	const other = await context.newPage();
	await context.route('https://other.example/**', route => route.fulfill({body: '<!doctype html>', contentType: 'text/html'}));
	await other.goto('https://other.example/');
	const url = decodeURIComponent(/profileURL=([^&]*)/.exec(server.viewer)[1]);
	is(await other.evaluate(u => fetch(u).then(r => r.status, e => e.name), url), 'TypeError',
		'another site cannot fetch the profile from wick serve');

	for (const file of files) {
		const page = await context.newPage();
		await page.goto(SITE);
		const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByText('Import').click()]);
		await chooser.setFiles(file);
		if (file in FULL)
			await checkFull(page, file);
		else
			is(await sandwich(page), want, `speedscope shows the functions of ${file}`);
		await page.close();
	}
	is(wrong, [], 'speedscope has no error');
	server.child.kill('SIGINT');
	is(await server.ended, 0, 'wick serve ends with Ctrl-C while pages are open');
} finally {
	await browser.close();
	server.child.kill('SIGKILL');
}
console.log(`1..${nr}`);
process.exit(failed ? 1 : 0);
