// devtools.mjs ENGINE TRACE: opens a Chrome trace with the engine of Chrome's DevTools, and prints its bounds, and of each thread the
// time of its functions, the largest first.
import fs from 'node:fs';
import path from 'node:path';

const [engine, file] = process.argv.slice(2);
const { Processor } = await import(path.join(engine, 'models/trace/trace.js'));
const processor = Processor.TraceProcessor.createWithAllHandlers();
const events = JSON.parse(fs.readFileSync(file, 'utf8')).traceEvents;
await processor.parse(events, { isCPUProfile: false });
const { Meta, Renderer } = processor.parsedTrace ?? processor.data;
console.log(`${Meta.traceBounds.min} to ${Meta.traceBounds.max}`);
for (const [pid, { threads }] of Renderer.processes)
	for (const [tid, { name, entries }] of threads) {
		const times = new Map();
		for (const e of entries)
			times.set(e.name, (times.get(e.name) ?? 0) + (e.dur ?? 0));
		const rows = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
		for (const [function_, time] of rows)
			console.log(`${pid}/${tid} ${name}|${function_}|${time}`);
	}
