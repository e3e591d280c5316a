// Loading, zooming and going back, by mouse, keys, history and link.
import {test} from './harness.mjs';
import {Folded, flame, served, write} from './files.mjs';
import {chosen, clickFrame, frame, frames, hoverFrame, isGone, isWide, openServed, says, share, textOf} from './viewer.mjs';

test('page: loads and shows the profile', async t => {
	const page = await openServed(t);
	t.matches(await page.title(), /\S/, 'title');
	t.matches(await textOf(page, '#summary'), /400 samples/, 'summary');
	t.ok(!await page.locator('#static').isVisible(), 'the picture for browsers without scripts is away');
	t.matches(await textOf(page, '#detail'), /zoom.*search/, 'a hint of what can be done');
	const folded = new Folded(served());
	for (const name of ['main', 'parse_request', 'render', 'deflate_fast'])
		t.ok(await share(page, name) > 0, `${name} is drawn`);
	t.near(await share(page, 'compress'), folded.with(n => n === 'compress') / folded.total, 0.006, 'width of compress');
	const row = await frame(page, 'main');
	t.ok(row.y > (await frame(page, 'all')).y, 'the root is on top');
});

const BACK = {
	Escape: page => page.keyboard.press('Escape'),
	Backspace: page => page.keyboard.press('Backspace'),
	0: page => page.keyboard.press('0'),
	history: page => page.goBack(),
	'Reset zoom': page => page.getByRole('button', {name: 'Reset zoom'}).click(),
};

for (const [how, back] of Object.entries(BACK))
	test(`page: a click zooms, ${how} goes back`, async t => {
		const page = await openServed(t);
		await clickFrame(t, page, 'serve');
		await isWide(t, page, 'serve', 1);
		await isWide(t, page, 'main', 1);
		await isWide(t, page, 'render', 0.5);
		await isGone(t, page, 'deflate_fast');
		await back(page);
		await isWide(t, page, 'serve', 0.5);
		await isWide(t, page, 'deflate_fast', 150 / 400);
	});

test('page: zooms nest, and each step back is one', async t => {
	const page = await openServed(t);
	await clickFrame(t, page, 'serve');
	await isWide(t, page, 'render', 0.5);
	await clickFrame(t, page, 'render');
	await isWide(t, page, 'render', 1);
	await page.keyboard.press('Escape');
	await isWide(t, page, 'render', 0.5);
	await page.keyboard.press('Escape');
	await isWide(t, page, 'render', 0.25);
});

test('page: the history goes back and forth', async t => {
	const page = await openServed(t);
	for (const name of ['serve', 'render', 'write_all'])
		await clickFrame(t, page, name);
	await isWide(t, page, 'write_all', 1);
	await page.goBack();
	await isWide(t, page, 'render', 1);
	await isWide(t, page, 'write_all', 0.5);
	await page.goBack();
	await isWide(t, page, 'render', 0.5);
	await page.goForward();
	await isWide(t, page, 'render', 1);
});

test('page: an ancestor is clicked to go out again', async t => {
	const page = await openServed(t);
	await clickFrame(t, page, 'render');
	await isWide(t, page, 'render', 1);
	await clickFrame(t, page, 'all');
	await isWide(t, page, 'render', 0.25);
});

test('page: keys walk to callee, neighbor and caller, and Enter zooms', async t => {
	const page = await openServed(t);
	await page.locator('#stage canvas').first().focus();
	await page.keyboard.press('ArrowDown');
	t.is((await chosen(page))[0], 'served', 'first of the widest callees');
	await page.keyboard.press('ArrowRight');
	t.is((await chosen(page))[0], 'worker', 'its neighbor');
	await page.keyboard.press('ArrowLeft');
	t.is((await chosen(page))[0], 'served', 'and back');
	for (const name of ['main', 'serve'])
		await page.keyboard.press('ArrowDown').then(async () => t.is((await chosen(page))[0], name, 'callee'));
	await page.keyboard.press('ArrowUp');
	t.is((await chosen(page))[0], 'main', 'caller');
	await says(t, page, '#live', /^main: 50 %|^main: 50\.0 %, 200 samples/);
	await page.keyboard.press('Enter');
	await isWide(t, page, 'main', 1);
	await page.keyboard.press('Escape');
	await isWide(t, page, 'main', 0.5);
});

