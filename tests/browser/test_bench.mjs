// The page of wick bench: its charts, its tables, and the flame graph inside of it.
import fs from 'node:fs';
import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {test} from './harness.mjs';
import {REPO, fileAt, wick} from './files.mjs';

const RUNS = 4;

// A function that takes most of the time of one program, and none of the other's; so much of it that it is found anywhere.
function program(name, planted) {
	const file = fileAt(name);
	execFileSync('cc', ['-O2', '-g', `-DPLANTED=${planted}`, '-o', file, path.join(REPO, 'tests/programs/planted.c')]);
	return file;
}

let made = null;

function benchPage() {
	if (made)
		return made;
	const file = fileAt('bench.html');
	wick(['bench', '-q', '-N', '-r', String(RUNS), '--profile-runs', '3', '-n', 'the <old> one', '-n', 'the new one', '-o', file,
		program('bench-old', 0), program('bench-new', 4)]);
	made = file;
	return file;
}

test('bench: the page has distributions, the order of runs, functions and a flame graph', async t => {
	const page = await t.open(benchPage(), {ready: false});
	t.same(await page.locator('h2').allTextContents(),
		['Warnings', 'Distributions', 'Order of runs', 'Functions', 'Flame graph of the difference'].slice(await page.locator('h2:has-text("Warnings")').count() ? 0 : 1),
		'sections');
	const charts = page.locator('svg.chart');
	t.is(await charts.count(), 2, 'charts');
	for (let i = 0; i < 2; i++)
		t.is(await charts.nth(i).locator('circle.run').count(), 2 * RUNS, `dots of chart ${i}`);
	t.matches(await charts.first().textContent(), /the <old> one · median .*the new one · median /s, 'names of the distributions');
	// Each dot tells its time, and stands within the chart.
	const box = await charts.nth(1).boundingBox();
	for (const dot of await charts.nth(1).locator('circle.run').all()) {
		const {x, width} = await dot.boundingBox();
		t.ok(x >= box.x && x + width <= box.x + box.width + 1, 'a dot is outside of its chart');
		t.matches(await dot.locator('title').textContent(), /^[\d.,]+.[nµm]?s$/, 'the title of a dot');
	}
	t.matches(await page.textContent('table.metrics'), /time.*user time.*peak memory.*voluntary switches/s, 'metrics');
	t.is(await page.locator('table.functions td code').first().textContent(), 'planted', 'the first function');
});

test('bench: the flame graph in the page is that of the difference', async t => {
	const page = await t.open(benchPage(), {ready: false});
	const frame = page.frameLocator('iframe');
	await frame.locator('#stage canvas').first().waitFor();
	t.matches(await frame.locator('#summary').textContent(), /samples/, 'summary of the flame graph');
	await frame.locator('#search').fill('planted');
	await t.until(async () => /%/.test(await frame.locator('#found').textContent()), 'the planted function is found');
});

test('bench: the page begins at its top, not at the flame graph', async t => {
	const page = await t.open(benchPage(), {ready: false, viewport: {width: 1000, height: 600}});
	await page.frameLocator('iframe').locator('#stage canvas').first().waitFor();
	t.is(await page.evaluate(() => scrollY), 0, 'pixels that are scrolled away');
});

test('bench: the page lists its commands', async t => {
	const page = await t.open(benchPage(), {ready: false});
	t.same(await page.locator('table.commands code').allTextContents(), ['the <old> one', 'the new one'], 'names of the commands');
});

test('bench: the page can be read in the dark and on a narrow screen', async t => {
	for (const colorScheme of ['light', 'dark']) {
		const page = await t.open(benchPage(), {ready: false, colorScheme, viewport: {width: 400, height: 800}});
		const [ground, dot] = await page.evaluate(() => [getComputedStyle(document.documentElement).colorScheme,
			getComputedStyle(document.querySelector('circle.run')).fill]);
		t.matches(ground, /light dark/, 'color scheme');
		t.is(dot, colorScheme === 'dark' ? 'rgb(111, 177, 240)' : 'rgb(51, 102, 154)', `dots when ${colorScheme}`);
		t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than the screen');
	}
});

test('bench: the page needs no script but for the flame graph', async t => {
	const page = await t.open(benchPage(), {ready: false, javaScriptEnabled: false});
	t.is(await page.locator('svg.chart circle.run').count(), 4 * RUNS, 'dots');
	t.ok(!/<script/.test(fs.readFileSync(benchPage(), 'utf8').replace(/srcdoc="[^"]*"/, '')), 'a script outside of the flame graph');
});
