// Every view, and what changes what they show.
import {foldedPack} from '../web/pack.mjs';
import {test} from './harness.mjs';
import {beforeAfter, diff, fileAt, flame, pool, served, timedDiff, wick, write} from './files.mjs';
import {chosen, clickFrame, frame, frames, hoverFrame, isGone, isWide, openServed, plain, says, share, textOf} from './viewer.mjs';

const tab = (page, name) => page.getByRole('tab', {name}).click();

async function tableRows(page) {
	const rows = await page.locator('#stage tbody tr[data-at]').evaluateAll(all => all.map(tr =>
		[...tr.querySelectorAll('td')].map(td => td.textContent)));
	return rows.map(row => row.map(plain));
}

test('view: flip turns the root to the bottom and back', async t => {
	const page = await openServed(t);
	for (const flip of [() => page.keyboard.press('i'), () => page.getByRole('button', {name: 'Flip'}).click()]) {
		await flip();
		await t.until(async () => (await frame(page, 'main')).y > (await frame(page, 'serve')).y, 'upwards');
		t.is(await page.getByRole('button', {name: 'Flip'}).getAttribute('aria-pressed'), 'true', 'pressed');
		await flip();
		await t.until(async () => (await frame(page, 'main')).y < (await frame(page, 'serve')).y, 'downwards');
	}
});

test('view: --flame opens with the root at the bottom', async t => {
	const page = await t.open(flame('flame', served(), 'html', '--flame'));
	t.ok((await frame(page, 'main')).y > (await frame(page, 'serve')).y, 'upwards');
});

test('view: reverse goes from the leaves to their callers', async t => {
	const page = await openServed(t);
	await tab(page, 'Reverse');
	await isWide(t, page, 'deflate_fast', 150 / 400);
	await isWide(t, page, 'next_char', 125 / 400);
	const leaf = await frame(page, 'deflate_fast'), caller = (await frames(page)).find(f => f.name === 'compress' && f.x === leaf.x);
	t.is(leaf.depth, 1, 'a leaf is at the root');
	t.is(caller.depth, 2, 'its caller comes next');
	await clickFrame(t, page, 'next_char');
	await isWide(t, page, 'tokenize', 1);
	await page.keyboard.press('Escape');
	await page.keyboard.press('r');
	await isWide(t, page, 'compress', 0.5);
});

test('view: sandwich shows callers above and callees below', async t => {
	const page = await openServed(t);
	await clickFrame(t, page, 'parse_request', {button: 'right'});
	await page.getByRole('menuitem', {name: /sandwich/i}).click();
	await isWide(t, page, 'serve', 100 / 150, 'callers');
	await isWide(t, page, 'compress', 50 / 150, 'callers');
	await isWide(t, page, 'tokenize', 125 / 150, 'callees');
	await isWide(t, page, 'memcpy', 25 / 150, 'callees');
	t.ok(!await frame(page, 'deflate_fast', 'callees'), 'only what it calls');
	// Another function is chosen in the list.
	await page.locator('#stage tbody tr[data-at]', {hasText: 'compress'}).first().click();
	await isWide(t, page, 'deflate_fast', 150 / 200, 'callees');
	await isWide(t, page, 'worker_loop', 1, 'callers');
});

test('view: sandwich counts recursion once', async t => {
	const page = await openServed(t);
	await clickFrame(t, page, 'render', {button: 'right'});
	await page.getByRole('menuitem', {name: /sandwich/i}).click();
	await isWide(t, page, 'serve', 1, 'callers');
	await isWide(t, page, 'escape_html', 0.5, 'callees');
});

test('view: table sorts by every column, both ways', async t => {
	const page = await openServed(t);
	await tab(page, 'Table');
	const heading = name => page.getByRole('columnheader', {name}).getByRole('button');
	const rows = () => tableRows(page);
	let now = await rows();
	const column = async name => (await page.locator('#stage thead th').allTextContents()).findIndex(h => h.startsWith(name));
	const name = await column('Function'), self = await column('Self'), total = await column('Total');
	t.is(now[0][name], 'deflate_fast', 'most self first');
	t.matches(now[0][self], /37\.5 %\s*150/, 'its self');
	t.is(now[1][name], 'next_char', 'then');
	await heading('Total').click();
	now = await rows();
	t.matches(now[0][total], /50\.0 %\s*200/, 'most total first');
	const renders = now.find(r => r[name] === 'render');
	t.matches(renders[total], /25\.0 %\s*100/, 'recursion counted once');
	await heading('Total').click();
	now = await rows();
	t.matches(now[0][total], /6\.3 %\s*25/, 'least total first');
	await heading('Function').click();
	now = await rows();
	t.same(now.map(r => r[name]), [...now.map(r => r[name])].sort(), 'names');
	t.is(await page.locator('#stage th[aria-sort]').count(), 1, 'one column is said to be sorted');
	await heading('Module').click();
	now = await rows();
	t.ok(now.length > 10, 'all rows');
});

