// The SVG: a plain picture that redraws itself from the profile inside it.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {test} from './harness.mjs';
import {Folded, diff, fileAt, flame, pool, served, tree, wick, write} from './files.mjs';
import {pixelAt} from './pixels.mjs';
import {plain} from './viewer.mjs';

// Those with room for a name are two elements in one.
const FRAMES = '#frames > :is(g:not(.more), a, rect)';

// What the frames on the screen say of themselves, as `name (numbers)`; a title may come with the pointer only.
async function titles(page) {
	const raw = await page.evaluate(all => [...document.querySelectorAll(all)].map(g => {
		(g.querySelector('rect') ?? g).dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
		return g.querySelector('title').textContent;
	}), FRAMES);
	return raw.map(title => plain(title.replace(/^(.*)\n(.*)/, '$2 ($1)')));
}

async function names(page) {
	return (await titles(page)).map(title => title.replace(/ \([^()]*\)$/, ''));
}

// A frame of this name: the first, or the one of that number.
function frame(page, name, number = 0) {
	return page.evaluateHandle(([all, want, nr]) => {
		const found = [...document.querySelectorAll(all)].filter(g => {
			(g.querySelector('rect') ?? g).dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
			const title = g.querySelector('title').textContent;
			return title.startsWith(want + ' (') || title.endsWith('\n' + want);
		});
		return found[nr].querySelector('rect') ?? found[nr];
	}, [FRAMES, name, number]);
}

// The functions that are called like that, from left to right.
async function order(page) {
	const list = await page.evaluate(all => [...document.querySelectorAll(all)].map(g =>
		[g.querySelector('text')?.textContent, g.getBoundingClientRect().left]), FRAMES);
	return list.filter(([name]) => /^read/.test(name)).sort((a, b) => a[1] - b[1]).map(([name]) => name);
}

async function click(page, name) {
	await (await frame(page, name)).click();
}

const width = (page, name) => frame(page, name).then(rect => rect.evaluate(e => e.getBoundingClientRect().width));

test('svg: loads, and shows every function of a small profile', async t => {
	const page = await t.open(flame('served', served(), 'svg'));
	const shown = await names(page);
	for (const name of ['all', 'main', 'parse_request', 'tokenize', 'next_char', 'vfs_write', 'deflate_fast'])
		t.ok(shown.includes(name), `${name} is drawn`);
	const said = (await titles(page)).find(title => title.startsWith('compress ('));
	t.matches(said, /200 samples/, 'title of compress');
	t.matches(said, /50(\.0*)? ?%/, 'title of compress');
});

test('svg: a tooltip begins with the numbers, and is bounded', async t => {
	const name = 'std::map<' + 'std::basic_string<char>, '.repeat(60) + 'int>::find(int)';
	const file = flame('templates', write('templates.folded', `main;${name} 30\nmain;other 70\n`), 'svg');
	for (const javaScriptEnabled of [false, true]) {
		const page = await t.open(file, {javaScriptEnabled});
		await page.locator('#frames g', {hasText: 'std::map'}).locator('rect').hover();
		const [numbers, said] = (await page.locator('#frames title', {hasText: 'std::map'}).textContent()).split('\n');
		t.is(plain(numbers), '30 samples, 30.0 %', 'the first line');
		t.matches(said, /^std::map</, 'the second line');
		t.ok(said.length <= (javaScriptEnabled ? 240 : 1001), `its length: ${said.length}`);
	}
	const page = await t.open(file);
	await click(page, 'main');
	await (await frame(page, 'other')).hover();
	t.is(plain(await page.locator('#frames title', {hasText: 'other'}).textContent()), '70 samples, 70.0 %, 70.0 % of the zoom other', 'in a zoom');
});

test('svg: click zooms, Esc, Backspace and the history go back', async t => {
	const page = await t.open(flame('served', served(), 'svg'));
	const whole = await width(page, 'all'), before = await width(page, 'serve');
	t.near(before, whole / 2, 2, 'serve is half of all');
	for (const back of [p => p.keyboard.press('Escape'), p => p.keyboard.press('Backspace'), p => p.goBack()]) {
		await click(page, 'serve');
		t.near(await width(page, 'serve'), whole, 2, 'serve fills the picture');
		t.ok(!(await names(page)).includes('deflate_fast'), 'what is beside it is gone');
		t.ok((await names(page)).includes('main'), 'its caller stays');
		await back(page);
		await t.until(async () => Math.abs(await width(page, 'serve') - before) < 2, 'the whole is back');
	}
});

