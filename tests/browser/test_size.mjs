// A thousand, a hundred thousand and a million frames: how large the files are, and that they work.
import fs from 'node:fs';
import {test} from './harness.mjs';
import {flame, tree} from './files.mjs';

// Most bytes a file may have.
const LIMITS = {
	'100K': {html: 550e3, svg: 1.2e6},
	'1M': {html: 4e6, svg: 4.5e6},
};

// Of the page's code.  It was 60 KB; links to free zooms and moments, empty results that name their filter,
// paper that follows the view, groups of threads, narrow screens, verdicts on measurements, the states of threads
// and the system in the timeline, colors by state, waits that count where they last, the source that
// wick serve shows, intervals without samples, what started them, changes that time in the kernel or without samples explains,
// keys that reach waits, the states of callers, and changes that truncated stacks explain need the rest.
const MOST_CODE = 72.9e3;

// The whole of a page but for the profile: the code, and the picture for browsers without scripts.
function partsOf(file) {
	const text = fs.readFileSync(file, 'utf8');
	const pack = text.match(/<script type="application\/octet-stream" id="wick">([^<]*)</)[1].length;
	const picture = text.match(/<div id="static">[^]*?<\/svg>/)[0].length;
	const top = text.match(/<div id="static">[^]*?<\/div>/)[0].length - picture;
	return {pack, picture, code: Buffer.byteLength(text) - pack - picture - top};
}

for (const size of ['1K', '100K', '1M']) {
	test(`size: html of ${size} frames`, async t => {
		const file = flame(`tree-${size}`, await tree(size), 'html');
		const parts = partsOf(file);
		if (LIMITS[size])
			t.ok(fs.statSync(file).size <= LIMITS[size].html, `${fs.statSync(file).size} bytes`);
		t.ok(parts.code <= MOST_CODE, `${parts.code} bytes of code`);
		t.ok(parts.picture <= 80e3, `${parts.picture} bytes of picture`);
		const page = await t.open(file);
		t.matches(await page.textContent('#summary'), /\d/, 'summary');
		await page.locator('#stage canvas').first().focus();
		for (const key of ['ArrowDown', 'ArrowDown', 'Enter', 'Escape', '0'])
			await page.keyboard.press(key);
		await page.fill('#search', 'std::');
		await t.until(async () => /%/.test(await page.textContent('#found')), 'the share that matches');
	}, () => tree(size));

	test(`size: svg of ${size} frames`, async t => {
		const file = flame(`tree-${size}`, await tree(size), 'svg');
		if (LIMITS[size])
			t.ok(fs.statSync(file).size <= LIMITS[size].svg, `${fs.statSync(file).size} bytes`);
		const page = await t.open(file);
		t.ok(await page.locator('#frames *').count() < 20000, 'elements');
		await page.keyboard.press('/');
		await page.keyboard.type('std::');
		await t.until(() => page.locator('#frames .hit').count(), 'marked frames');
	});
}
