// Runs the tests of this folder in a real Chromium, and prints TAP.
//
// usage: run.mjs [PATTERN…]     the tests whose name has one of the patterns in it
//
//   WICK              the program
//   BROWSER_MODULES   a folder where npm has installed package.json
//   BROWSER_FILES     a folder for the files that are made and opened
//   CHROMIUM          the browser (on PATH)
import fs from 'node:fs';
import path from 'node:path';
import {Failure, Test, findChromium, launch, registeredTests} from './harness.mjs';

const LIMIT = 300000;

function limited(promise) {
	let timer;
	const late = new Promise((_, no) => {
		timer = setTimeout(() => no(new Failure(`no end after ${LIMIT / 1000} s`)), LIMIT);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// Why it failed, or null.
async function runOne(browser, {body}) {
	const t = new Test(browser);
	let why = null;
	try {
		await limited(body(t));
	} catch (e) {
		why = e instanceof Failure ? e.message : String(e.stack).split('\n').filter(line => !/UtilityScript|run\.mjs|eval at/.test(line)).join('\n');
	}
	try {
		await t.finish();
	} catch (e) {
		why = why ? `${why}\n${e.message}` : e.message;
	}
	return why;
}

function report(number, name, why) {
	console.log(`${why === null ? 'ok' : 'not ok'} ${number} - ${name}`);
	for (const line of why === null ? [] : why.split('\n').slice(0, 20))
		console.log(`# ${line}`);
}

async function main(patterns) {
	const here = import.meta.dirname || path.dirname(new URL(import.meta.url).pathname);
	for (const file of fs.readdirSync(here).sort())
		if (/^test_.*\.mjs$/.test(file))
			await import(path.join(here, file));
	const chosen = registeredTests().filter(t => !patterns.length || patterns.some(p => t.name.includes(p)));
	if (!findChromium()) {
		console.log('1..1\nok 1 - chromium # SKIP there is no chromium on PATH (CHROMIUM names another browser)');
		return 0;
	}
	const {browser, network} = await launch();
	for (const one of chosen)
		one.prepare();
	console.log(`1..${chosen.length + 1}`);
	let failed = 0, number = 0, next = 0;
	// Two at a time: a test mostly waits for the browser, and the browser for nothing.
	const work = async () => {
		while (next < chosen.length) {
			const one = chosen[next++], start = Date.now();
			const why = await runOne(browser, one);
			report(++number, one.name, why);
			if (process.env.BROWSER_TIMES)
				console.error(`${String(Date.now() - start).padStart(6)} ms  ${one.name}`);
			failed += why !== null;
		}
	};
	await Promise.all([work(), work()]);
	await browser.close();
	network.close();
	const why = network.seen.length ? [...new Set(network.seen)].join('\n') : null;
	report(++number, 'nothing was asked of the network', why);
	return failed || why ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