test('svg: zoom shows frames that the picture left out', async t => {
	const page = await t.open(flame('tree', await tree('100K'), 'svg'));
	const source = fs.readFileSync(fileAt('tree.svg'), 'utf8');
	const still = new Set([...source.matchAll(/<title>([^<]*)<\/title>/g)].map(m => m[1]));
	t.ok(still.size < 20000, `${still.size} titles of 100,000 frames in the markup`);
	let fresh = 0;
	for (let i = 0; i < 4; i++) {
		const target = await page.evaluateHandle(() => {
			const all = [...document.querySelectorAll('#frames g')];
			const widths = all.map(g => g.querySelector('rect').getBoundingClientRect().width);
			const want = Math.max(...widths) / 8;
			const best = widths.reduce((b, w, j) => Math.abs(w - want) < Math.abs(widths[b] - want) ? j : b, 0);
			return all[best].querySelector('rect');
		});
		await target.click();
		// Frames without names come with the next picture.
		await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
		const now = await names(page);
		t.ok(now.length < 20000, `${now.length} elements`);
		fresh += now.filter(name => ![...still].some(title => title.startsWith(name))).length;
	}
	t.ok(fresh > 0, 'names that were nowhere in the markup');
	await page.keyboard.press('0');
	await t.until(async () => (await names(page)).length > 500, 'the whole is back');
});

test('svg: search tells the share, marks the frames, and says when there is none', async t => {
	const page = await t.open(flame('served', served(), 'svg'));
	const folded = new Folded(served());
	const say = pattern => t.until(async () => pattern.test(plain(await page.evaluate(() =>
		[...document.querySelectorAll('text')].map(e => e.textContent).join('\n')))), String(pattern));
	await page.keyboard.press('/');
	await page.keyboard.type('parse');
	await say(/37\.5 % matched/);
	t.near(folded.share(name => /parse/.test(name)), 37.5, 1e-9, 'wick collapse says the same');
	t.is(await page.locator('#frames .hit').count(), 2, 'marked frames');
	await page.keyboard.press('Control+a');
	await page.keyboard.type('^(render|memcpy)$');
	await say(/31\.3 % matched/);
	await page.keyboard.press('Control+a');
	await page.keyboard.type('nosuchfunction');
	await say(/no match/i);
	await page.keyboard.press('Control+a');
	await page.keyboard.type('render[');
	await say(/regex|regular expression|pattern|bracket|class/i);
	await page.keyboard.press('Escape');
	t.is(await page.locator('#frames .hit').count(), 0, 'nothing is marked');
});

test('svg: Ctrl-F is the search of the picture', async t => {
	const page = await t.open(flame('served', served(), 'svg'));
	await page.keyboard.press('Control+f');
	await page.keyboard.type('render');
	await t.until(() => page.locator('#frames .hit').count(), 'frames are marked');
});

