// Names and titles stay text, wherever they are shown.
import fs from 'node:fs';
import {test} from './harness.mjs';
import {fileAt, flame, wick, write} from './files.mjs';
import {LONG, PLAIN, TITLE, hostileFolded, hostilePerf} from './hostile.mjs';

// Nothing ran, and nothing was made that names alone could have made.
async function harmless(t, page) {
	t.is(await page.evaluate(() => window.PWNED), undefined, 'window.PWNED');
	const made = await page.evaluate(() => ({
		broken: document.getElementsByTagName('parsererror').length,
		images: document.getElementsByTagName('img').length,
		handlers: [...document.querySelectorAll('*')].filter(e =>
			e.getAttributeNames().some(a => /^on/.test(a) && /PWNED/.test(e.getAttribute(a)))).length,
		scripts: [...document.querySelectorAll('script')].filter(s => /^\s*window\.PWNED/.test(s.textContent)).length,
	}));
	t.same(made, {broken: 0, images: 0, handlers: 0, scripts: 0}, 'markup out of names');
}

// Every drawn frame is touched: hovered, clicked, and left again.
async function touchAll(page) {
	await page.evaluate(() => {
		for (const g of [...document.querySelectorAll('g')].slice(0, 80))
			for (const type of ['mouseover', 'click', 'mouseout'])
				(g.querySelector('rect') || g).dispatchEvent(new MouseEvent(type, {bubbles: true}));
	});
}

function pictureTitles(page) {
	return page.evaluate(() => [...document.querySelectorAll('g > title')].map(e => e.textContent));
}

const PICTURES = {
	'wick flame': file => wick(['flame', '-q', '--title', TITLE, '--subtitle', TITLE, '--notes', TITLE,
		write('hostile.folded', hostileFolded()), '-o', file]),
	'inferno-flamegraph': file => fs.writeFileSync(file, wick(['--title', TITLE, '--subtitle', TITLE, '--notes', TITLE,
		'--countname', TITLE, '--nametype', TITLE, write('hostile.folded', hostileFolded())], {as: 'inferno-flamegraph'})),
	'flamegraph.pl': file => fs.writeFileSync(file, wick(['--title', TITLE, '--subtitle', TITLE, '--countname', TITLE,
		'--nametype', TITLE, write('hostile.folded', hostileFolded())], {as: 'flamegraph.pl'})),
};

for (const [who, make] of Object.entries(PICTURES)) {
	test(`hostile names and titles are text in the SVG of ${who}`, async t => {
		const file = fileAt(`hostile-${who.replace(' ', '-')}.svg`);
		make(file);
		const page = await t.open(file, {ready: false});
		const titles = await pictureTitles(page);
		for (const name of PLAIN)
			t.ok(titles.some(title => title.startsWith(name + ' (')), `a title that says ${name}`);
		t.ok(titles.every(title => !/[\u0000-\u0008\u000b-\u001f]/.test(title)),
			'no control character in a title');
		await touchAll(page);
		await harmless(t, page);
	});
}
