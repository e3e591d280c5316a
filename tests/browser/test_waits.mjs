// Waits: colors by state, the bands of threads and the system in the timeline, and the way from a wait to its stack.
import {test} from './harness.mjs';
import {flame, spans, waiting} from './files.mjs';
import {frame, isGone, isWide, plain, says} from './viewer.mjs';

const open = (t, hash = '') => t.open(flame('waiting', waiting(), 'html', '-e', 'all'), {hash});
const legend = async page => (await page.locator('#legend li').allTextContents()).map(plain);
// web/color.js: a shade of each state, on light ground.
const SHADES = {running: '#ecbc8c', lock: '#dfbdf2', disk: '#dbcd90', sleep: '#d8dadc'};

// The color of a canvas at a place: x as a share of its width, y in pixels.
const colorAt = (page, canvas, x, y) => page.locator(canvas).evaluate((c, [X, Y]) => {
	const scale = c.height / parseFloat(c.style.height), copy = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
	copy.drawImage(c, -Math.floor(X * (c.width - 1)), -Math.floor(Y * scale));
	const [r, g, b] = copy.getImageData(0, 0, 1, 1).data;
	return '#' + [r, g, b].map(n => n.toString(16).padStart(2, '0')).join('');
}, [x, y]);

test('waits: frames have the color of what took most of their time', async t => {
	const page = await open(t);
	t.is(await page.locator('#color').inputValue(), 'state', 'the scheme is state');
	t.is((await legend(page)).join(), 'running,lock,disk,sleep', 'the legend has the states that are there');
	await page.locator('#event').selectOption({label: 'cpu-clock'});
	await t.until(async () => await page.locator('#color').inputValue() === 'kind', 'time on CPU has colors of its own');
	await page.locator('#event').selectOption({label: 'off-cpu'});
	await t.until(async () => (await legend(page)).join() === 'lock,disk,sleep', 'nothing runs where only waits are shown');
});

test('waits: a reason of the legend filters the flame graph', async t => {
	const page = await open(t);
	await page.locator('#legend button', {hasText: 'lock'}).click();
	await says(t, page, '#chips', /\[lock\]/);
	await isWide(t, page, 'take', 1);
	await isGone(t, page, 'fsync');
	await says(t, page, '#summary', /^1 s/);
	await page.locator('#legend button', {hasText: 'disk'}).click();
	await isWide(t, page, 'fsync', 1);
	t.is(plain(await page.locator('#chips').innerText()), 'Only with [disk] ✕', 'another reason takes the place of the first');
	await page.getByRole('button', {name: /^Undo: /}).click();
	await t.until(() => frame(page, 'take'), 'all is back');
});

test('waits: the table and the sandwich begin with the reason that took most time', async t => {
	const page = await open(t, '#view=table'), names = () => page.locator('tbody td.name').allTextContents();
	await page.locator('#event').selectOption({label: 'off-cpu'});
	// Nothing but a reason has a cost of its own; idle is the thread below [idle].
	await t.until(async () => (await names()).length === 10, 'the table of waits has all functions and reasons');
	t.is((await names()).join(), '[sleep],[disk],[lock],idle,rest,write_log,fsync,main,take,pthread_mutex_lock', 'reasons are first, and others are in the order of their total');
	await page.locator('#tab-sandwich').click();
	await says(t, page, '.panes h2', /^Callers of \[sleep\]$/);
	await page.locator('.sandwich tbody tr', {hasText: '[lock]'}).click();
	await t.until(() => frame(page, 'take', 'callers'), 'the sandwich of a reason shows who waits for it');
	const {x, y, width, height} = await frame(page, 'take', 'callers'), canvas = page.locator('.panes canvas').first(), at = await canvas.boundingBox();
	// A shade of lock is more blue than green, and those of running are not.
	const [, green, blue] = (await colorAt(page, '.panes canvas >> nth=0', (x + 0.9 * width - at.x) / at.width, y + height / 2 - at.y)).match(/[0-9a-f]{2}/g).map(n => parseInt(n, 16));
	t.ok(blue > green, 'its callers have the color of the reason');
	await page.locator('.sandwich tbody tr', {hasText: '[lock]'}).click({button: 'right'});
	await page.getByRole('menuitem', {name: /^Drop/}).click();
	await page.locator('#tab-flame').click();
	await isGone(t, page, 'take');
});

test('waits: a picture has the same colors when its script draws it', async t => {
	const page = await t.open(flame('waiting', waiting(), 'svg', '-e', 'all'));
	const colorOf = name => page.locator('#frames g', {has: page.getByText(name, {exact: true})}).locator('rect').first().getAttribute('class');
	const before = await colorOf('take');
	t.matches(before, /^c(48|49|50)\b/, 'a shade of lock');
	await page.locator('#frames g', {has: page.getByText('take', {exact: true})}).locator('rect').click();
	await t.until(async () => !await page.getByText('fsync', {exact: true}).count(), 'the rest is gone');
	t.is(await colorOf('take'), before, 'the same one when zoomed');
});