test('svg: keys walk to the child, its sibling and back, and Enter zooms', async t => {
	const page = await t.open(flame('served', served(), 'svg'));
	const at = () => page.evaluate(() => document.querySelector('#details').textContent);
	await page.keyboard.press('ArrowDown');
	t.matches(await at(), /^(served|worker) \(/, 'a child of the root');
	await page.keyboard.press((await at()).startsWith('served') ? 'ArrowRight' : 'ArrowLeft');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	const deep = await at();
	t.matches(deep, /^(serve|worker_loop) \(/, 'two down');
	await page.keyboard.press('ArrowUp');
	t.matches(await at(), /^(main|start_thread) \(/, 'one up');
	await page.keyboard.press('Enter');
	const name = (await at()).replace(/ \(.*/, '');
	t.near(await width(page, name), await width(page, 'all'), 2, 'it is zoomed');
});

test('svg: a link shows the same zoom and search', async t => {
	const file = flame('served', served(), 'svg');
	const page = await t.open(file);
	await click(page, 'compress');
	const hash = await page.evaluate(() => location.hash);
	t.ok(hash.length > 1, 'the zoom is in the link');
	const shown = await names(page);
	t.same(await names(await t.open(file, {hash})), shown, 'frames of the linked zoom');
	// The same stack, whatever the size of the picture.
	const narrow = await t.open(file, {hash, viewport: {width: 700, height: 500}});
	t.near(await width(narrow, 'compress'), await width(narrow, 'all'), 2, 'zoomed in a narrow window');
	await page.keyboard.press('/');
	await page.keyboard.type('deflate');
	await t.until(() => page.locator('#frames .hit').count(), 'a hit');
	const found = await t.open(file, {hash: await page.evaluate(() => location.hash)});
	t.is(await found.locator('#frames .hit').count(), 1, 'the search is linked');
});

test('svg: fills the window, and follows its size', async t => {
	const page = await t.open(flame('served', served(), 'svg'), {viewport: {width: 1000, height: 700}});
	t.near(await width(page, 'all'), 980, 25, 'width of all');
	await page.setViewportSize({width: 1400, height: 700});
	await t.until(async () => Math.abs(await width(page, 'all') - 1380) < 25, 'wider');
	await page.setViewportSize({width: 500, height: 700});
	await t.until(async () => Math.abs(await width(page, 'all') - 480) < 25, 'narrower');
});

test('svg: is a picture without its script', async t => {
	const page = await t.open(flame('served', served(), 'svg'), {javaScriptEnabled: false});
	const text = plain(await page.locator('svg').first().textContent());
	t.ok(text.includes('100 samples, 25.0 % parse_request'), 'titles are in the markup');
	t.ok(text.includes('deflate_fast'), 'labels are in the markup');
});

test('svg: an <img> is a picture too, and dark where the reader wants it', async t => {
	const file = flame('served', served(), 'svg');
	const around = write('img.html', `<!doctype html><title>x</title><style>body{margin:0}</style><img src="${path.basename(file)}">`);
	t.urls.add(pathToFileURL(file).href);
	const ground = {};
	for (const colorScheme of ['light', 'dark']) {
		const page = await t.open(around, {ready: false, colorScheme});
		t.ok(await page.evaluate(() => document.images[0].naturalWidth) > 300, 'it is drawn');
		const png = await page.locator('img').screenshot();
		ground[colorScheme] = await pixelAt(t, png, 0.001, 0.999);
	}
	t.ok(ground.light.every(v => v > 200), `a light ground: ${ground.light}`);
	t.ok(ground.dark.every(v => v < 80), `a dark ground: ${ground.dark}`);
});

test('svg: the window below it is as dark as the picture', async t => {
	const file = flame('served', served(), 'svg');
	for (const [colorScheme, low, high] of [['light', 200, 255], ['dark', 0, 80]]) {
		const page = await t.open(file, {colorScheme, viewport: {width: 800, height: 1200}});
		const ground = await pixelAt(t, await page.screenshot(), 0.5, 0.99);
		t.ok(ground.every(v => v >= low && v <= high), `${colorScheme}: ${ground}`);
	}
});

// As Jenkins serves the files of a build: no script, no inline style.
const JENKINS = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self'";
const SCRIPTED = "default-src 'none'; script-src 'unsafe-inline'; style-src 'self'";

// The fill of every frame, what the background and the names are filled with, and how large the names are.
const looks = page => page.evaluate(() => {
	const fill = e => getComputedStyle(e).fill, all = selector => [...document.querySelectorAll(selector)];
	const ground = document.querySelector('#ground, svg > rect');
	return {ground: ground && fill(ground), rects: all('#frames rect').map(fill), texts: [...new Set(all('#frames text').map(fill))],
		sizes: [...new Set(all('#frames text').map(e => getComputedStyle(e).fontSize))],
		anchors: all('#title').map(e => getComputedStyle(e).textAnchor + getComputedStyle(e).fontSize)};
});

for (const [what, make] of Object.entries({
	'wick flame': () => flame('served', served(), 'svg'), 'wick flame --static': () => flame('static', served(), 'svg', '--static'),
	'wick flame --color module': () => flame('modules', served(), 'svg', '--color', 'module'), 'wick diff': () => diff('svg'),
	'flamegraph.pl': () => write('policy-perl.svg', wick([write('served.folded', wick(['collapse', '-q', served()]))], {as: 'flamegraph.pl'})),
	'inferno-flamegraph': () => write('policy-inferno.svg', wick([write('served.folded', wick(['collapse', '-q', served()]))], {as: 'inferno-flamegraph'})),
}))
	test(`svg: ${what} keeps its colors and fonts where inline styles are forbidden`, async t => {
		t.forgive(/Content Security Policy|sandboxed/);
		const file = make(), want = await looks(await t.open(file, {javaScriptEnabled: false}));
		t.ok(new Set(want.rects).size > 2, `colors: ${new Set(want.rects).size}`);
		t.same(await looks(await t.open(file, {ready: false, policy: JENKINS})), want, 'the same colors and fonts');
	});

test('svg: search marks frames and zoom hides the rest where inline styles are forbidden', async t => {
	t.forgive(/Content Security Policy/);
	const page = await t.open(flame('served', served(), 'svg'), {policy: SCRIPTED});
	t.ok(!await page.getByText('Reset zoom').isVisible(), 'no button without a zoom');
	await page.keyboard.press('/');
	await page.keyboard.type('parse');
	await t.until(async () => await page.locator('#frames .hit').count() === 2, 'marked frames');
	const fills = await page.evaluate(() => [...document.querySelectorAll('#frames rect')].map(e =>
		[Boolean(e.closest('.hit')), getComputedStyle(e).fill]));
	t.same([...new Set(fills.filter(([hit]) => hit).map(([, fill]) => fill))], ['rgb(244, 139, 224)'], 'the color of matches');
	t.ok(fills.filter(([hit]) => !hit).every(([, fill]) => fill !== 'rgb(244, 139, 224)' && fill !== 'rgb(0, 0, 0)'), 'the others keep theirs');
});

test('page: shows its picture where inline styles and scripts are forbidden', async t => {
	t.forgive(/Content Security Policy|sandboxed/);
	const page = await t.open(flame('served', served(), 'html'), {ready: false, policy: JENKINS});
	const fills = await page.evaluate(() => [...document.querySelectorAll('#static rect')].map(e => getComputedStyle(e).fill));
	t.ok(new Set(fills).size > 3, 'colors');
	t.ok(!fills.includes('rgb(0, 0, 0)'), 'none is black');
});

test('svg: on a phone it is as wide as the screen, and its rows can be read', async t => {
	const page = await t.open(flame('served', served(), 'svg'),
		{viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
	t.is(await page.evaluate(() => innerWidth), 390, 'wide');
	t.near(await width(page, 'all'), 370, 2, 'the whole fits');
	const {height} = await (await frame(page, 'main')).evaluate(e => e.getBoundingClientRect().toJSON());
	t.ok(height > 20, `rows for fingers: ${height}`);
});

test('svg: modules have hues far apart, the same before and after the script, and a legend', async t => {
	const file = flame('modules', served(), 'svg', '--color', 'module');
	const written = new Map([...fs.readFileSync(file, 'utf8').matchAll(/<title>[^<]*&#10;(\S+)<\/title><rect class="(c\d+)" /g)].map(([, name, c]) => [name, c]));
	const page = await t.open(file);
	for (const name of ['main', 'memcpy', 'vfs_write', 'next_char'])
		t.is(await (await frame(page, name)).getAttribute('class'), written.get(name), name);
	const hue = name => Math.floor((written.get(name).slice(1) - 24) / 3);
	t.ok(hue('main') >= 0 && hue('memcpy') >= 0 && Math.abs(hue('main') - hue('memcpy')) > 1, 'the hues of a program and of its library are far apart');
	t.is(hue('next_char'), hue('main'), 'what is inlined is of the program');
	t.is((await page.locator('#legend text').allTextContents()).join(), 'kernel,served,libc.so.6', 'legend');
});

test('svg: the legend is where the title and the buttons leave room', async t => {
	const page = await t.open(flame('colored-long', served(), 'svg', '--color', 'module', '--title', 'A title that is rather long for a phone'));
	const inside = () => page.evaluate(() => {
		const box = e => e.getBoundingClientRect(), texts = [...document.querySelectorAll('#legend text')].filter(e => box(e).width);
		const title = box(document.querySelector('#title')), buttons = [...document.querySelectorAll('.button')].filter(e => box(e).width);
		return {nr: texts.length, fits: texts.every(e => box(e).left > title.right && buttons.every(b => box(e).right < box(b).left))};
	});
	for (const [width, least] of [[1280, 3], [700, 0], [420, 0]]) {
		await page.setViewportSize({width, height: 700});
		await t.until(async () => (await inside()).fits, `${width} pixels`);
		t.ok((await inside()).nr >= least, `${least} colors at least`);
	}
});

test('svg: numbered threads are grouped where there are many, and --per-thread shows each', async t => {
	const roots = async (name, nr, ...options) => {
		const page = await t.open(flame(`pool-${name}`, pool(nr), 'svg', '--min-width', '0', ...options));
		return (await names(page)).filter(root => /^(pool|main)/.test(root)).sort();
	};
	t.same(await roots('grouped', 300), ['main', 'pool-*'], 'one root for 300 threads');
	t.ok(fs.readFileSync(flame('pool-static', pool(300), 'svg', '--static'), 'utf8').includes('&#10;pool-*</title>'), 'one root without the script');
	t.is((await roots('each', 300, '--per-thread')).filter(name => /^pool-\d+-9\/\d+$/.test(name)).length, 300, 'each thread');
	t.is((await roots('eight', 8)).length, 9, 'eight are few enough');
});

test('svg: --static has every frame, no script and no data', async t => {
	const file = flame('static', served(), 'svg', '--static');
	const source = fs.readFileSync(file, 'utf8');
	t.ok(!/<script|<metadata|<foreignObject|\son[a-z]+=/i.test(source), 'nothing that runs');
	const page = await t.open(file, {ready: false});
	t.is(await page.locator('script').count(), 0, 'scripts');
	const shown = await page.evaluate(() => [...document.querySelectorAll('g > title')].map(e => e.textContent));
	t.is(shown.length, new Set(new Folded(served()).lines.flatMap(({stack}) =>
		stack.map((_, i) => stack.slice(0, i + 1).join(';')))).size + 1, 'frames');
});

test('svg: a diff has signs, both colors, and gray where a change is not significant', async t => {
	const page = await t.open(diff('svg'));
	const all = await titles(page);
	t.matches(all.find(s => s.startsWith('slow (')), /\+20(\.0)? pt/, 'slow grew');
	t.matches(all.find(s => s.startsWith('rest (')), /-10\.5 pt/, 'rest shrank');
	t.matches(all.find(s => s.startsWith('gone (')), /-20(\.0)? pt/, 'what vanished is drawn');
	const labels = await page.evaluate(() => [...document.querySelectorAll('#frames text')].map(e => e.textContent));
	t.ok(labels.includes('\u221210.5 rest') && labels.includes('+20.0 slow'), `changes in numbers: ${labels}`);
	const fill = async name => (await (await frame(page, name)).evaluate(e => getComputedStyle(e).fill)).match(/\d+/g).map(Number);
	const [slow, gone, steady] = [await fill('slow'), await fill('gone'), await fill('steady')];
	t.ok(slow[0] > slow[2] + 20, `more is orange: ${slow}`);
	t.ok(gone[2] > gone[0] + 20, `less is blue: ${gone}`);
	t.ok(Math.max(...steady) - Math.min(...steady) < 25, `no news is neutral: ${steady}`);
});

for (const as of ['inferno-flamegraph', 'flamegraph.pl'])
	test(`svg of ${as}: zoom, search, reset`, async t => {
		const folded = write('served.folded', wick(['collapse', '-q', served()]));
		const page = await t.open(write(`${as}.svg`, wick([folded], {as})));
		const whole = await width(page, 'all');
		await click(page, 'compress');
		t.near(await width(page, 'compress'), whole, 2, 'compress fills the picture');
		await page.locator('text', {hasText: 'Reset zoom'}).click();
		await t.until(async () => Math.abs(await width(page, 'compress') - whole / 2) < 2, 'the whole is back');
		await page.keyboard.press('Control+f');
		await page.keyboard.type('parse');
		await t.until(async () => /37\.5\d* ?%/.test(plain(await page.evaluate(() => document.documentElement.textContent))), 'share');
	});

test('svg of a drop-in opens in the order of its markup, which is that of names with marks', async t => {
	const folded = 'r;read_[j];x 20\nr;readAll_[j] 30\n';
	for (const as of ['flamegraph.pl', 'inferno-flamegraph']) {
		const svg = write(`${as}-order.svg`, wick([], {input: folded, as}));
		const still = await t.open(svg, {javaScriptEnabled: false}), page = await t.open(svg);
		const before = await order(still), after = await order(page);
		t.same(before, ['readAll', 'read'], `${as}: as the peer has it`);
		t.same(after, before, `${as}: as it was written`);
	}
});

test('svg of a drop-in without script has none', async t => {
	const folded = write('served.folded', wick(['collapse', '-q', served()]));
	const page = await t.open(write('still.svg', wick(['--no-javascript', folded], {as: 'inferno-flamegraph'})), {ready: false});
	t.is(await page.locator('script').count(), 0, 'scripts');
	t.is(await page.locator('metadata').count(), 0, 'data');
});
