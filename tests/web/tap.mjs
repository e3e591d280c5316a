// Tests print TAP: is(got, want, name), ok(yes, name), throws(f, pattern, name), and done() at the end.
import {isDeepStrictEqual, inspect} from 'node:util';

let nr = 0, failed = 0;

export function ok(passed, name, ...why) {
	nr++;
	console.log(`${passed ? 'ok' : 'not ok'} ${nr} - ${name.replaceAll('#', '')}`);
	if (passed)
		return;
	failed++;
	for (const line of why.join('\n').split('\n'))
		console.log(`# ${line}`);
}

export function is(got, want, name) {
	const show = x => inspect(x, {depth: 6, maxArrayLength: 50, maxStringLength: 2000, breakLength: 100});
	ok(isDeepStrictEqual(got, want), name, `got ${show(got)}`, `want ${show(want)}`);
}

export async function throws(f, pattern, name) {
	try {
		await f();
		ok(false, name, 'nothing was thrown');
	} catch (e) {
		ok(pattern.test(e.message), name, `got ${e.message}`, `want ${pattern}`);
	}
}

export function done() {
	console.log(`1..${nr}`);
	process.exitCode = failed ? 1 : 0;
}