test('page: the mirror holds caller, siblings and callees of the chosen frame', async t => {
	const page = await openServed(t);
	await clickFrame(t, page, 'parse_request');
	await t.until(async () => (await chosen(page))[0] === 'parse_request', 'the mirror follows the zoom');
	const rows = await page.locator('[role=treegrid] [role=row]').evaluateAll(all => all.map(r =>
		[r.getAttribute('aria-level'), r.querySelector('[role=gridcell]').textContent, r.getAttribute('aria-selected')]));
	const names = rows.map(r => r[1]);
	for (const name of ['serve', 'parse_request', 'render', 'tokenize'])
		t.ok(names.includes(name), `${name} is in the mirror`);
	t.is(rows.filter(r => r[2] === 'true').length, 1, 'one is selected');
	const level = Object.fromEntries(rows.map(r => [r[1], Number(r[0])]));
	t.is(level.parse_request, level.serve + 1, 'level below the caller');
	t.is(level.tokenize, level.parse_request + 1, 'level above the callee');
	t.ok(rows.length < 60, `${rows.length} rows`);
});

test('page: the pointer shows what a frame is, and lights all frames of its function', async t => {
	t.forgive(/willReadFrequently/);
	const page = await openServed(t);
	const dark = () => page.evaluate(() => {
		const c = document.querySelector('canvas.overlay');
		return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0), 0);
	});
	const drawn = (await frames(page)).filter(f => f.name === 'tokenize');
	t.is(drawn.length, 2, 'two frames of tokenize');
	const before = await dark();
	await page.mouse.move(drawn[0].x + 5, drawn[0].y + 5);
	await t.until(async () => await dark() > before + drawn[1].width * 5, 'both are lit');
	const text = await textOf(page, '#detail');
	t.matches(text, /tokenize/, 'name');
	t.matches(text, /\/usr\/bin\/served/, 'module');
	t.matches(text, /parse\.c:12/, 'file and line');
	t.matches(text, /Total 75 samples · 18\.8 %/, 'this frame');
	t.matches(text, /Self 0 samples/, 'its self');
	t.matches(text, /125 samples · 31\.3 %/, 'all of the function');
	await clickFrame(t, page, 'serve');
	await isWide(t, page, 'serve', 1);
	await hoverFrame(t, page, 'tokenize');
	await says(t, page, '#detail', /tokenize.*Of zoom 37\.5 %/);
});

test('page: Ctrl and the wheel zoom freely, a drag moves', async t => {
	const page = await openServed(t);
	const f = await frame(page, 'compress');
	await page.mouse.move(f.x + f.width / 2, f.y + 5);
	await page.keyboard.down('Control');
	await page.mouse.wheel(0, -240);
	await page.keyboard.up('Control');
	await t.until(async () => (await frame(page, 'compress')).width > 1.3 * f.width, 'wider');
	const start = (await frame(page, 'deflate_fast')).x;
	await page.mouse.down();
	await page.mouse.move(f.x + f.width / 2 + 80, f.y + 5, {steps: 4});
	await page.mouse.up();
	await t.until(async () => (await frame(page, 'deflate_fast')).x > start + 40, 'moved');
});

const FREE = {
	'+': async page => {
		await page.locator('#stage canvas').first().focus();
		await page.keyboard.press('+');
		await page.keyboard.press('+');
	},
	'the wheel': async page => {
		await page.mouse.move(400, 300);
		await page.keyboard.down('Control');
		await page.mouse.wheel(0, -240);
		await page.mouse.wheel(0, -240);
		await page.keyboard.up('Control');
	},
};

const isWhole = page => page.evaluate(() => {
	const {tree: {whole}, view: {window: [from, to]}} = window.wick;
	return to - from === whole;
});