test('view: table shortens names in their middle, and cuts no number', async t => {
	const name = 'std::vector<std::map<int,std::string>>::' + 'a_name_that_goes_on::'.repeat(12) + 'to_its_end(int)';
	const page = await t.open(flame('long', write('long.folded', `main;${name} 1584012\n`), 'html'));
	await tab(page, 'Table');
	const cells = await page.locator('#stage tbody td').evaluateAll(all => all.map(td => ({
		text: td.textContent, title: td.title, cut: td.scrollWidth > td.clientWidth, name: td.className})));
	const long = cells.find(({title}) => title === name);
	t.ok(long && long.text !== name && long.text.includes('to_its_end') && !long.cut, 'the end of a name is seen');
	t.ok(!cells.some(({cut}) => cut), 'nothing is cut');
});

test('view: table shows modules by their last name, cut in the middle, and says where there is no name', async t => {
	const library = 'libpython3.11.so.1.0', long = 'lib' + 'long_'.repeat(30) + 'end.so.1.2.3';
	const sample = (name, file) => `sh 12 [000] 1.000000: 1 cycles:\n\t7f12 ${name} (/opt/versions/3.11.7/lib/${file})\n\n`;
	const page = await t.open(flame('modules-named', write('modules.perf', sample('short', library) + sample('longer', long)), 'html'));
	await tab(page, 'Table');
	const cells = await page.locator('#stage td.module').evaluateAll(all => all.map(td => ({text: td.textContent, title: td.title})));
	const of = file => cells.find(({title}) => title === '/opt/versions/3.11.7/lib/' + file)?.text;
	t.is(of(library), library, 'the name of the file');
	t.matches(of(long), /^liblong_.*….*end\.so\.1\.2\.3$/, 'begin and end of a long one');
	const nameless = await t.open(flame('nameless', write('nameless.wick', foldedPack('a;b 1\n', {frames: ['a', 'b', {names: [''], words: ['']}],
		counts: [{stack: [1, 3], weight: 5}, {stack: [1, 2], weight: 1}]})), 'html'));
	await tab(nameless, 'Table');
	const cell = nameless.locator('#stage td.name').first();
	t.is(await cell.textContent(), '[unnamed]', 'no row is blank');
	t.ok(await cell.evaluate(td => getComputedStyle(td).color !== getComputedStyle(td.previousSibling).color), 'in another color');
});

test('view: the details of a row are those of all frames of its function', async t => {
	const page = await openServed(t);
	for (const name of ['Table', 'Sandwich']) {
		await tab(page, name);
		await page.locator('#stage tbody tr[data-at]', {hasText: 'parse_request'}).first().focus();
		await says(t, page, '#detail', /^parse_request.*Total 150 samples · 37\.5 % ?Self 0 samples.*Frames 2$/);
	}
	const compared = await diffPage(t);
	await tab(compared, 'Table');
	await compared.locator('#stage tbody tr[data-at]', {hasText: 'steady'}).focus();
	await says(t, compared, '#detail', /Before 400 samples.*After 405 samples.*Change \+0\.50 pt · not significant, 95 % interval -/);
});

