// Names and titles stay text, wherever they are shown.
import fs from 'node:fs';
import {test} from './harness.mjs';
import {fileAt, flame, served, wick, write} from './files.mjs';
import {PLAIN, TITLE, hostileFolded, hostilePerf} from './hostile.mjs';

const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

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

// A title may come with the pointer only.
function pictureTitles(page) {
	return page.evaluate(() => [...document.querySelectorAll('#frames > :is(g, rect:not(.more))')].map(g => {
		(g.querySelector('rect') ?? g).dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
		return g.querySelector('title').textContent;
	}));
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
		const page = await t.open(file);
		const titles = await pictureTitles(page);
		for (const name of PLAIN)
			t.ok(titles.some(title => [' (', '\u00a0('].some(end => title.startsWith(name + end)) || title.endsWith('\n' + name)), `a title that says ${name}`);
		for (const name of titles.map(title => title.replace(/[ \u00a0]\(\d[^]*$/, '')))
			t.ok(!INVISIBLE.test(name), `no control character and no override: ${JSON.stringify(name.slice(0, 80))}`);
		await touchAll(page);
		await harmless(t, page);
	});
}

function hostilePage() {
	return flame('hostile', write('hostile.folded', hostileFolded()), 'html', '--title', TITLE, '--subtitle', TITLE);
}

// Everything that shows a name is made to show one.
async function lookAround(page) {
	const canvas = page.locator('#stage canvas').first();
	for (const view of ['flame', 'reverse', 'sandwich', 'table']) {
		await page.locator(`#tab-${view}`).click();
		await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
	}
	await page.locator('#tab-flame').click();
	const {width, height} = await canvas.boundingBox();
	for (let i = 0; i < 12; i++)
		await canvas.hover({position: {x: width * (i + 0.5) / 12, y: Math.min(50, height - 1)}});
	await canvas.click({button: 'right', position: {x: width / 2, y: 50}});
	await page.keyboard.press('Escape');
	for (const id of ['info', 'help']) {
		await page.locator(`#${id}`).click();
		await page.keyboard.press('Escape');
	}
}

test('hostile names and titles are text in the page', async t => {
	const page = await t.open(hostilePage());
	await lookAround(page);
	await page.locator('#tab-table').click();
	for (const name of PLAIN) {
		await page.fill('#search', name);
		await t.until(async () => (await page.locator('#stage td.name').allTextContents()).includes(name), `a row that says ${name}`);
	}
	await page.fill('#search', '');
	const shown = await page.evaluate(() => document.body.innerText);
	t.ok(!INVISIBLE.test(shown), 'no control character and no override is shown');
	t.ok((await page.textContent('#title')).includes('<script>window.PWNED=20</script>'), 'the title is text');
	t.ok((await page.title()).includes('<script>window.PWNED=20</script>'), 'so is that of the window');
	await harmless(t, page);
});

test('hostile names and titles are text without scripts', async t => {
	const page = await t.open(hostilePage(), {javaScriptEnabled: false});
	const shown = await page.locator('#static').textContent();
	for (const name of PLAIN)
		t.ok(shown.includes(name), `it says ${name}`);
	t.ok(!INVISIBLE.test(shown), 'no control character and no override');
	await harmless(t, page);
	t.ok(!/<script>window/.test(fs.readFileSync(hostilePage(), 'utf8')), 'no such markup in the file');
});

test('hostile names and titles are text on paper', async t => {
	const page = await t.open(hostilePage());
	await page.emulateMedia({media: 'print'});
	await t.until(() => page.locator('#static svg').count(), 'the picture');
	const shown = await page.locator('#static').textContent();
	for (const name of PLAIN)
		t.ok(shown.includes(name), `it says ${name}`);
	t.is(await page.locator('#static script').count(), 0, 'no script');
	await harmless(t, page);
});

test('hostile commands, modules, files and events are text', async t => {
	const input = write('hostile.perf', hostilePerf());
	for (const ending of ['html', 'svg']) {
		const page = await t.open(flame('hostile-perf', input, ending));
		if (ending === 'html')
			await lookAround(page);
		else
			await touchAll(page);
		await harmless(t, page);
	}
});

test('hostile names of 100 kB are cut where they are shown, and whole in the file', async t => {
	const page = await t.open(hostilePage());
	await page.locator('#tab-table').click();
	await page.fill('#search', 'long_<b>');
	await t.until(async () => await page.locator('#stage td.name').count() === 1, 'one row');
	t.ok((await page.locator('#stage td.name').first().textContent()).length < 10000, 'cut');
	const lines = file => wick(['collapse', '-q', file]);
	t.ok(lines(hostilePage()) === lines(write('hostile.folded', hostileFolded())), 'the file holds what the input held');
});