for (const [how, zoom] of Object.entries(FREE))
	test(`page: a free zoom by ${how} at the root is undone by every way back, and is in the link`, async t => {
		const page = await openServed(t);
		for (const [name, back] of Object.entries(BACK)) {
			await zoom(page);
			await t.until(async () => !await isWhole(page), 'zoomed');
			t.ok(await page.getByRole('button', {name: 'Reset zoom'}).isVisible(), 'there is a button');
			await t.until(() => page.evaluate(() => /zoom=/.test(location.hash)), 'the link has it');
			await back(page);
			await t.until(() => isWhole(page), `${name}: the whole`);
			t.is(await page.evaluate(() => location.hash), '', `${name}: an empty link`);
			t.ok(!await page.getByRole('button', {name: 'Reset zoom'}).isVisible(), `${name}: no button`);
		}
	});

test('page: a free zoom is linked, and a step back leads to the frame that was zoomed before', async t => {
	const page = await openServed(t), drawn = async p => (await frames(p)).map(f => [f.name, f.depth, Math.round(f.x), Math.round(f.width)]);
	await clickFrame(t, page, 'serve');
	await isWide(t, page, 'serve', 1);
	await FREE['+'](page);
	await t.until(() => page.evaluate(() => /~/.test(location.hash)), 'the link has the part');
	const hash = await t.until(() => page.evaluate(() => {
		const {view, state} = window.wick;
		return location.hash.includes(state.zoom) && state.zoom.endsWith(view.part.join('~')) && location.hash;
	}), 'the link has the last of it');
	const want = await drawn(page);
	t.same(await drawn(await openServed(t, {hash})), want, 'the link shows the same');
	await page.keyboard.press('Escape');
	await isWide(t, page, 'serve', 1);
	t.is(await page.evaluate(() => window.wick.view.part), null, 'all of it');
	await page.keyboard.press('Escape');
	await isWide(t, page, 'serve', 0.5);
});

test('page: zooming out of the whole picture changes nothing', async t => {
	const page = await t.open(flame('chain', write('chain.folded', 'a;b;c 5\na;b;d 5\n'), 'html'));
	await page.locator('#stage canvas').first().focus();
	await page.keyboard.press('-');
	t.is(await page.evaluate(() => window.wick.view.node), 0, 'the root stays');
	t.is(await page.evaluate(() => location.hash), '', 'no link');
});

// One function again and again: all boxes have the same path.
const pulses = () => write('pulses.perf', Array.from({length: 60}, (_, i) => `sh 12 [000] ${(100 + i / 10).toFixed(6)}: 1 cycles:\n` +
	`\t7f12 ${i % 3 ? 'pulse' : 'pause'}+0x2 (/bin/sh)\n\t7f13 main+0x2 (/bin/sh)\n\n`).join(''));

test('page: a link to a box of a flame chart leads to that moment, after a reload and in another window', async t => {
	const file = flame('pulses', pulses(), 'html'), page = await t.open(file, {hash: '#order=time'});
	const at = p => p.evaluate(() => [window.wick.view.node, window.wick.view.window]);
	const boxes = (await frames(page)).filter(f => f.name === 'pulse').sort((a, b) => a.x - b.x);
	t.is(boxes.length, 20, 'boxes of one path');
	await page.mouse.click(boxes[13].x + boxes[13].width / 2, boxes[13].y + 5);
	await isWide(t, page, 'pulse', 1);
	const want = await at(page);
	t.ok(want[1][0] > 0.5 * await page.evaluate(() => window.wick.tree.whole), 'in the second half');
	await page.reload();
	await t.ready(page);
	t.same(await at(page), want, 'reloaded');
	const other = await t.open(file, {hash: await page.evaluate(() => location.hash)});
	t.same(await at(other), want, 'linked');
	await page.keyboard.press('0');
	await page.goBack();
	await t.until(async () => JSON.stringify(await at(page)) === JSON.stringify(want), 'back in the history');
});

// The first boxes of its callers do not have the function.
const late = () => write('late.perf', ['step', 'step', 'main', 'step deep', 'main', 'step', 'main', 'step deep', 'step deep', 'main'].map((stack, i) =>
	`sh 12 [000] ${(100 + i / 10).toFixed(6)}: 1 cycles:\n` +
	[...stack.split(' ').reverse().filter(name => name !== 'main'), 'main'].map(name => `\t7f12 ${name}+0x2 (/bin/sh)\n`).join('') + '\n').join(''));