test('waits: the timeline has a band with the states of each thread', async t => {
	const page = await open(t, '#view=timeline');
	await page.locator('.strips canvas').waitFor();
	const band = row => 24 * (row + 1) - 3, strip = '.strips canvas';
	// By time: [idle] 2 s, app and writer 1.5 s.
	await t.until(async () => await colorAt(page, strip, 0.5, band(0)) === SHADES.sleep, 'an idle thread sleeps');
	t.is(await colorAt(page, strip, 0.2, band(1)), SHADES.running, 'app runs at first');
	t.is(await colorAt(page, strip, 0.5, band(1)), SHADES.lock, 'then it waits for the lock');
	t.is(await colorAt(page, strip, 0.2, band(2)), SHADES.disk, 'writer waits for the disk');
	t.ok(!Object.values(SHADES).includes(await colorAt(page, strip, 0.9, band(1))), 'nothing is known of what came after the last wait');
});

test('waits: a click on a band leads to the stack, the waker and the holder', async t => {
	const page = await open(t, '#view=timeline'), strips = page.locator('.strips canvas');
	await strips.waitFor();
	const box = await strips.boundingBox();
	await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
	await says(t, page, '.described', /app 10: 1 s for queue \(app\): \[lock\] < pthread_mutex_lock < take < main/);
	await says(t, page, '.described', /woken by writer 11: pthread_mutex_unlock < write_log/);
	await says(t, page, '.described', /held by writer 11: \[disk\] < fsync < write_log/);
	await page.locator('.described button', {hasText: 'held by'}).click();
	await isWide(t, page, 'fsync', 1);
	t.is(await page.locator('#tab-flame').getAttribute('aria-selected'), 'true', 'it is shown in the flame graph');
	await page.goBack();
	await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
	await page.locator('.described button', {hasText: 'for queue'}).click();
	await isWide(t, page, 'pthread_mutex_lock', 1);
});

test('waits: a tap on a band only describes the wait, and fingers scroll the timeline', async t => {
	for (const viewport of [{width: 390, height: 600}, {width: 844, height: 390}]) {
		const page = await t.open(flame('waiting', waiting(), 'html', '-e', 'all'), {hash: '#view=timeline', viewport, hasTouch: true, isMobile: true});
		const timeline = page.locator('.timeline'), client = await page.context().newCDPSession(page);
		// What is described is below the strips, which are at the bottom: the finger would be on it if it came too early.
		await timeline.evaluate(e => e.scrollTop += e.querySelector('.strips').getBoundingClientRect().bottom - e.getBoundingClientRect().bottom);
		const box = await page.locator('.strips canvas').boundingBox(), {x, y} = await timeline.boundingBox();
		await page.touchscreen.tap(box.x + 0.25 * box.width, box.y + 64);
		await says(t, page, '.described', /writer 11: 1\.50 s: \[disk\]/);
		t.is(await page.evaluate(() => location.hash), '#view=timeline', 'nothing else was tapped');
		await timeline.evaluate(e => e.scrollTop = 0);
		const touch = (type, ...touchPoints) => client.send('Input.dispatchTouchEvent', {type, touchPoints});
		await touch('touchStart', {x: x + 100, y: y + 110});
		for (let up = 10; up <= 80; up += 10)
			await touch('touchMove', {x: x + 100, y: y + 110 - up});
		await touch('touchEnd');
		await t.until(() => timeline.evaluate(e => e.scrollTop > 40), 'the timeline is scrolled');
	}
});

test('waits: keys go from thread to thread, and from wait to wait', async t => {
	const page = await open(t, '#view=timeline'), strips = page.locator('.strips canvas');
	await strips.focus();
	await page.keyboard.press('ArrowDown');
	await says(t, page, '.described', /^\[idle\]: 2 s: \[sleep\]/);
	await page.keyboard.press('ArrowDown');
	t.is(await page.locator('.described').textContent(), '', 'app runs at first');
	const box = 24 + 12, plainColor = await colorAt(page, '.strips canvas', 0.25, box);
	await page.keyboard.press('ArrowRight');
	await says(t, page, '.described', /^app 10: 1 s for queue/);
	t.ok(await colorAt(page, '.strips canvas', 0.25, box) !== plainColor, 'a frame marks where the wait begins');
	await page.keyboard.press('ArrowRight');
	await says(t, page, '.described', /^app 10: 1 s for queue/);
	await page.keyboard.press('ArrowDown');
	await says(t, page, '.described', /^writer 11: 1\.50 s: \[disk\]/);
	await page.keyboard.press('ArrowUp');
	await page.locator('.described button', {hasText: 'held by'}).focus();
	await page.keyboard.press('Enter');
	await isWide(t, page, 'fsync', 1);
});

