// One Chromium for all tests, and what every test must hold: no error on the console or in the page,
// and no request but for the file itself.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

const ARGUMENTS = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync', '--disable-features=Translate,OptimizationHints'];
// Chromium asks these about itself (its clock, its updates) whatever it is told, and each server for the icon of a
// picture, which cannot name one; no page of ours names them.
const CHROMIUMS_OWN = /^\S+ ((https?:\/\/)?[a-z0-9.-]*\.(google|googleapis|gvt1)\.com[:/]|http:\/\/server\.test\/favicon\.ico )/;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MODULES = process.env.BROWSER_MODULES ||
	path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../build-test/browser');
// Nothing takes that long but on a machine that is busy with something else.
export const PATIENCE = 120000;

// The browser's path, or null: CHROMIUM, or the first of its names on PATH.
export function findChromium() {
	const folders = (process.env.PATH || '').split(':');
	const candidates = process.env.CHROMIUM ? [process.env.CHROMIUM]
		: NAMES.flatMap(name => folders.map(folder => path.join(folder, name)));
	return candidates.find(file => fs.existsSync(file)) || null;
}

// A listener that every connection of the browser would go through: it answers none, and remembers them.
async function watchNetwork() {
	const seen = [];
	const server = net.createServer(socket => {
		socket.on('error', () => {});
		socket.once('data', data => {
			const line = data.toString('latin1').split('\r\n')[0];
			if (!CHROMIUMS_OWN.test(line))
				seen.push(line);
			socket.destroy();
		});
	});
	await new Promise(done => server.listen(0, '127.0.0.1', done));
	return {seen, address: `127.0.0.1:${server.address().port}`, close: () => server.close()};
}

// The browser, and what it tried to reach.
export async function launch(options = {}) {
	const require = createRequire(path.join(MODULES, 'package.json'));
	const {chromium} = require('playwright-core');
	const network = await watchNetwork();
	const browser = await chromium.launch({
		executablePath: findChromium(),
		// Chromium refuses to sandbox what root runs.
		chromiumSandbox: process.getuid() !== 0,
		args: [...ARGUMENTS, ...options.args || []],
		proxy: {server: network.address, bypass: '<-loopback>'},
	});
	return {browser, network};
}

// Notes all that a page must not do, in the array that is returned.
function watch(context, urls) {
	const wrong = [];
	context.on('console', m => {
		if (m.type() === 'error' || m.type() === 'warning')
			wrong.push(`console ${m.type()}: ${m.text().slice(0, 300)}`);
	});
	context.on('weberror', e => wrong.push(`page error: ${String(e.error()).slice(0, 300)}`));
	context.on('dialog', d => {
		wrong.push(`dialog: ${d.message().slice(0, 100)}`);
		d.dismiss().catch(() => {});
	});
	context.on('request', r => {
		if (!urls.has(r.url().replace(/#.*/, '')))
			wrong.push(`request: ${r.url().slice(0, 200)}`);
	});
	return wrong;
}

// What a test is given: check() and friends count as TAP's one result for the whole test; the first
// failure ends it.
export class Test {
	constructor(browser) {
		this.browser = browser;
		this.contexts = [];
		this.wrong = [];
		this.urls = new Set();
		this.forgiven = [];
	}

	// A page that shows the file, once it says that it is painted.  Each has a context, so storage, of its own
	// unless another page's is given.  policy: as a server sends it that forbids things.
	async open(file, options = {}) {
		const {hash = '', ready = true, context: given, policy, ...rest} = options;
		const url = policy ? `http://server.test/${path.basename(file)}` : pathToFileURL(path.resolve(file)).href;
		this.urls.add(url);
		const context = given || await this.context(rest);
		if (policy)
			await context.route(url, route => route.fulfill({body: fs.readFileSync(file), headers: {'content-security-policy': policy,
				'content-type': file.endsWith('.svg') ? 'image/svg+xml' : 'text/html'}}));
		const page = await context.newPage();
		await page.goto(url + hash, {waitUntil: 'load', timeout: PATIENCE});
		if (ready && rest.javaScriptEnabled !== false)
			await this.ready(page);
		return page;
	}

	async context(options = {}) {
		const context = await this.browser.newContext({
			viewport: {width: 1280, height: 800}, reducedMotion: 'reduce', colorScheme: 'light', ...options});
		context.setDefaultTimeout(PATIENCE);
		this.contexts.push(context);
		const wrong = watch(context, this.urls);
		this.wrong.push(() => wrong);
		return context;
	}

	async ready(page) {
		await page.waitForFunction(() => document.documentElement.dataset.ready === '1');
	}

	ok(value, what) {
		if (!value)
			throw new Failure(what);
	}

	is(got, want, what) {
		if (got !== want)
			throw new Failure(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
	}

	same(got, want, what) {
		this.is(JSON.stringify(got), JSON.stringify(want), what);
	}

	near(got, want, within, what) {
		if (!(Math.abs(got - want) <= within))
			throw new Failure(`${what}: got ${got}, want ${want} ± ${within}`);
	}

	matches(got, pattern, what) {
		if (!pattern.test(got))
			throw new Failure(`${what}: ${JSON.stringify(String(got).slice(0, 400))} does not match ${pattern}`);
	}

	// Takes back what a test brings about on purpose.
	forgive(pattern) {
		this.forgiven.push(pattern);
	}

	// Looks again until the condition holds.
	async until(look, what, patience = PATIENCE) {
		const end = Date.now() + patience;
		for (;;) {
			const value = await look();
			if (value)
				return value;
			if (Date.now() > end)
				throw new Failure(`never: ${what}`);
			await new Promise(done => setTimeout(done, 25));
		}
	}

	async finish() {
		const wrong = this.wrong.flatMap(get => get()).filter(w => !this.forgiven.some(p => p.test(w)));
		await Promise.all(this.contexts.map(c => c.close()));
		if (wrong.length)
			throw new Failure([...new Set(wrong)].join('\n'));
	}
}

export class Failure extends Error {}

const tests = [];

// prepare: begins what takes long, beside the tests that come first.
export function test(name, body, prepare = () => {}) {
	tests.push({name, body, prepare});
}

export function registeredTests() {
	return tests;
}
