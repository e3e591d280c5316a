// The page for everybody: fingers, dark rooms, paper, no scripts, no mouse, no eyes.
import {test} from './harness.mjs';
import {readable} from './contrast.mjs';
import {pixelAt} from './pixels.mjs';
import {diff, flame, served, waiting, write} from './files.mjs';
import {clickFrame, frame, isGone, isWide, middle, openServed, plain, says} from './viewer.mjs';

const PHONE = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 2};

// Until there is a menu.
async function longPress(page, x, y) {
	const client = await page.context().newCDPSession(page);
	await client.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
	await page.getByRole('menu').waitFor();
	await client.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
	await client.detach();
}

async function pinch(page, x, y, from, to) {
	const client = await page.context().newCDPSession(page);
	const fingers = gap => [{x: x - gap / 2, y, id: 0}, {x: x + gap / 2, y, id: 1}];
	await client.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: fingers(from)});
	for (let i = 1; i <= 5; i++)
		await client.send('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: fingers(from + (to - from) * i / 5)});
	await client.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
	await client.detach();
}

test('touch: a tap zooms, a long press opens the menu, two fingers zoom', async t => {
	const page = await openServed(t, PHONE);
	t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no scrolling sideways');
	await page.touchscreen.tap(...await middle(t, page, 'serve'));
	await isWide(t, page, 'serve', 1);
	await page.getByRole('button', {name: 'Reset zoom'}).tap();
	await isWide(t, page, 'serve', 0.5);
	await longPress(page, ...await middle(t, page, 'compress'));
	await page.getByRole('menu').waitFor();
	await isWide(t, page, 'compress', 0.5);
	await page.getByRole('menuitem', {name: /focus/i}).tap();
	await isGone(t, page, 'serve');
	await page.locator('#chips').getByRole('button').first().tap();
	await isWide(t, page, 'serve', 0.5);
	const [x, y] = await middle(t, page, 'compress');
	await pinch(page, x, y, 60, 160);
	await t.until(async () => (await frame(page, 'compress')).width > 250, 'pinched');
});

test('touch: what is tapped is large enough', async t => {
	const page = await openServed(t, PHONE);
	const small = await page.evaluate(() => [...document.querySelectorAll('button, select, input, [role=tab]')]
		.filter(e => e.checkVisibility() && e.getClientRects().length).map(e => [e.id || e.textContent, e.getBoundingClientRect()])
		.filter(([, box]) => box.width < 24 || box.height < 24).map(([what]) => what));
	t.same(small, [], 'smaller than 24 pixels');
	t.ok((await frame(page, 'serve')).height >= 23, 'frames are high enough');
});

test('touch: tools that are out of sight fade, and can be brought in front', async t => {
	const page = await openServed(t, PHONE), tools = page.locator('#tools');
	t.ok(await tools.evaluate(e => e.scrollWidth > e.clientWidth), 'there are more than fit');
	t.matches(await tools.evaluate(e => getComputedStyle(e).maskImage), /gradient/, 'they fade');
	await tools.evaluate(e => e.scrollLeft = e.scrollWidth);
	const [help, end] = await page.evaluate(() => ['#help', '#tools'].map(id => document.querySelector(id).getBoundingClientRect().right));
	t.ok(help <= 0.89 * end, `the last one is clear of it: ${help} of ${end}`);
});

const lightness = async (t, page) => {
	const png = await page.screenshot();
	return (await pixelAt(t, png, 0.001, 0.001)).reduce((a, b) => a + b) / 3;
};

test('dark: by preference, by the button, and remembered', async t => {
	const light = await openServed(t);
	t.ok(await lightness(t, light) > 200, 'light');
	const dark = await openServed(t, {colorScheme: 'dark'});
	t.ok(await lightness(t, dark) < 70, 'dark');
	const button = page => page.getByRole('button', {name: 'Dark or light'});
	await button(light).click();
	t.ok(await lightness(t, light) < 70, 'dark by choice');
	await light.reload();
	await t.ready(light);
	t.ok(await lightness(t, light) < 70, 'remembered');
	await button(light).click();
	t.ok(await lightness(t, light) > 200, 'light again');
	await light.keyboard.press('d');
	t.ok(await lightness(t, light) < 70, 'by its key');
	await dark.emulateMedia({colorScheme: 'light'});
	await t.until(async () => await lightness(t, dark) > 200, 'follows the system');
});

