// Pictures of every view, to look at: light, dark and on a phone.
//
// usage: shots.mjs FOLDER [PATTERN…]     WICK and BROWSER_MODULES as for run.mjs
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {REPO, diff, flame, served, tree, waiting} from './files.mjs';
import {launch} from './harness.mjs';

const DEMO = path.join(REPO, 'demo/perf.txt.gz');
const PHONE = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 2};
const LOOKS = {
	light: {viewport: {width: 1280, height: 800}, colorScheme: 'light'},
	dark: {viewport: {width: 1280, height: 800}, colorScheme: 'dark'},
	phone: {...PHONE, colorScheme: 'light'},
	'phone-dark': {...PHONE, colorScheme: 'dark'},
};

const press = (...keys) => async page => {
	for (const key of keys)
		await page.keyboard.press(key);
};
const click = selector => page => page.locator(selector).first().click();
const at = (x, y, options) => async page => {
	const box = await page.locator('#stage canvas').first().boundingBox();
	await page.mouse.click(box.x + x * box.width, box.y + y, options);
};

async function drag(page, from, to, key) {
	const box = await page.locator('.strips canvas').boundingBox();
	if (key)
		await page.keyboard.down(key);
	await page.mouse.move(box.x + from * box.width, box.y + 8);
	await page.mouse.down();
	await page.mouse.move(box.x + to * box.width, box.y + 8, {steps: 3});
	await page.mouse.up();
	if (key)
		await page.keyboard.up(key);
}

// name: file, link, what is done before the picture is taken
const SHOTS = {
	flame: ['big'],
	small: ['small'],
	demo: ['demo'],
	readme: ['demo', '#transforms=recursion:&search=strncmp', async page => {
		const box = await page.locator('#stage canvas').first().boundingBox();
		await page.mouse.move(box.x + 0.7 * box.width, box.y + 115);
	}, {viewport: {width: 1280, height: 600}}],
	flip: ['big', '#flip=1'],
	zoom: ['big', '', at(0.5, 66)],
	hover: ['small', '', async page => {
		const box = await page.locator('#stage canvas').first().boundingBox();
		await page.mouse.move(box.x + 0.15 * box.width, box.y + 105);
	}],
	search: ['big', '#search=hash'],
	nothing: ['small', '#search=nosuchfunction'],
	reverse: ['big', '#view=reverse'],
	sandwich: ['big', '#view=sandwich'],
	table: ['big', '#view=table'],
	wall: ['waiting'],
	'wall-timeline': ['waiting', '#view=timeline', async page => {
		const box = await page.locator('.strips canvas').boundingBox();
		await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
	}],
	waits: ['waits'],
	timeline: ['small', '#view=timeline'],
	range: ['small', '#view=timeline', page => drag(page, 0.5, 0.9)],
	ranges: ['small', '#view=timeline', async page => {
		await drag(page, 0, 0.45);
		await drag(page, 0.5, 0.95, 'Shift');
	}],
	diff: ['diff'],
	'diff-table': ['diff', '#view=table'],
	menu: ['small', '', at(0.15, 105, {button: 'right'})],
	steps: ['small', '#transforms=focus:serve,recursion:'],
	help: ['small', '', press('?')],
	info: ['demo', '', click('#info')],
	threads: ['small', '', click('#threads')],
	module: ['small', '#color=module'],
	function: ['big', '#color=function'],
	self: ['big', '#color=self'],
	print: ['demo', '', page => page.emulateMedia({media: 'print'})],
	'no-script': ['demo', '', null, {javaScriptEnabled: false}],
	svg: ['svg'],
	'svg-demo': ['svg-demo'],
	'svg-zoom': ['svg', '', page => page.locator('#frames g rect').nth(6).click()],
	'svg-search': ['svg', '', async page => {
		await page.keyboard.press('/');
		await page.keyboard.type('hash');
	}],
	'svg-diff': ['svg-diff'],
};

async function filesOf() {
	const big = await tree('100K');
	return {
		big: flame('shot-big', big, 'html'), small: flame('shot-small', served(), 'html'), demo: flame('shot-demo', DEMO, 'html'),
		waiting: flame('shot-wall', waiting(), 'html', '-e', 'all'), waits: flame('shot-waits', waiting(), 'html', '-e', 'off-cpu'),
		diff: diff('html'), svg: flame('shot-big', big, 'svg'), 'svg-demo': flame('shot-demo', DEMO, 'svg'), 'svg-diff': diff('svg'),
	};
}

async function shoot(browser, file, [, hash = '', act, options = {}], look, to) {
	const context = await browser.newContext({...look, ...options, reducedMotion: 'reduce'});
	context.setDefaultTimeout(5000);
	const page = await context.newPage();
	try {
		await page.goto(pathToFileURL(file).href + hash);
		if (options.javaScriptEnabled !== false)
			await page.waitForFunction(() => document.documentElement.dataset.ready === '1');
		if (act)
			await act(page);
		await page.waitForTimeout(120);
		await page.screenshot({path: to});
	} catch (e) {
		console.error(`${path.basename(to)}: ${e.message.split('\n')[0]}`);
	}
	await context.close();
}

async function main([folder, ...patterns]) {
	fs.mkdirSync(folder, {recursive: true});
	const files = await filesOf();
	const {browser, network} = await launch();
	for (const [name, shot] of Object.entries(SHOTS))
		for (const [title, look] of Object.entries(LOOKS))
			if (!patterns.length || patterns.some(p => `${name}-${title}`.includes(p)))
				await shoot(browser, files[shot[0]], shot, look, path.join(folder, `${name}-${title}.png`));
	await browser.close();
	network.close();
	console.log(`pictures are in ${folder}`);
}

await main(process.argv.slice(2));
process.exit(0);
