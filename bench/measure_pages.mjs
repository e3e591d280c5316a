// Opens pages in Chromium and measures them: one line of JSON each.
//
// usage: measure_pages.mjs RUNS KIND:FILE…     KIND: html, svg (wick's) or peer (an SVG of a peer)
//
// All are opened in turns (A B C A B C …), each time in a fresh context whose window is there already; each figure is
// [median, least].
//   paint    from the start of the navigation to the second frame after the picture is there: after the page is
//            loaded, or, where a script draws it (html), after the page says that it is ready
//   fresh    the same where the window was opened with it
//   ready    the same until it can be used: an SVG of wick is a picture before its script has read the data
//   zoom     a click, a tenth of a second later, on the frame whose width is nearest 30 % of the whole: script, and until
//            the next picture; it is the first one, so its code is not compiled yet
//   search   for std::, the same two
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {launch} from '../tests/browser/harness.mjs';

const PATIENCE = 180000;
const TERM = 'std::';
// With a window, Chromium starts a process for what is around the page: 130 ms of work, which is as much as the page is, and on
// two processors in the way of it.  Who opens a file has a window mostly.
const WINDOW_MS = 1000;

// In the page, before its own scripts: when it was painted, and when it was ready.
function noticePaint() {
	const frame = () => new Promise(done => requestAnimationFrame(done));
	const loaded = async () => {
		while (document.readyState !== 'complete')
			await frame();
	};
	const ready = async () => {
		await loaded();
		while (document.querySelector('#app, #wick') && document.documentElement.dataset.ready !== '1')
			await frame();
	};
	const seen = async condition => {
		await condition();
		await frame();
		await frame();
		return performance.now();
	};
	window.painted = seen(async () => {
		await loaded();
		if (document.getElementById('app'))
			await ready();
	});
	window.usable = seen(ready);
}

// In the page: runs the action and tells how long scripts took and when the next picture was there.
// What a page puts off to the next frame counts as script.
async function timeAction([kind, name, term]) {
	const frame = () => new Promise(done => requestAnimationFrame(done));
	const width = g => parseFloat(g.querySelector('rect')?.getAttribute('width') || 0);
	const nearest = () => {
		const frames = [...document.querySelectorAll('#frames g')];
		const whole = Math.max(...frames.map(width));
		const miss = g => Math.abs(width(g) / whole - 0.3);
		return frames.reduce((best, g) => miss(g) < miss(best) ? g : best);
	};
	const click = (target, x, y) => {
		for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
			target.dispatchEvent(new (type.startsWith('p') ? PointerEvent : MouseEvent)(type, {bubbles: true,
				cancelable: true, clientX: x, clientY: y, button: 0, pointerId: 1, isPrimary: true, view: window}));
	};
	const type = text => {
		const box = document.querySelector('input[type=search], [role=searchbox]');
		box.value = text;
		box.dispatchEvent(new Event('input', {bubbles: true}));
	};
	const actions = {
		peer: {
			zoom: () => {
				const rect = nearest().querySelector('rect');
				return () => rect.dispatchEvent(new MouseEvent('click', {bubbles: true}));
			},
			search: () => () => window.search(term),
		},
		svg: {
			zoom: () => {
				const g = nearest(), box = g.getBoundingClientRect();
				return () => click(g.querySelector('rect'), box.x + box.width / 2, box.y + 2);
			},
			search: () => () => type(term),
		},
		html: {
			zoom: () => {
				const {painter: p, canvas, rowHeight} = window.wick.views.main, at = canvas.getBoundingClientRect();
				const miss = b => Math.abs(p.boxWidth[b] / p.width - 0.3);
				let best = 0;
				for (let b = 1; b < p.nrBoxes; b++)
					if (miss(b) < miss(best))
						best = b;
				const x = at.left + p.boxX[best] + p.boxWidth[best] / 2, y = at.top + p.boxY[best] + rowHeight / 2;
				return () => click(canvas, x, y);
			},
			search: () => () => type(term),
		},
	};
	const run = actions[kind][name]();
	await frame();
	await new Promise(done => setTimeout(done, 100));
	await frame();
	// The callbacks of a frame run in the order they were asked for: ours stand before and behind the page's.
	let drawing = 0;
	requestAnimationFrame(() => drawing = performance.now());
	const start = performance.now();
	run();
	const handled = performance.now();
	await frame();
	const script = handled - start + performance.now() - drawing;
	await frame();
	return {script, picture: performance.now() - start};
}

// A page in a context of its own, its window there for so long.
async function inWindow(browser, file, ms, measure) {
	const context = await browser.newContext({viewport: {width: 1280, height: 900}, reducedMotion: 'reduce'});
	try {
		context.setDefaultTimeout(PATIENCE);
		await context.addInitScript(noticePaint);
		const page = await context.newPage();
		await new Promise(done => setTimeout(done, ms));
		await page.goto(pathToFileURL(path.resolve(file)).href, {timeout: PATIENCE});
		const [paint, ready] = await page.evaluate(() => Promise.all([window.painted, window.usable]));
		return await measure(page, paint, ready);
	} finally {
		await context.close();
		// A large page takes a while to be taken down, and the next one is not to wait for it.
		await new Promise(done => setTimeout(done, 700));
	}
}

async function measureOnce(browser, kind, file) {
	const fresh = await inWindow(browser, file, 0, (page, paint) => paint);
	return inWindow(browser, file, WINDOW_MS, async (page, paint, ready) => {
		const zoom = await page.evaluate(timeAction, [kind, 'zoom', TERM]);
		const search = await page.evaluate(timeAction, [kind, 'search', TERM]);
		return {paint, fresh, ready, zoomScript: zoom.script, zoom: zoom.picture, searchScript: search.script, search: search.picture};
	});
}

function medianAndLeast(values) {
	const sorted = values.map(v => Math.round(v * 10) / 10).sort((a, b) => a - b);
	return [sorted[sorted.length >> 1], sorted[0]];
}

async function main([runs, ...pages]) {
	const {browser, network} = await launch();
	const results = pages.map(() => []);
	for (let run = 0; run < Number(runs); run++)
		for (const [i, page] of pages.entries()) {
			const [kind, file] = [page.slice(0, page.indexOf(':')), page.slice(page.indexOf(':') + 1)];
			results[i].push(await measureOnce(browser, kind, file));
		}
	await browser.close();
	network.close();
	for (const [i, page] of pages.entries()) {
		const file = page.slice(page.indexOf(':') + 1);
		const {size} = fs.statSync(file);
		const figures = Object.fromEntries(Object.keys(results[i][0]).map(key => [key, medianAndLeast(results[i].map(r => r[key]))]));
		console.log(JSON.stringify({page, size: [size, size], ...figures}));
	}
}

await main(process.argv.slice(2));