test('view: a tooltip begins with the numbers, and is bounded', async t => {
	const name = 'std::map<' + 'std::basic_string<char>, '.repeat(60) + 'int>::find(int)';
	const page = await t.open(flame('templates', write('templates.folded', `main;${name} 30\nmain;other 70\n`), 'html'));
	await hoverFrame(t, page, name);
	await says(t, page, '#tip', /^30\.0 %, 30 samples ?std::map<.*find\(/);
	t.ok((await page.locator('#tip').textContent()).length < 300, 'its length');
	t.ok((await page.locator('#tip').boundingBox()).height < 130, 'its height');
});

test('view: a tooltip goes with what it is about', async t => {
	const page = await openServed(t), tip = page.locator('#tip');
	for (const [key, what] of [['4', 'another view'], ['1', 'and back'], ['2', 'a view with the same canvas'], ['i', 'flipped']]) {
		if (await page.locator('#stage canvas').count()) {
			await hoverFrame(t, page, 'next_char');
			await t.until(() => tip.isVisible(), 'a tooltip');
		}
		await page.keyboard.press(key);
		t.ok(!await tip.isVisible(), what);
	}
	await page.keyboard.press('1');
	await hoverFrame(t, page, 'compress');
	await page.keyboard.press('3');
	await hoverFrame(t, page, 'compress', 'callers');
	await t.until(() => tip.isVisible(), 'a tooltip in the sandwich');
	await page.keyboard.press('4');
	t.ok(!await tip.isVisible(), 'no tooltip over the table');
});

test('view: a tooltip and the details are those of the frame after a change of the view', async t => {
	const page = await openServed(t), {width, y} = await frame(page, 'all'), move = x => page.mouse.move(x, y + 4);
	await move(width / 3);
	await says(t, page, '#tip', /^100 %.*all$/);
	await page.keyboard.press('c');
	await says(t, page, '#detail', /zoom/);
	await move(width / 2);
	await says(t, page, '#tip', /^100 %.*all$/);
	await says(t, page, '#detail', /^all/);
});

test('view: a table shows no controls of pictures', async t => {
	const page = await openServed(t), seen = () => Promise.all(['#color', '#order', '#flip', '#legend'].map(id => page.locator(id).isVisible()));
	await tab(page, 'Table');
	t.same(await seen(), [false, false, false, false], 'in a table');
	await tab(page, 'Flame');
	t.same(await seen(), [true, true, true, true], 'in a picture');
});

test('view: table by keys, down to the sandwich of a row', async t => {
	const page = await openServed(t);
	await tab(page, 'Table');
	await page.locator('#stage tbody tr[data-at="0"]').focus();
	await page.keyboard.press('ArrowDown');
	t.is(await page.evaluate(() => document.activeElement.dataset.at), '1', 'next row');
	await page.keyboard.press('End');
	await page.keyboard.press('Home');
	t.is(await page.evaluate(() => document.activeElement.dataset.at), '0', 'first row');
	await page.keyboard.press('Shift+F10');
	t.ok(await page.getByRole('menu').isVisible(), 'menu');
	await page.keyboard.press('Escape');
	await page.keyboard.press('Enter');
	await isWide(t, page, 'compress', 1, 'callers');
});

test('view: s opens the sandwich of the focused row, and of the frame that is chosen among callers', async t => {
	const page = await openServed(t, {hash: '#view=table'}), pivot = () => page.evaluate(() => window.wick.state.pivot);
	await page.locator('#stage tbody tr', {hasText: 'escape_html'}).click();
	await page.keyboard.press('s');
	t.is(await pivot(), 'escape_html', 's in a row opens its function');
	await page.locator('.panes canvas').first().focus();
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('s');
	t.is(await pivot(), 'render', 's among callers opens the chosen one');
	await page.locator('.sandwich tbody tr', {hasText: 'memcpy'}).first().focus();
	await page.keyboard.press('s');
	t.is(await pivot(), 'memcpy', 's in the list of a sandwich opens the focused row');
});

test('view: a link to a table has the keys for next and previous match', async t => {
	const page = await openServed(t, {hash: '#view=table&search=e'}), row = () => page.evaluate(() => document.activeElement.dataset.at);
	await page.locator('#search').press('Enter');
	t.is(await row(), '0', 'Enter goes to the first match');
	await page.keyboard.press('n');
	t.is(await row(), '1', 'n goes to the next one');
});

test('view: sandwich: Esc undoes a zoom, then the search, then the time range', async t => {
	const page = await openServed(t, {hash: '#view=sandwich&pivot=parse_request&search=tokenize&range=0-500000000'});
	await page.locator('.panes canvas[role=application]').last().focus();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	const state = () => page.evaluate(() => [window.wick.views.callees.node > 0, window.wick.state.search, !!window.wick.state.range].join());
	t.is(await state(), 'true,tokenize,true', 'a callee is zoomed');
	for (const want of ['false,tokenize,true', 'false,,true', 'false,,false']) {
		await page.keyboard.press('Escape');
		t.is(await state(), want, 'one step back');
	}
});

test('view: sandwich: keys work where filters leave nothing', async t => {
	for (const hash of ['#view=sandwich&search=a&threads=', '#view=sandwich&search=a&pivot=memcpy&transforms=ignore:memcpy']) {
		const page = await openServed(t, {hash});
		for (const key of ['n', 's', '0', 'Escape'])
			await page.keyboard.press(key);
		t.is(await page.evaluate(() => window.wick.state.search), '', 'Esc clears the search');
	}
});

// The strips are the lower canvas: left to right is the whole time.
async function dragTime(page, from, to, key) {
	const strips = page.locator('.strips canvas'), box = await strips.boundingBox();
	if (key)
		await page.keyboard.down(key);
	await page.mouse.move(box.x + from * box.width, box.y + 8);
	await page.mouse.down();
	await page.mouse.move(box.x + (from + to) / 2 * box.width, box.y + 8);
	await page.mouse.move(box.x + to * box.width, box.y + 8);
	await page.mouse.up();
	if (key)
		await page.keyboard.up(key);
}

test('view: timeline: a range recomputes every view', async t => {
	const page = await openServed(t);
	await tab(page, 'Timeline');
	await page.locator('.strips canvas').waitFor();
	await isWide(t, page, 'render', 0.25);
	// The second half: main renders, and parses no more.
	await dragTime(page, 0.5, 0.9999);
	await says(t, page, '#summary', /19\d|20\d samples/);
	await t.until(async () => Math.abs(await share(page, 'render') - 0.5) < 0.02, 'render is half of it');
	await isGone(t, page, 'memcpy');
	for (const [name, gone] of [['Flame', 'memcpy'], ['Reverse', 'memcpy']]) {
		await tab(page, name);
		await isGone(t, page, gone);
	}
	await tab(page, 'Table');
	t.ok(!(await tableRows(page)).some(row => row.includes('memcpy')), 'table');
	await page.getByRole('button', {name: /^Undo: Time/}).click();
	await t.until(async () => (await tableRows(page)).some(row => row.includes('memcpy')), 'all is back');
});

test('view: timeline: a second range is a comparison', async t => {
	const page = await openServed(t);
	await tab(page, 'Timeline');
	await page.locator('.strips canvas').waitFor();
	await dragTime(page, 0, 0.5);
	await says(t, page, '#chips', /Time/);
	await dragTime(page, 0.5, 0.9999, 'Shift');
	await says(t, page, '#chips', /Compared/);
	await says(t, page, '#summary', /samples → /);
	await hoverFrame(t, page, 'render');
	await says(t, page, '#detail', /Change \+(49|5\d)\.?\d* pt/);
	t.matches(await page.locator('#color').inputValue(), /diff/, 'colors of a comparison');
});

test('view: timeline: ranges by keys alone', async t => {
	const page = await openServed(t);
	await tab(page, 'Timeline');
	await page.getByLabel('From, seconds').first().fill('1');
	await page.getByLabel('To, seconds').first().fill('1.9999');
	await page.keyboard.press('Tab');
	await isGone(t, page, 'memcpy');
	await page.getByLabel('Compare from, seconds').fill('0');
	await page.getByLabel('Compare to, seconds').fill('0.9999');
	await page.keyboard.press('Tab');
	await says(t, page, '#summary', /samples → /);
});

test('view: timeline: an invalid range is reported, and keeps the one before', async t => {
	const page = await openServed(t), from = page.getByLabel('From, seconds').first(), to = page.getByLabel('To, seconds').first();
	const apply = async (a, b) => {
		await from.fill(a);
		await to.fill(b);
		await page.keyboard.press('Tab');
	};
	await tab(page, 'Timeline');
	await apply('1', '1.5');
	await says(t, page, '#chips', /Time 1 s – 1\.50 s/);
	for (const [a, b, why] of [['1.5', '1', /start must be before the end/], ['5', '9', /lasts from 0 s to 1\.99 s/]]) {
		await apply(a, b);
		await says(t, page, '.timeline [role=alert]', why);
		t.is(await to.getAttribute('aria-invalid'), 'true', `${a} to ${b} is marked`);
		t.matches(await textOf(page, '#chips'), /Time 1 s – 1\.50 s/, `${a} to ${b}: the range before stays`);
	}
	await apply('', '');
	await apply('1', '');
	await says(t, page, '.timeline [role=alert]', /Enter both ends/);
	await to.focus();
	await page.keyboard.press('Control+a');
	await page.keyboard.type('1e');
	await page.keyboard.press('Tab');
	await says(t, page, '.timeline [role=alert]', /expected seconds, such as 1\.5/);
	await apply('1', '1.25');
	await says(t, page, '#chips', /Time 1 s – 1\.25 s/);
	await apply('', '');
	await from.focus();
	await page.keyboard.type('1e');
	await page.keyboard.press('Enter');
	await says(t, page, '.timeline [role=alert]', /expected seconds, such as 1\.5/);
	await apply('1', '1.25');
	await says(t, page, '#chips', /Time 1 s – 1\.25 s/);
	t.is(await textOf(page, '.timeline [role=alert]'), '', 'no message');
	await page.getByRole('button', {name: /^Undo: Time/}).click();
	await page.getByLabel('Compare from, seconds').fill('0');
	await page.getByLabel('Compare to, seconds').fill('1');
	await page.keyboard.press('Tab');
	await says(t, page, '.timeline [role=alert]', /select the first range/);
});

test('view: timeline: a typed range ends where the recording does, and its link shows the same', async t => {
	const page = await openServed(t, {hash: '#view=timeline'}), fields = ['From', 'To', 'Compare from', 'Compare to'].map(name => page.getByLabel(`${name}, seconds`, {exact: true}));
	const values = () => Promise.all(fields.map(field => field.inputValue()));
	const apply = async (which, a, b) => {
		await fields[which].fill(a);
		await fields[which + 1].fill(b);
		await page.keyboard.press('Tab');
	};
	await apply(0, '-1', '0.2');
	await says(t, page, '#chips', /^Time 0 ns – 200 ms/);
	t.same((await values()).slice(0, 2), ['0', '0.2'], 'the fields show the range that is selected');
	await apply(2, '0', '1e9');
	await says(t, page, '#chips', /Compared with 0 ns – (1\.99|2|2\.00) s/);
	const linked = await openServed(t, {hash: await page.evaluate(() => location.hash)});
	t.is(await textOf(linked, '#chips'), await textOf(page, '#chips'), 'the linked ranges');
});

test('view: timeline: Esc clears the second range, then the first, in a field and outside', async t => {
	const page = await openServed(t, {hash: '#view=timeline'});
	await dragTime(page, 0, 0.5);
	await dragTime(page, 0.5, 0.9999, 'Shift');
	await says(t, page, '#chips', /Time.*Compared/);
	await page.locator('#stage').focus();
	await page.keyboard.press('Escape');
	await says(t, page, '#chips', /^Time(?!.*Compared)/);
	await page.keyboard.press('Escape');
	await says(t, page, '#chips', /^$/);
	await dragTime(page, 0, 0.5);
	await says(t, page, '#chips', /Time/);
	await page.getByLabel('From, seconds').first().focus();
	await page.keyboard.press('Escape');
	await says(t, page, '#chips', /^$/);
});

test('view: timeline: Esc clears typed ranges without leaving the field', async t => {
	const page = await openServed(t, {hash: '#view=timeline'}), focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
	const type = async (...texts) => {
		for (const text of texts) {
			await page.keyboard.type(text);
			await page.keyboard.press('Tab');
		}
	};
	await page.getByLabel('From, seconds').first().focus();
	await type('0.1', '0.3');
	await says(t, page, '#chips', /^Time 100 ms – 300 ms/);
	t.is(await focused(), 'Compare from, seconds', 'the focus goes on');
	await page.keyboard.press('Escape');
	await says(t, page, '#chips', /^$/);
	await page.getByLabel('From, seconds').first().focus();
	await type('0.1', '0.3', '0.5');
	await page.keyboard.type('0.7');
	await page.keyboard.press('Enter');
	await says(t, page, '#chips', /Time.*Compared with 500 ms – 700 ms/);
	await page.keyboard.press('Escape');
	await says(t, page, '#chips', /^Time(?!.*Compared)/);
	// What is typed and no range yet goes first.
	await page.keyboard.type('0.5');
	await page.keyboard.press('Escape');
	t.is(await page.getByLabel('Compare to, seconds').inputValue(), '', 'the text is cleared');
	await says(t, page, '#chips', /^Time(?!.*Compared)/);
	t.is(await focused(), 'Compare to, seconds', 'the focus stays');
	await page.keyboard.press('Escape');
	await says(t, page, '#chips', /^$/);
});

test('view: an empty result names the filter that leaves nothing, and removes it', async t => {
	for (const view of ['flame', 'reverse', 'sandwich', 'table', 'timeline']) {
		const page = await openServed(t, {hash: `#view=${view}&transforms=focus:nosuchfunction,hide:memcpy`});
		await says(t, page, '#stage .empty', /This filter leaves no samples of this profile: ?Remove: Only with nosuchfunction/);
		t.ok(await page.getByRole('button', {name: 'Remove all filters'}).isVisible(), `${view}: all can be removed`);
		await page.getByRole('button', {name: 'Remove: Only with nosuchfunction'}).click();
		await says(t, page, '#summary', /400 samples/);
		t.ok(!await page.locator('#stage .empty').isVisible(), `${view}: the view is back`);
		t.matches(await textOf(page, '#chips'), /memcpy/, `${view}: the other filter stays`);
	}
	const page = await openServed(t, {hash: '#view=sandwich&pivot=memcpy&transforms=focus:compress'});
	await says(t, page, '.panes .empty', /This filter leaves no samples of memcpy: ?Remove: Only with compress/);
	await page.getByRole('button', {name: 'Remove: Only with compress'}).click();
	await isWide(t, page, 'serve', 1, 'callers');
});

test('view: timeline: without threads, the filter is named, and the event has its timestamps', async t => {
	const page = await openServed(t, {hash: '#view=timeline'});
	await page.getByRole('button', {name: 'Threads'}).click();
	await page.getByRole('button', {name: 'None', exact: true}).click();
	await says(t, page, '#stage .empty', /This filter leaves no samples of this profile: ?Remove: 0 of /);
	t.ok(!/no timestamps/.test(await textOf(page, '.timeline')), 'nothing is said of timestamps');
});

test('view: a link with a range outside of the recording says that it leaves nothing', async t => {
	const page = await openServed(t, {hash: '#range=900000000000-901000000000'});
	await says(t, page, '#stage .empty', /This filter leaves no samples of this profile: ?Remove: Time 900 s – 901 s/);
	await page.getByRole('button', {name: /^Remove: Time/}).click();
	await says(t, page, '#summary', /400 samples/);
	t.is(await page.evaluate(() => location.hash), '', 'the link is of the whole again');
});

test('view: a table that the search empties offers to clear the search', async t => {
	const page = await openServed(t, {hash: '#view=table&search=nosuchfunction'});
	await says(t, page, '#stage .empty', /No function matches “nosuchfunction”/);
	await page.getByRole('button', {name: 'Clear search'}).click();
	await t.until(async () => (await tableRows(page)).length > 5, 'rows');
	t.is(await page.inputValue('#search'), '', 'an empty box');
});

test('view: 150,000 threads have a timeline and can be chosen', async t => {
	const page = await t.open(flame('pool-150000', pool(150000), 'html'), {hash: '#view=timeline'});
	await says(t, page, '.timeline', /The 200 most expensive of 150001 threads/);
	await page.locator('#threads').click();
	await says(t, page, '#panel-body', /The 1000 most expensive of 150001 threads$/);
	t.is(await page.locator('#panel input').count(), 1000, 'those are listed');
	await page.getByRole('button', {name: 'None', exact: true}).click();
	await page.getByLabel(/^pool-7 /).check();
	await page.locator('#close').click();
	await says(t, page, '#chips', /1 of 150001 threads/);
	await isWide(t, page, 'work', 1);
});

test('view: timeline: a long name of a thread leaves half of its strip', async t => {
	const name = 'DOM Worker ' + 'x'.repeat(5000);
	const file = write('long-thread.json', JSON.stringify([{ph: 'M', name: 'thread_name', pid: 1, tid: 7, args: {name}},
		...Array.from({length: 50}, (_, i) => ({ph: 'X', name: 'f' + i % 2, pid: 1, tid: 7, ts: 1000 * i, dur: 1000})),
		{ph: 'X', name: 'g', pid: 1, tid: 8, ts: 0, dur: 10}]));
	const page = await t.open(flame('long-thread', file, 'html'), {hash: '#view=timeline'}), strips = page.locator('.strips canvas');
	await strips.waitFor();
	const same = await strips.evaluate(c => {
		const column = [...c.getContext('2d').getImageData(Math.floor(0.905 * c.width), 10, 1, 13).data];
		return column.slice(0, 4).join() === column.slice(-4).join();
	});
	t.ok(same, 'the spans are drawn up to the right, and nothing on them');
});

test('view: timeline: threads without room for a strip are counted', async t => {
	const page = await t.open(flame('pool-300', pool(300), 'html'), {hash: '#view=timeline'});
	await says(t, page, '.others', /^The 200 most expensive of 301 threads; choose others with Threads\.$/);
	await page.locator('#threads').click();
	await page.getByRole('button', {name: 'None'}).click();
	await page.getByLabel(/^pool-300 /).check();
	await page.locator('#close').click();
	await t.until(async () => await page.locator('.strips canvas').evaluate(e => e.clientHeight) === 24, 'one that was chosen has a strip');
	t.is(await page.locator('.others').textContent(), '', 'none is left out then');
});

test('view: numbered threads are grouped where there are many, and can be shown one by one', async t => {
	const page = await t.open(flame('pool-300', pool(300), 'html'));
	await isWide(t, page, 'pool-*', 300 / 301);
	t.ok(await frame(page, 'main'), 'another thread stays');
	await page.getByRole('button', {name: 'Undo: Threads grouped: pool-*'}).click();
	await isWide(t, page, 'pool-7', 1 / 301);
	await isGone(t, page, 'pool-*');
	await page.getByRole('button', {name: 'Threads', exact: true}).click();
	await page.getByRole('dialog').getByRole('combobox').selectOption('group');
	await page.keyboard.press('Escape');
	await isWide(t, page, 'pool-*', 300 / 301);
	const each = await t.open(flame('pool-300-each', pool(300), 'html', '--per-thread'));
	await isWide(t, each, 'pool-7-9/107', 1 / 301);
	const few = await t.open(flame('pool-4', pool(4), 'html'));
	await isWide(t, few, 'pool-3', 1 / 5);
	await few.getByRole('button', {name: 'Threads', exact: true}).click();
	await few.getByRole('dialog').getByRole('combobox').selectOption('group');
	await few.keyboard.press('Escape');
	await isWide(t, few, 'pool-*', 4 / 5);
});

test('view: no timeline where samples have no times', async t => {
	const page = await t.open(flame('timeless', beforeAfter()[0], 'html'));
	t.ok(await page.getByRole('tab', {name: 'Timeline'}).isDisabled(), 'the tab cannot be chosen');
	await page.keyboard.press('5');
	t.is(await page.getByRole('tab', {name: 'Flame'}).getAttribute('aria-selected'), 'true', 'and no key does');
});

test('view: threads are chosen', async t => {
	const page = await openServed(t);
	await page.getByRole('button', {name: 'Threads'}).click();
	await page.getByRole('dialog').getByLabel(/worker/).uncheck();
	await page.getByRole('button', {name: 'Close'}).click();
	await says(t, page, '#summary', /200 samples/);
	await isWide(t, page, 'serve', 1);
	await isGone(t, page, 'compress');
	await page.getByRole('button', {name: /^Undo:.*thread/}).click();
	await isWide(t, page, 'compress', 0.5);
});

test('view: every choice of colors is another picture, and names its colors', async t => {
	const page = await openServed(t);
	const seen = new Set();
	const options = await page.locator('#color option').evaluateAll(all => all.map(o => o.value));
	t.ok(options.length >= 4, `choices: ${options}`);
	for (const option of options) {
		await page.selectOption('#color', option);
		t.is(await page.locator('#color').inputValue(), option, 'chosen');
		await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
		seen.add(await page.evaluate(() => document.querySelector('#stage canvas').toDataURL()));
	}
	t.is(seen.size, options.length, 'different pictures');
	await page.selectOption('#color', 'kind');
	t.matches(await textOf(page, '#legend'), /kernel/i, 'legend');
});

test('view: order by name, width and time', async t => {
	const page = await openServed(t);
	const order = async () => (await frames(page)).filter(f => ['parse_request', 'render'].includes(f.name) && f.depth < 6)
		.sort((a, b) => a.x - b.x).map(f => f.name);
	t.same([...new Set(await order())][0], 'parse_request', 'by name');
	for (const by of ['width', 'time', 'name']) {
		await page.selectOption('#order', by);
		await t.until(async () => (await frames(page)).length > 5, 'drawn');
		t.ok(await frame(page, 'render'), `${by}: render is there`);
	}
	await page.selectOption('#order', 'width');
	await t.until(async () => {
		const all = await frames(page);
		return all.find(f => f.name === 'deflate_fast').x < all.find(f => f.name === 'parse_request' && f.depth === 5)?.x;
	}, 'the wider to the left');
});

const diffPage = t => t.open(diff('html'));

test('view: diff: signs, shares, and frames that vanished', async t => {
	const page = await diffPage(t);
	await says(t, page, '#summary', /1,000 samples → 1,000 samples/);
	await page.selectOption('#width', 'after');
	await isWide(t, page, 'slow', 0.3);
	await isWide(t, page, 'fresh', 0.1);
	await hoverFrame(t, page, 'slow');
	await says(t, page, '#detail', /Before 100 samples · 10(\.0)? %.*After 300 samples · 30(\.0)? %.*Change \+20(\.0)? pt/);
	// A parent carries the change of what it calls.
	await hoverFrame(t, page, 'inner');
	await says(t, page, '#detail', /Change \+20(\.0)? pt/);
	await page.selectOption('#width', 'before');
	await isWide(t, page, 'slow', 0.1);
	await isWide(t, page, 'gone', 0.2);
	await isGone(t, page, 'fresh');
	await hoverFrame(t, page, 'gone');
	await says(t, page, '#detail', /Change -20(\.0)? pt/);
	await page.selectOption('#width', 'either');
	for (const name of ['slow', 'gone', 'fresh', 'steady'])
		t.ok(await frame(page, name), `${name} is drawn`);
});

test('view: diff: a change that is not significant is neutral', async t => {
	t.forgive(/willReadFrequently/);
	const page = await diffPage(t);
	await page.selectOption('#width', 'either');
	const color = async name => {
		const f = await frame(page, name);
		return page.evaluate(([x, y]) => {
			const c = document.querySelector('#stage canvas'), at = c.getBoundingClientRect(), scale = devicePixelRatio;
			return [...c.getContext('2d').getImageData((x - at.left) * scale, (y - at.top) * scale, 1, 1).data].slice(0, 3);
		}, [f.x + f.width - 4, f.y + 3]);
	};
	const [slow, gone, steady] = [await color('slow'), await color('gone'), await color('steady')];
	t.ok(slow[0] > slow[2] + 20, `more is orange: ${slow}`);
	t.ok(gone[2] > gone[0] + 20, `less is blue: ${gone}`);
	t.ok(Math.max(...steady) - Math.min(...steady) < 25, `no news is neutral: ${steady}`);
});

test('view: diff: table of changes, largest first', async t => {
	const page = await diffPage(t);
	await tab(page, 'Table');
	const rows = await tableRows(page);
	t.same(rows.map(row => [row[0].replace(/ ?pt.*/, ''), row.at(-1)]), [['-20.0', 'gone'], ['+20.0', 'slow'], ['+20.0', 'inner'], ['-10.5', 'rest'],
		['+10.0', 'fresh'], ['+0.50', 'steady'], ['±0', 'app'], ['±0', 'main']], 'changes, and what changed');
	const folded = (name, a, n1, n2, n3, b) => write(name, `m;a ${a}\nm;n1 ${n1}\nm;n2 ${n2}\nm;n3 ${n3}\nm;n4 500\nm;b ${b}\n`), file = fileAt('noisy.html');
	wick(['diff', '-q', '--counts', 'samples', '-o', file, folded('quiet.folded', 1000, 500, 500, 500, 1000), folded('noisy.folded', 1400, 501, 520, 509, 600)]);
	const noisy = await t.open(file);
	await tab(noisy, 'Table');
	const changes = (await tableRows(noisy)).map(row => row[0]), noise = changes.filter(c => c.includes('not significant')).map(c => Math.abs(parseFloat(c.replace('±', ''))));
	t.ok(noise.length > 3 && noise[0] > noise.at(-1), `noise: ${changes}`);
	t.same(noise, [...noise].sort((a, b) => b - a), 'noise is in order too');
	t.ok(changes.findIndex(c => c.includes('not significant')) === changes.length - noise.length, 'below all else');
});

test('view: diff: the legend speaks of significance where samples are counted', async t => {
	const legend = async page => plain(await page.locator('#legend').innerText());
	t.matches(await legend(await diffPage(t)), /less not significant more/, 'of samples');
	const file = fileAt('unknown.html');
	wick(['diff', '-q', '-o', file, ...beforeAfter()]);
	t.is(await legend(await t.open(file)), 'less same more', 'of numbers');
	const slices = (name, long) => write(name, JSON.stringify([['main', 4000], ['load', long]].map(([text, dur]) => ({ph: 'X', pid: 1, tid: 1, ts: 0, dur, name: text}))));
	wick(['diff', '-q', '-o', file, slices('slices1.json', 1000), slices('slices2.json', 3000)]);
	t.is(await legend(await t.open(file)), 'less same more', 'of times that were measured once');
	wick(['diff', '-q', '-o', file, ...[1001, 1000, 1002].map((long, i) => slices(`a${i}.json`, long)), '--', ...[3000, 3001, 3002].map((long, i) => slices(`b${i}.json`, long))]);
	t.is(await legend(await t.open(file)), 'less not significant more', 'of times that were measured three times');
});

test('view: diff: a sandwich begins with what changed most', async t => {
	const page = await diffPage(t);
	await tab(page, 'Sandwich');
	await says(t, page, '#stage', /Callers of (slow|inner|gone)/);
});

test('view: diff: the list of a sandwich marks what is not significant, as the table does', async t => {
	const page = await diffPage(t);
	for (const name of ['Table', 'Sandwich']) {
		await tab(page, name);
		const cells = await page.locator('#stage tbody tr[data-at]').evaluateAll(rows => rows.map(tr => {
			const cell = tr.querySelector('.change'), small = cell.querySelector('small');
			return {name: tr.querySelector('.name').textContent, title: cell.title, read: small.checkVisibility() && small.textContent,
				color: getComputedStyle(cell).color, usual: getComputedStyle(tr.querySelector('.after')).color, wide: cell.scrollWidth > cell.clientWidth};
		}));
		const of = wanted => cells.find(cell => cell.name === wanted), steady = of('steady'), slow = of('slow');
		t.is(steady.title, 'not significant', `${name}: the tooltip of steady`);
		t.is(steady.read, 'not significant', `${name}: what is read out of steady`);
		t.ok(steady.color !== steady.usual, `${name}: steady is in another color`);
		t.same([slow.title, slow.read, slow.color], ['', '', slow.usual], `${name}: slow`);
		t.ok(!cells.some(({wide}) => wide), `${name}: nothing is cut`);
	}
});

test('view: diff: the list of a sandwich has room for the largest change', async t => {
	const file = fileAt('all-new.html');
	wick(['diff', '-q', '--counts', 'samples', '-o', file, write('old.folded', 'app;gone 100\n'), write('new.folded', 'app;fresh 100\n')]);
	const page = await t.open(file, {hash: '#view=sandwich'});
	const cells = await page.locator('#stage td.change').evaluateAll(all => all.map(td => [td.textContent, td.scrollWidth > td.clientWidth]));
	t.same(cells.map(([text, cut]) => [plain(text), cut]).filter(([text]) => text.includes('100')).sort(), [['+100.0 pt', false], ['-100.0 pt', false]], 'changes, and whether they are cut');
});

test('view: diff: a sandwich begins with the first row of its table, which changed significantly', async t => {
	const before = write('few-before.folded', 'main;planted 10\nmain;rest 690\nmain;other 300\n');
	const after = write('few-after.folded', 'main;planted 45\nmain;rest 650\nmain;other 305\n');
	const file = fileAt('few.html');
	wick(['diff', '-q', '--counts', 'samples', '-o', file, before, after]);
	const page = await t.open(file, {hash: '#view=sandwich'});
	t.matches(await page.locator('#stage td.name').first().textContent(), /planted/, 'the first row');
	await says(t, page, '#stage', /Callers of planted/);
});

test('view: diff: before in the time of after', async t => {
	const page = await t.open(timedDiff('html'));
	await says(t, page, '#summary', /800 cycles → 800 cycles · before and after, in the same time/);
	await hoverFrame(t, page, 'slow');
	await says(t, page, '#detail', /Before 100 cycles · 12\.5 %.*After 400 cycles · 50(\.0)? %.*Change \+37\.5 pt · 95 % interval \+/);
	await hoverFrame(t, page, 'steady');
	await says(t, page, '#detail', /Before 300 cycles.*After 300 cycles.*Change ±0 pt · not significant, 95 % interval -/);
	await page.selectOption('#width', 'either');
	await isWide(t, page, 'fast', 400 / 1100);
	const picture = await t.open(timedDiff('svg'));
	await says(t, picture, '#details', /800 cycles → 800 cycles/);
});

test('view: tabs by keys', async t => {
	const page = await openServed(t);
	for (const [key, name] of [['2', 'Reverse'], ['3', 'Sandwich'], ['4', 'Table'], ['5', 'Timeline'], ['1', 'Flame']]) {
		await page.keyboard.press(key);
		t.is(await page.getByRole('tab', {name}).getAttribute('aria-selected'), 'true', name);
	}
	await page.getByRole('tab', {name: 'Flame'}).focus();
	await page.keyboard.press('ArrowRight');
	t.is(await page.getByRole('tab', {name: 'Reverse'}).getAttribute('aria-selected'), 'true', 'arrow');
	t.is(await page.evaluate(() => document.activeElement.id), 'tab-reverse', 'focus goes along');
});

test('view: what was lost is shown', async t => {
	const page = await t.open(flame('lost', fileOfBadLines(), 'html'));
	await page.locator('#notes').click();
	await page.getByRole('dialog').waitFor();
	t.matches(await textOf(page, 'dialog'), /line 101/i, 'which line');
});

test('view: notes without a place are a number, what helps comes first, and facts of any kind are shown', async t => {
	const page = await t.open(flame('noted', write('noted.wick', foldedPack('a 1\n', {info: [['when', '2026-11-15 15:00'], ['moon phase', 'full']]})), 'html'));
	await page.evaluate(() => window.wick.views.profile.notes.push(
		{code: 'NO_SYMBOLS', what: 'addresses', count: 24, notes: Array(24).fill({line: 0, text: ''})},
		{code: 'ADVICE', what: 'hints to resolve more symbols', count: 1, notes: [{line: 0, text: 'install libc6-dbg'}]}));
	await page.getByRole('button', {name: 'Info'}).click();
	t.same(await page.locator('dialog li').allTextContents(), ['install libc6-dbg'], 'no empty line');
	t.matches(await textOf(page, 'dialog'), /How to fix install.*Addresses: 24$/, 'what helps comes first');
	t.matches(await textOf(page, 'dialog'), /When 2026-11-15 15:00 Moon phase full/, 'facts');
});

function fileOfBadLines() {
	return write('bad.folded', 'a;b 5\na;c 3\n'.repeat(50) + 'this line has no number\na;d 3\n');
}

test('view: info: inputs with their side, and as many stacks as were written', async t => {
	const page = await diffPage(t);
	await page.getByRole('button', {name: 'Info'}).click();
	t.matches(await textOf(page, 'dialog'), /Format folded stacks.*Before: input before\.folded.*After: input after\.folded.*Stacks 5 /, 'what was compared');
});

test('view: info and help', async t => {
	const page = await openServed(t);
	await page.getByRole('button', {name: 'Info'}).click();
	t.matches(await textOf(page, 'dialog'), /perf record -F 100 -g .\/served --port 80/, 'how it was recorded');
	await page.keyboard.press('Escape');
	await page.keyboard.press('?');
	t.matches(await textOf(page, 'dialog'), /zoom/, 'help');
	await page.keyboard.press('Escape');
	t.ok(!await page.getByRole('dialog').isVisible(), 'closed');
	await page.getByRole('button', {name: 'Help'}).click();
	await page.getByRole('button', {name: 'Close'}).click();
});
