// Every entry of the menu of a frame, and the undoing of each.
import {test} from './harness.mjs';
import {Folded, served} from './files.mjs';
import {choose, clickFrame, frame, frames, isGone, isWide, menuOf, openServed, says} from './viewer.mjs';

const undo = page => page.locator('#chips').getByRole('button', {name: /^Undo/}).first().click();

async function whole(t, page, nr) {
	await says(t, page, '#summary', new RegExp(`^${nr} samples`));
}

// The same as the command line's filter of this name.
function collapsed(...options) {
	return new Folded(served(), ...options);
}

test('menu: focus keeps the stacks with the function', async t => {
	const page = await openServed(t), want = collapsed('--focus', '^parse_request$');
	await choose(t, page, 'parse_request', /focus/i);
	await whole(t, page, want.total);
	await isWide(t, page, 'compress', want.with(n => n === 'compress') / want.total);
	await isGone(t, page, 'render');
	await undo(page);
	await whole(t, page, 400);
	await isWide(t, page, 'render', 0.25);
});

test('menu: drop leaves the stacks with the function out', async t => {
	const page = await openServed(t), want = collapsed('--ignore', '^parse_request$');
	await choose(t, page, 'parse_request', /drop/i);
	await whole(t, page, want.total);
	await isGone(t, page, 'tokenize');
	await isWide(t, page, 'render', want.with(n => n === 'render') / want.total);
	await undo(page);
	await whole(t, page, 400);
});

test('menu: hide gives the cost to the callers', async t => {
	const page = await openServed(t), want = collapsed('--hide', '^parse_request$');
	await choose(t, page, 'parse_request', /hide/i);
	await isGone(t, page, 'parse_request');
	await whole(t, page, want.total);
	const drawn = (await frames(page)).find(f => f.name === 'tokenize');
	t.is(drawn.depth, (await frame(page, 'serve')).depth + 1, 'tokenize moved up');
	await undo(page);
	await t.until(async () => await frame(page, 'parse_request'), 'it is back');
});

test('menu: stacks begin at the function', async t => {
	const page = await openServed(t);
	await choose(t, page, 'parse_request', /start stacks/i);
	await whole(t, page, 150);
	await isGone(t, page, 'main');
	await undo(page);
	await whole(t, page, 400);
});

test('menu: collapse recursion', async t => {
	const page = await openServed(t);
	t.is((await frames(page)).filter(f => f.name === 'render').length, 3, 'render calls itself twice');
	await choose(t, page, 'render', /recursion/i);
	await t.until(async () => (await frames(page)).filter(f => f.name === 'render').length === 1, 'one frame');
	await isWide(t, page, 'render', 0.25);
	await menuOf(t, page, 'render');
	t.ok(await page.getByRole('menuitem', {name: /recursion/i}).isDisabled(), 'it is done');
	await page.keyboard.press('Escape');
	await undo(page);
	await t.until(async () => (await frames(page)).filter(f => f.name === 'render').length === 3, 'as before');
});

test('menu: collapse module', async t => {
	const page = await openServed(t);
	await choose(t, page, 'ksys_write', /module.*kernel/i);
	await isGone(t, page, 'vfs_write');
	const kernel = (await frames(page)).filter(f => /kernel/.test(f.name));
	t.is(kernel.length, 1, 'one frame for the module');
	await undo(page);
	await t.until(async () => await frame(page, 'vfs_write'), 'as before');
});

test('menu: zoom and sandwich', async t => {
	const page = await openServed(t);
	await choose(t, page, 'serve', /^zoom/i);
	await isWide(t, page, 'serve', 1);
	await choose(t, page, 'render', /sandwich/i);
	await isWide(t, page, 'serve', 1, 'callers');
});

test('menu: copy name and copy stack', async t => {
	const page = await openServed(t, {permissions: ['clipboard-read', 'clipboard-write']});
	const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
	const name = 'std::vector<http::Header, std::allocator<http::Header> >::push_back';
	await choose(t, page, name, /copy name/i);
	await t.until(async () => await clipboard() === name, 'the whole name');
	await says(t, page, '#live', /copied/i);
	await choose(t, page, 'ksys_write', /copy stack/i);
	const lines = 'served;main;serve;render;write_all;__libc_write;entry_SYSCALL_64_after_hwframe;ksys_write'.split(';');
	await t.until(async () => {
		const got = (await clipboard()).split(/[\n;]/);
		return JSON.stringify(got) === JSON.stringify(lines) || JSON.stringify(got) === JSON.stringify([...lines].reverse());
	}, 'the stack');
});

test('menu: transforms add up in order, are in the link, and go one by one', async t => {
	const page = await openServed(t);
	await choose(t, page, 'parse_request', /focus/i);
	await whole(t, page, 150);
	await choose(t, page, 'compress', /drop/i);
	await whole(t, page, 100);
	await choose(t, page, 'serve', /hide/i);
	await isGone(t, page, 'serve');
	t.is(await page.locator('#chips li').count(), 3, 'three are listed');
	const other = await openServed(t, {hash: await page.evaluate(() => location.hash)});
	await whole(t, other, 100);
	t.ok(!await frame(other, 'serve'), 'hidden in the linked page as well');
	const want = collapsed('--focus', '^parse_request$', '--ignore', '^compress$', '--hide', '^serve$');
	t.is(want.total, 100, 'the command line agrees');
	await undo(page);
	await whole(t, page, 200);
	await page.goBack();
	await whole(t, page, 100);
});

test('menu: by keys alone', async t => {
	const page = await openServed(t);
	await page.locator('#stage canvas').first().focus();
	for (let i = 0; i < 3; i++)
		await page.keyboard.press('ArrowDown');
	for (const key of ['Shift+F10', 'ContextMenu']) {
		await page.keyboard.press(key);
		await page.getByRole('menu').waitFor();
		t.is(await page.evaluate(() => document.activeElement.getAttribute('role')), 'menuitem', 'focus is in the menu');
		await page.keyboard.press('Escape');
		t.is(await page.getByRole('menu').count(), 0, 'Escape closes it');
		t.is(await page.evaluate(() => document.activeElement.tagName), 'CANVAS', 'focus is back');
	}
	await page.keyboard.press('Shift+F10');
	const entries = await page.getByRole('menuitem').count();
	for (let i = 0; i < entries; i++) {
		if (/hide/i.test(await page.evaluate(() => document.activeElement.textContent)))
			break;
		await page.keyboard.press('ArrowDown');
	}
	await page.keyboard.press('Enter');
	await says(t, page, '#chips', /Hidden serve|hide.*serve/i);
	await isGone(t, page, 'serve');
});

test('menu: closes on a click beside it', async t => {
	const page = await openServed(t);
	await menuOf(t, page, 'render');
	await page.mouse.click(3, 3);
	t.is(await page.getByRole('menu').count(), 0, 'closed');
	await clickFrame(t, page, 'render');
	await isWide(t, page, 'render', 1);
});