test('page: a link to a deep box of a flame chart leads there also if the first box of its caller has none', async t => {
	const file = flame('late', late(), 'html'), page = await t.open(file, {hash: '#order=time'});
	const at = p => p.evaluate(() => [window.wick.view.node, window.wick.view.window]);
	const boxes = (await frames(page)).filter(f => f.name === 'deep').sort((a, b) => a.x - b.x);
	t.is(boxes.length, 2, 'boxes of one path');
	await page.mouse.click(boxes[1].x + boxes[1].width / 2, boxes[1].y + 5);
	await isWide(t, page, 'deep', 1);
	const want = await at(page);
	await page.reload();
	await t.ready(page);
	t.same(await at(page), want, 'reloaded');
});

test('page: a link shows the same, by stack and not by pixel', async t => {
	const page = await openServed(t);
	await clickFrame(t, page, 'parse_request');
	await page.fill('#search', 'token');
	await page.keyboard.press('Escape');
	await page.fill('#search', 'char');
	await page.getByRole('button', {name: 'Flip'}).click();
	await says(t, page, '#found', /31\.3 %/);
	const hash = await page.evaluate(() => location.hash);
	const want = (await frames(page)).map(f => [f.name, f.depth, Math.round(f.x), Math.round(f.width)]);
	const other = await openServed(t, {hash});
	t.same((await frames(other)).map(f => [f.name, f.depth, Math.round(f.x), Math.round(f.width)]), want, 'frames');
	t.is(await other.inputValue('#search'), 'char', 'search');
	const narrow = await openServed(t, {hash, viewport: {width: 600, height: 600}});
	await isWide(t, narrow, 'parse_request', 1);
});

test('page: a link that makes no sense shows the whole', async t => {
	const context = await t.context();
	for (const hash of ['#zoom=AAAAAAAA', '#zoom=~1~0', '#zoom=~0.5~9e9', '#zoom=.~~', '#zoom=AAAA.zzzzzzzzzzzzz~0~1', '#view=nosuch&color=nosuch&order=x&event=99', '#%E0%A4%A', '#transforms=focus:(((,evil:x',
		'#range=NaN-Infinity&range2=1-2', '#threads=zzzz', '#search=%5B']) {
		const page = await openServed(t, {hash, context});
		t.ok(await page.locator('#stage canvas').first().isVisible(), `${hash}: something is shown`);
		await page.close();
	}
});

test('page: follows the size of the window', async t => {
	const page = await openServed(t, {viewport: {width: 1000, height: 700}});
	t.near((await frame(page, 'all')).width, 1000, 40, 'as wide as the window');
	for (const width of [1500, 420]) {
		await page.setViewportSize({width, height: 700});
		await t.until(async () => Math.abs((await frame(page, 'all')).width - width) < 40, `${width} pixels`);
		t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no scrolling sideways');
	}
});

test('page: motion is short, and none where it is not wanted', async t => {
	for (const [reducedMotion, least, most] of [['no-preference', 2, 60], ['reduce', 1, 1]]) {
		const page = await openServed(t, {reducedMotion});
		await page.evaluate(() => {
			// A clock that is as fast as the pictures are, however slow that is.
			const draw = requestAnimationFrame.bind(window);
			let now = 0;
			performance.now = () => now;
			window.requestAnimationFrame = task => draw(() => task(now += 16));
			const {painter} = window.wick.views.main, paint = painter.paint;
			window.painted = 0;
			painter.paint = function (...args) {
				window.painted++;
				return paint.apply(this, args);
			};
		});
		await clickFrame(t, page, 'serve');
		await page.mouse.move(1, 1);
		await isWide(t, page, 'serve', 1);
		await page.waitForTimeout(100);
		const nr = await page.evaluate(() => window.painted);
		t.ok(nr >= least && nr <= Math.max(most, 1), `${reducedMotion}: ${nr} pictures`);
	}
});