for (const colorScheme of ['light', 'dark'])
	test(`contrast: all text of all views is readable, ${colorScheme}`, async t => {
		const page = await openServed(t, {colorScheme});
		for (const view of ['Flame', 'Reverse', 'Sandwich', 'Table', 'Timeline']) {
			await page.getByRole('tab', {name: view}).click();
			await readable(t, page, view);
		}
		await page.getByRole('tab', {name: 'Flame'}).click();
		await page.fill('#search', 'render(');
		await page.locator('#stage canvas').first().click({button: 'right', position: {x: 200, y: 30}});
		await readable(t, page, 'menu');
		await page.keyboard.press('Escape');
		await page.locator('#stage canvas').first().hover({position: {x: 200, y: 30}});
		await readable(t, page, 'tip');
		for (const button of ['Info', 'Help', 'Threads']) {
			await page.getByRole('button', {name: button}).click();
			await readable(t, page, button);
			await page.keyboard.press('Escape');
		}
	});

test('print: paper gets the picture and the table', async t => {
	const page = await openServed(t);
	await page.emulateMedia({media: 'print'});
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	t.ok(await page.locator('#static svg').first().isVisible(), 'the picture');
	t.ok(await page.locator('#static table').isVisible(), 'the table');
	t.ok(!await page.locator('#stage canvas').first().isVisible(), 'no canvas');
	t.ok(!await page.locator('#search').isVisible(), 'no tools');
	const pdf = await page.pdf();
	t.ok(pdf.length > 10000, `${pdf.length} bytes of PDF`);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	await page.emulateMedia({media: 'screen'});
	t.ok(await page.locator('#stage canvas').first().isVisible(), 'and back');
});

test('print: paper shows the zoom, the filters, the search and the view', async t => {
	const page = await openServed(t, {hash: '#search=token&transforms=ignore:memcpy'});
	const printed = async () => {
		await page.emulateMedia({media: 'screen'});
		await page.emulateMedia({media: 'print'});
		await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
		return plain(await page.locator('#static').innerText());
	};
	const names = () => page.locator('#static svg text').allTextContents();
	await clickFrame(t, page, 'parse_request');
	await isWide(t, page, 'parse_request', 1);
	t.matches(await printed(), /375 samples.*Without memcpy.*Search: token.*Zoom: served › main › serve › parse_request.*20\.0 %, 75 samples/, 'what is shown');
	t.ok((await names()).includes('tokenize'), 'the zoomed frame calls it');
	t.ok(!(await names()).includes('deflate_fast'), 'what is beside the zoom is not there');
	t.matches(await page.locator('#static table').innerText(), /tokenize/, 'functions that match');
	t.ok(!/memcpy/.test(await page.locator('#static table').innerText()), 'no function that is filtered out');
	await page.emulateMedia({media: 'screen'});
	await page.keyboard.press('Escape');
	await page.getByRole('tab', {name: 'Sandwich'}).click();
	t.matches(await printed(), /Callers of .*Callees of /, 'both graphs of a sandwich');
	t.is(await page.locator('#static svg').count(), 2, 'two pictures');
});

for (const colorScheme of ['light', 'dark'])
	test(`no script: picture and table, ${colorScheme}`, async t => {
		const page = await openServed(t, {javaScriptEnabled: false, colorScheme});
		t.ok(await page.locator('#static svg').first().isVisible(), 'picture');
		const picture = await page.locator('#static svg').first().boundingBox();
		t.ok(picture.width > 800 && picture.height > 80, 'its size');
		t.ok((await page.locator('#static svg').first().textContent()).includes('parse_request'), 'its names');
		const rows = await page.locator('#static tbody tr').allTextContents();
		t.ok(rows.some(r => r.includes('deflate_fast') && r.includes('150')), 'top table');
		t.same((await page.locator('#static p').allTextContents()).map(plain), ['/usr/bin/perf record -F 100 -g ./served --port 80', '400 samples'], 'what it is of');
		t.ok((await page.locator('#static svg').first().textContent()).includes('kernel'), 'what colors mean');
		t.ok(!await page.locator('#app').isVisible(), 'no tools that do nothing');
		await readable(t, page, 'no script');
	});

test('keys: everything can be reached by Tab alone', async t => {
	const page = await openServed(t);
	const want = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas[tabindex]')]
		.filter(e => e.checkVisibility() && !e.disabled && e.tabIndex >= 0).map(e => e.id || e.tagName));
	const seen = new Set();
	for (let i = 0; i < want.length + 5; i++) {
		await page.keyboard.press('Tab');
		seen.add(await page.evaluate(() => document.activeElement.id || document.activeElement.tagName));
		const ring = await page.evaluate(() => {
			const s = getComputedStyle(document.activeElement);
			return document.activeElement === document.body || s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1;
		});
		t.ok(ring, `the focus is seen on ${[...seen].at(-1)}`);
	}
	t.same(want.filter(id => !seen.has(id)), [], 'never reached');
});

