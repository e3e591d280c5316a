// The HTML page as its users have it: frames by name, texts with plain blanks.
import {flame, served} from './files.mjs';

export const openServed = (t, options) => t.open(flame('served', served(), 'html'), options);

export const plain = text => text.replaceAll('\u00a0', ' ').replaceAll('\u2212', '-').replace(/\s+/g, ' ').trim();

export async function textOf(page, selector) {
	return plain(await page.locator(selector).first().innerText());
}

// Everything that is drawn: [{name, depth, x, y, width, height}] in pixels of the window.
// which: main, callers or callees.
export function frames(page, which = 'main') {
	return page.evaluate(of => {
		const view = window.wick.views[of], {painter: p, tree, host} = view, at = view.canvas.getBoundingClientRect();
		return Array.from({length: p.nrBoxes}, (_, b) => {
			const node = p.boxNode[b];
			return {name: host.facts(tree, node)[0], depth: tree.depth[node], x: at.left + p.boxX[b], y: at.top + p.boxY[b],
				width: p.boxWidth[b], height: view.rowHeight - 1};
		});
	}, which);
}

// The first drawn frame of this name, or undefined.
export async function frame(page, name, which) {
	return (await frames(page, which)).find(f => f.name === name);
}

export async function middle(t, page, name, which) {
	const f = await frame(page, name, which);
	t.ok(f, `${name} is drawn`);
	return [f.x + f.width / 2, f.y + f.height / 2];
}

export async function clickFrame(t, page, name, options = {}) {
	await page.mouse.click(...await middle(t, page, name, options.which), options);
}

export async function hoverFrame(t, page, name, which) {
	await page.mouse.move(...await middle(t, page, name, which));
}

export async function menuOf(t, page, name, which) {
	await clickFrame(t, page, name, {button: 'right', which});
	await page.getByRole('menu').waitFor();
}

export async function choose(t, page, name, item) {
	await menuOf(t, page, name);
	await page.getByRole('menuitem', {name: item}).click();
}

// Share of the picture's width that the first frame of this name has, 0 to 1.
export async function share(page, name, which = 'main') {
	const f = await frame(page, name, which);
	const whole = await page.evaluate(of => window.wick.views[of].painter.width, which);
	return f ? f.width / whole : 0;
}

// The frame is so wide, in shares of the picture, as soon as the page has redrawn.
export function isWide(t, page, name, want, which) {
	return t.until(async () => Math.abs(await share(page, name, which) - want) < 0.006, `${name} is ${100 * want} % wide`);
}

export function isGone(t, page, name, which) {
	return t.until(async () => !await frame(page, name, which), `${name} is not drawn`);
}

// What the mirror says of the chosen frame: name, total, self.
export async function chosen(page) {
	return (await page.locator('[role=treegrid] [aria-selected=true] [role=gridcell]').allTextContents()).map(plain);
}

export async function says(t, page, selector, pattern) {
	let text = '';
	try {
		await t.until(async () => pattern.test(text = plain(await page.locator(selector).first().textContent())), '');
	} catch {
		t.matches(text, pattern, selector);
	}
	return text;
}