test('waits: a stack is shown where filters hid its thread and its time', async t => {
	const page = await open(t, '#view=timeline&range=0-200000000'), strips = page.locator('.strips canvas');
	await page.locator('#threads').click();
	await page.locator('#panel').getByLabel(/^writer/).uncheck();
	await page.locator('#close').click();
	await says(t, page, '#chips', /2 of 3 threads.*Time 0 ns – 200 ms/);
	const box = await strips.boundingBox();
	t.is(box.height, 2 * 24, 'a thread that is left out has no strip');
	await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
	await page.locator('.described button', {hasText: 'held by'}).click();
	await isWide(t, page, 'fsync', 1);
	t.is(await page.locator('#chips li').count(), 0, 'no filter is left');
});

test('waits: a range of time has the part of a wait that is in it', async t => {
	const page = await open(t, '#view=timeline');
	await page.locator('#event').selectOption({label: 'off-cpu'});
	await page.getByLabel('From, seconds').first().fill('1');
	await page.getByLabel('To, seconds').first().fill('1.75');
	await page.keyboard.press('Tab');
	// Half a second of the lock and of the disk, and all of it asleep.
	await says(t, page, '#summary', /^1\.75 s/);
	await isWide(t, page, 'take', 0.5 / 1.75);
	await isWide(t, page, 'rest', 0.75 / 1.75);
});

test('waits: the system is drawn below the threads', async t => {
	const page = await open(t, '#view=timeline'), series = '.series canvas';
	await page.locator(series).waitFor();
	t.is(await page.locator(series).evaluate(c => parseFloat(c.style.height)), 2 * 34, 'two values have a row each');
	const ground = await colorAt(page, series, 0.99, 5);
	t.ok(await colorAt(page, series, 0.5, 30) !== ground, 'the CPUs are busy in the middle');
	t.is(await colorAt(page, series, 0.02, 30), ground, 'and not at the beginning');
	t.ok(await colorAt(page, series, 0.9, 60) !== ground, 'memory has a row of its own');
});

const openSpans = (t, hash) => t.open(flame('spans', spans(), 'html', '-e', 'time'), {hash});

test('spans: a profile of intervals without samples has a timeline', async t => {
	const page = await openSpans(t, '#view=timeline');
	await page.locator('.strips canvas').waitFor();
	t.is(await page.locator('.strips canvas').evaluate(c => parseFloat(c.style.height)), 2 * 24, 'both threads have a strip');
	const ground = await colorAt(page, '.strips canvas', 0.9, 20);
	t.ok(await colorAt(page, '.strips canvas', 0.4, 20) !== ground, 'main has something in the first half, and nothing in the second');
	await page.getByLabel('From, seconds').first().fill('0.5');
	await page.getByLabel('To, seconds').first().fill('1.25');
	await page.keyboard.press('Tab');
	// Of post 0.4 s, of send 0.1 s, of run 0.25 s.
	await says(t, page, '#summary', /^750 ms/);
	await isWide(t, page, 'send', 0.1 / 0.75);
	await isWide(t, page, 'run', 0.25 / 0.75);
	await isGone(t, page, 'step');
});

test('spans: a click on a strip leads to what started a span, and to what it is a part of', async t => {
	const page = await openSpans(t, '#view=timeline'), strips = page.locator('.strips canvas');
	await strips.waitFor();
	const box = await strips.boundingBox();
	await page.mouse.click(box.x + 0.6 * box.width, box.y + 40);
	await says(t, page, '.described', /worker 11: 1 s: run/);
	await says(t, page, '.described', /started by main 10: send < post/);
	await page.mouse.click(box.x + 0.9 * box.width, box.y + 40);
	await says(t, page, '.described', /worker 11: 500 ms: step < run/);
	await says(t, page, '.described', /part of worker 11: run/);
	await page.mouse.click(box.x + 0.6 * box.width, box.y + 40);
	await page.locator('.described button', {hasText: 'started by'}).click();
	await isWide(t, page, 'send', 1);
});

test('spans: a flame chart has them in order of time', async t => {
	const page = await openSpans(t, '#order=time');
	await isWide(t, page, 'post', 0.5);
	await isWide(t, page, 'run', 0.5);
});

test('spans: the timeline says that an event has no timestamps', async t => {
	const page = await openSpans(t, '#view=timeline');
	await page.locator('#event').selectOption({label: 'cycles'});
	await says(t, page, '.timeline', /The selected event has no timestamps\./);
});