test('keys: a page that was just opened can be walked, whatever the view', async t => {
	for (const view of ['flame', 'reverse', 'timeline']) {
		const page = await openServed(t, {hash: `#view=${view}`});
		t.ok(await page.evaluate(() => document.activeElement === document.body), 'nothing has the focus');
		await page.keyboard.press('ArrowDown');
		const name = await says(t, page, '#live', /^(?!all)\S/);
		await page.keyboard.press('Enter');
		await t.until(() => page.evaluate(() => window.wick.view.node > 0), `${view}: ${name} fills the picture`);
	}
	const page = await openServed(t, {hash: '#view=table'});
	await page.keyboard.press('ArrowDown');
	t.is(await page.evaluate(() => document.activeElement.dataset.at), '0', 'the first row');
	await page.keyboard.press('ArrowDown');
	t.is(await page.evaluate(() => document.activeElement.dataset.at), '1', 'and on from there');
	await page.keyboard.press('1');
	await page.locator('#flip').focus();
	await page.keyboard.press('Enter');
	t.is(await page.getAttribute('#flip', 'aria-pressed'), 'true', 'a control keeps its keys');
	t.is(await page.evaluate(() => window.wick.view.node), 0, 'for itself');
});

test('ears: everything that can be used has a name and a role', async t => {
	const context = await t.context();
	for (const view of ['flame', 'reverse', 'sandwich', 'table', 'timeline']) {
		const page = await openServed(t, {hash: `#view=${view}`, context});
		const client = await page.context().newCDPSession(page);
		const {nodes} = await client.send('Accessibility.getFullAXTree');
		const nameless = nodes.filter(n => !n.ignored && /^(button|textbox|searchbox|combobox|tab|checkbox|spinbutton|application|img|image|table|treegrid|dialog)$/
			.test(n.role.value) && !(n.name && n.name.value)).map(n => n.role.value);
		t.same(nameless, [], `${view}: without a name`);
		t.ok(nodes.some(n => n.role.value === 'tab' && n.properties.some(p => p.name === 'selected' && p.value.value)), `${view}: a tab is marked as selected`);
	}
});

test('ears: what is chosen is said', async t => {
	const page = await openServed(t);
	t.is(await page.getAttribute('#live', 'aria-live'), 'polite', 'a polite voice');
	await clickFrame(t, page, 'compress');
	await says(t, page, '#live', /compress: 50(\.0)? %, 200 samples/);
	t.ok(await page.getAttribute('#stage canvas', 'aria-activedescendant'), 'the canvas points at the mirror');
	const id = await page.getAttribute('#stage canvas', 'aria-activedescendant');
	t.matches(await page.locator(`#${id}`).textContent(), /compress/, 'which is there');
});

test('ears: forced colors keep what is drawn', async t => {
	const page = await openServed(t, {forcedColors: 'active'});
	await clickFrame(t, page, 'serve');
	await isWide(t, page, 'serve', 1);
	await says(t, page, '#detail', /serve/);
});

for (const colorScheme of ['light', 'dark'])
	test(`ears: forced colors keep matches and the heat map apart from the rest, ${colorScheme}`, async t => {
		const page = await openServed(t, {forcedColors: 'active', colorScheme, hash: '#view=timeline&search=render'});
		const {ground, hit, text, heat} = await page.evaluate(() => window.wick.views.ink);
		t.is(new Set([ground, hit, text]).size, 3, `matches: ${[ground, hit, text]}`);
		t.ok(new Set(heat).size > 8, `shades of the heat map: ${new Set(heat).size}`);
	});

test('ears: forced colors keep the colors of both legends', async t => {
	const page = await t.open(flame('waiting', waiting(), 'html', '-e', 'all'), {forcedColors: 'active', hash: '#view=timeline'});
	const colors = await page.evaluate(() => [...document.querySelectorAll('#legend i, .states i')].map(e =>
		[e.parentNode.textContent, getComputedStyle(e).backgroundColor, e.style.backgroundColor]));
	t.ok(colors.some(([text]) => text === 'running'), `the states: ${colors.map(([text]) => text)}`);
	t.same(colors.filter(([, shown, set]) => shown !== set), [], 'colors that are not shown');
});

test('touch: the threads and what stacks begin with fit on a phone', async t => {
	const page = await openServed(t, PHONE);
	await page.getByRole('button', {name: 'Threads'}).click();
	t.ok(await page.evaluate(() => {
		const panel = document.querySelector('dialog');
		return panel.scrollWidth <= panel.clientWidth &&
			panel.querySelector('select').getBoundingClientRect().right <= panel.getBoundingClientRect().right;
	}), 'no scrolling sideways');
});

