// Search: live, with the share that matches, from match to match.
import {test} from './harness.mjs';
import {Folded, served} from './files.mjs';
import {chosen, openServed, says, textOf} from './viewer.mjs';

async function found(t, page, text, pattern) {
	await page.fill('#search', text);
	return says(t, page, '#found', pattern);
}

test('search: the share is that of wick collapse, nested matches counted once', async t => {
	const page = await openServed(t), folded = new Folded(served());
	for (const [text, takes] of [
		['parse', n => /parse/.test(n)],
		['render', n => /render/.test(n)],
		['e', n => /e/i.test(n)],
		['^(memcpy|ksys_write)$', n => /^(memcpy|ksys_write)$/.test(n)],
		['/r.nder|deflate/', n => /r.nder|deflate/.test(n)],
		['vector<http', n => n.includes('vector<http')],
		['std::vector<http::Header, std::allocator<http::Header> >::push_back', n => n.startsWith('std::vector')],
	]) {
		const want = folded.share(takes);
		const said = await found(t, page, text, /%/);
		t.near(Number(said.match(/([\d.]+) %/)[1]), want, 0.051, `share of ${text}`);
	}
});

test('search: small letters match both, a capital only itself', async t => {
	const page = await openServed(t);
	await found(t, page, 'syscall', /12\.5 %/);
	await found(t, page, 'SYSCALL', /12\.5 %/);
	await found(t, page, 'Render', /no match/i);
});

test('search: says that nothing matches, and what is wrong with a pattern', async t => {
	const page = await openServed(t);
	await found(t, page, 'nosuchfunction', /^no match$/i);
	t.ok(await page.getByRole('button', {name: 'Next match'}).isDisabled(), 'there is no next');
	const said = await found(t, page, 'render(', /match/);
	t.ok(!/^\d/.test(said), `a broken pattern is told: ${said}`);
	t.is(await page.getAttribute('#search', 'aria-invalid'), 'true', 'told to those who do not see it');
	await found(t, page, 'render', /25\.0 %/);
	t.ok(await page.getAttribute('#search', 'aria-invalid') !== 'true', 'and no longer');
	await found(t, page, '', /^$/);
});

test('search: a pattern that never ends does not stop the page', async t => {
	const page = await openServed(t);
	await page.fill('#search', '(([a-z_])+.)+\\d(([a-z_])+.)+X$');
	await says(t, page, '#found', /\S/);
	await found(t, page, 'render', /25\.0 %/);
});

test('search: / and Ctrl-F go to the box, Esc clears it and leaves', async t => {
	const page = await openServed(t);
	const at = () => page.evaluate(() => document.activeElement.id);
	for (const key of ['/', 'Control+f']) {
		await page.keyboard.press(key);
		t.is(await at(), 'search', key);
		await page.keyboard.type('tok');
		await says(t, page, '#found', /31\.3 %/);
		await page.keyboard.press('Escape');
		t.is(await page.inputValue('#search'), '', 'cleared');
		await page.keyboard.press('Escape');
		t.ok(await at() !== 'search', 'left');
	}
});

test('search: next and previous go round', async t => {
	const page = await openServed(t);
	await page.fill('#search', 'tokenize');
	const total = (pattern, what) => t.until(async () => pattern.test((await chosen(page))[1]), what);
	await page.keyboard.press('Enter');
	await says(t, page, '#found', /1 of 2/);
	await total(/75 samples/, 'the wider first');
	await page.keyboard.press('Enter');
	await total(/50 samples/, 'then the other');
	await says(t, page, '#found', /2 of 2 · 31\.3 %/);
	await page.keyboard.press('Shift+Enter');
	await total(/75 samples/, 'Shift-Enter goes back');
	await page.locator('#stage canvas').first().focus();
	await page.keyboard.press('n');
	await total(/50 samples/, 'n');
	await page.keyboard.press('n');
	await total(/75 samples/, 'n goes round');
	await page.keyboard.press('N');
	await total(/50 samples/, 'N');
	await page.getByRole('button', {name: 'Next match'}).click();
	await total(/75 samples/, 'button');
	await page.getByRole('button', {name: 'Previous match'}).click();
	await total(/50 samples/, 'button');
});

test('search: filters the table', async t => {
	const page = await openServed(t);
	await page.getByRole('tab', {name: 'Table'}).click();
	await page.fill('#search', 'write');
	await t.until(async () => await page.locator('#stage tbody tr[data-at]').count() === 4, 'four rows');
	t.matches(await textOf(page, '#stage tbody'), /ksys_write/, 'one of them');
	await page.fill('#search', 'nosuchfunction');
	await t.until(async () => await page.locator('#stage tbody tr[data-at]').count() === 0, 'no row');
	t.matches(await textOf(page, '#stage'), /no function matches/i, 'the table reports that no function matches');
});
