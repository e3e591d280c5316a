// devtools.mjs ENGINE FILE: opens a Chrome trace with the engine of Chrome's DevTools, and prints its bounds, and of each thread the
// time of its functions, the largest first.  Of a V8 profile, it prints the time of all functions and its length.
import fs from 'node:fs';
import path from 'node:path';

const [engine, file] = process.argv.slice(2);
const largest = (times) => [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
if (file.endsWith('.cpuprofile')) {
	const { CPUProfileDataModel } = await import(path.join(engine, 'models/cpu_profile/cpu_profile.js'));
	const model = new CPUProfileDataModel.CPUProfileDataModel(JSON.parse(fs.readFileSync(file, 'utf8')));
	const threads = new Set(model.profileHead.children.map((node) => node.functionName));
	const times = new Map();
	const add = (node) => {
		if (!threads.has(node.functionName))
			times.set(node.functionName, (times.get(node.functionName) ?? 0) + Math.round(node.total * 1000));
		node.children.forEach(add);
	};
	model.profileHead.children.forEach(add);
	for (const [function_, time] of largest(times))
		console.log(`${Math.round(model.total)} ms|${function_}|${time}`);
	process.exit(0);
}
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
		for (const [function_, time] of largest(times))
			console.log(`${pid}/${tid} ${name}|${function_}|${time}`);
	}