test('hostile characters are drawn alike in the page, in the SVG and without its script, and are no namespaces', async t => {
	const names = ['a\x01\x02b', '\u202eevil\u202c_name', 'ns::zero\u200bwidth\ufeff', 'bell\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07'];
	const file = write('invisible.folded', names.map(name => `all_of_them;${name} 40\n`).join('') + 'all_of_them;rest 1840\n');
	const still = fs.readFileSync(flame('invisible-static', file, 'svg', '--static', '--width', '300'), 'utf8');
	const written = [...still.matchAll(/<text x[^>]*>([^<]*)<\/text><\/g>/g)].map(m => m[1]);
	const page = await t.open(flame('invisible', file, 'html'));
	const labels = letters => page.evaluate(n => {
		const {host, tree} = window.wick.view;
		return Array.from({length: tree.nr - 1}, (_, i) => host.label(tree, i + 1, n));
	}, letters);
	t.same((await labels(60)).slice(1).sort(), [...names.map(name => name.replace(/[^a-z_:]/g, '\ufffd')), 'rest'].sort(), 'one sign for each');
	t.same((await labels(4)).slice(1).filter(label => /x0|u2|\\/.test(label)), [], 'none is spelled out and cut');
	t.ok(written.length && !written.some(label => /\\/.test(label)), `written: ${written}`);
	const picture = await t.open(flame('invisible', file, 'svg'));
	const drawn = (await picture.locator('#frames text').allTextContents()).map(text => text.normalize());
	const shown = await page.evaluate(() => {
		const {host, painter: p, tree} = window.wick.view;
		return Array.from({length: p.nrBoxes}, (_, b) => host.label(tree, p.boxNode[b], 60));
	});
	t.same(drawn.filter(text => text.includes('\ufffd') && !text.includes('…')).filter(text => !shown.includes(text)), [], 'the same names');
});

test('hostile links change nothing but the view', async t => {
	const context = await t.context();
	const bad = encodeURIComponent('</script><script>window.PWNED=40</script><img src=x onerror=window.PWNED=41>');
	for (const hash of [`#search=${bad}`, `#view=${bad}&pivot=${bad}`, `#transforms=focus:${bad},hide:${bad}`, `#color=__proto__&order=${bad}`,
		`#zoom=${bad}&threads=${bad}`]) {
		const page = await t.open(hostilePage(), {hash, context});
		t.is(await page.evaluate(() => window.PWNED), undefined, hash);
		t.is(await page.locator('img').count(), 0, 'no image');
		await page.close();
		const picture = await t.open(flame('hostile', write('hostile.folded', hostileFolded()), 'svg'), {hash, context});
		await harmless(t, picture);
		await picture.close();
	}
});

test('hostile profile: a damaged pack is told, and the picture stays', async t => {
	t.forgive(/console error/);
	const whole = fs.readFileSync(flame('served', served(), 'html'), 'utf8');
	const damaged = whole.replace(/(id="wick">.{200}).{40}/, '$1' + 'A'.repeat(40));
	const page = await t.open(write('damaged.html', damaged));
	t.ok(await page.getByRole('alert').isVisible(), 'the page reports the error');
	t.ok(await page.locator('#static svg').first().isVisible(), 'the picture is shown');
});

test('hostile script: the policy of the page refuses whatever is not its own', async t => {
	t.forgive(/Content Security Policy|Refused|violates/);
	// Asked for, and refused before it left: the last test of all says whether that is so.
	t.urls.add('https://example.com/').add('https://example.com/x.png');
	const page = await t.open(hostilePage());
	const refused = await page.evaluate(async () => {
		const script = document.createElement('script');
		script.textContent = 'window.PWNED = 50';
		document.body.append(script);
		const box = document.createElement('div');
		box.setAttribute('onclick', 'window.PWNED = 51');
		document.body.append(box);
		box.click();
		const fails = async act => {
			try {
				await act();
				return false;
			} catch {
				return true;
			}
		};
		return {pwned: window.PWNED, fetch: await fails(() => fetch('https://example.com/')),
			beacon: await fails(() => new Promise((yes, no) => {
				const image = new Image();
				image.onload = yes;
				image.onerror = no;
				image.src = 'https://example.com/x.png';
			})),
			eval: await fails(() => new Function('return 1')())};
	});
	t.same(refused, {fetch: true, beacon: true, eval: true}, 'refused');
});