// As the browser's own setting: before anything is laid out.
const LARGE_TEXT = page => page.addInitScript(() => new MutationObserver((_, all) => {
	document.documentElement.style.fontSize = '200%';
	all.disconnect();
}).observe(document, {childList: true, subtree: true}));
const SMALL_SCREENS = {
	'a phone': [PHONE, 0.55], 'a phone held sideways': [{...PHONE, viewport: {width: 844, height: 390}}, 0.6],
	'a phone with text of 200 %': [PHONE, 0.3, LARGE_TEXT], 'a screen with text of 200 %': [{}, 0.5, LARGE_TEXT],
};

for (const [what, [options, least, prepare]] of Object.entries(SMALL_SCREENS))
	test(`touch: every view has room on ${what}, and cuts no number`, async t => {
		const context = await t.context(options), files = [flame('served', served(), 'html'), diff('html')];
		if (prepare)
			await prepare(context);
		for (const file of files)
			for (const view of ['flame', 'sandwich', 'table']) {
				const page = await t.open(file, {context, hash: `#view=${view}`});
				const got = await page.evaluate(() => {
					const box = selector => [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect());
					return {share: box('#stage')[0].height / innerHeight, fits: document.documentElement.scrollWidth <= innerWidth,
						cut: [...document.querySelectorAll('#stage td:not(.name, .module)')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent),
						names: box('#stage td.name').map(({width}) => width), panes: box('.panes .flame').map(({height}) => height)};
				});
				t.ok(got.fits, `${view}: no scrolling sideways`);
				t.ok(got.share >= least, `${view}: ${got.share} of the height`);
				t.same(got.cut, [], `${view}: numbers that are cut`);
				t.ok(got.names.every(width => width > 90), `${view}: room for names: ${got.names[0]}`);
				t.ok(await page.locator('#tab-' + view).evaluate(e => {
					const tab = e.getBoundingClientRect(), tabs = e.parentNode.getBoundingClientRect();
					return tab.left >= tabs.left - 1 && tab.right <= Math.min(tabs.right, innerWidth) + 1;
				}), `${view}: its tab is in sight`);
				t.ok(got.panes.every(height => height > 40), `${view}: room for callers and callees: ${got.panes}`);
				await page.close();
			}
	});

test('text: the smallest share is not cut in the list of a sandwich', async t => {
	const file = flame('small-share', write('small-share.folded', 'main;large 100000\nmain;small 1\n'), 'html');
	for (const options of [{}, PHONE]) {
		const page = await t.open(file, {...options, hash: '#view=sandwich'});
		const cells = page.locator('.sandwich td.self', {hasText: '< 0.01 %'});
		t.is(await cells.count(), 1, 'small has a share');
		t.ok(await cells.first().evaluate(e => e.scrollWidth <= e.clientWidth), 'it has room for it');
	}
});

test('text: the labels of the timeline are as large as the reader wants text', async t => {
	const file = flame('served', served(), 'html'), context = await t.context(), usual = await t.open(file, {hash: '#view=timeline'});
	await LARGE_TEXT(context);
	const large = await t.open(file, {context, hash: '#view=timeline'});
	const font = page => page.locator('.strips canvas').evaluate(canvas => canvas.getContext('2d').font);
	const height = page => page.locator('.strips canvas').evaluate(canvas => canvas.clientHeight);
	t.matches(await font(usual), /^11px/, 'the usual size');
	t.matches(await font(large), /^22px/, 'twice that');
	t.is(await height(large), 2 * await height(usual), 'a strip has room for it');
});

test('touch: the search has room on a low screen with a long event name', async t => {
	const sample = (event, time) => `app 1/1 [000] 0.00${time}: 1 ${event}: \n\t1 main (/bin/app)\n\n`, name = 'an_event_with_a_very_long_name'.repeat(3);
	const text = sample(`${name}_a`, 1) + sample(`${name}_b`, 2);
	const page = await t.open(flame('long-event', write('long-event.perf', text), 'html'), {viewport: {width: 844, height: 390}});
	t.ok((await page.locator('#event').boundingBox()).width > 200, 'the event is wide');
	const search = await page.locator('#search').boundingBox(), tabs = await page.locator('#tabs').boundingBox();
	t.ok(search.width > 80, 'width of the search');
	t.ok(search.x >= 0 && search.x + search.width <= tabs.x, 'the search is beside the tabs, not below them');
});

test('touch: the diff and its tools fit on a phone', async t => {
	const page = await t.open(diff('html'), PHONE);
	t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no scrolling sideways');
	t.ok((await page.locator('#stage').boundingBox()).height > 300, 'room for the picture');
});
