// scripts/bundle: what it must leave alone, and what it must refuse.
import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import vm from 'node:vm';

const bundle = join(dirname(fileURLToPath(import.meta.url)), '../../scripts/bundle');
const folder = mkdtempSync(join(tmpdir(), 'wick-bundle-'));
let nr = 0;

function ok(passed, name, why = '') {
	nr++;
	console.log(`${passed ? '' : 'not '}ok ${nr} - ${name}`);
	if (!passed && why)
		console.log('# ' + String(why).replaceAll('\n', '\n# '));
	process.exitCode ||= passed ? 0 : 1;
}

// Writes the modules, bundles the first one.
function bundled(files, ...options) {
	for (const [name, text] of Object.entries(files))
		writeFileSync(join(folder, name), text);
	return spawnSync(bundle, [...options, join(folder, Object.keys(files)[0])], {encoding: 'utf8'});
}

// What the bundle leaves in `out` when it is run.
function ran(files, ...options) {
	const r = bundled(files, ...options);
	if (r.status)
		return r.stderr;
	const window = {out: []};
	vm.runInNewContext(r.stdout, {window});
	return JSON.stringify(window.out);
}

// With names as they are, and with short ones.
function gives(name, files, want) {
	for (const options of [[], ['--short']]) {
		const got = ran(Object.fromEntries(Object.entries(files).map(([f, t]) => [f, t.replaceAll(/\bout\b/g, 'window.out')])), ...options);
		ok(got === JSON.stringify(want), [name, ...options].join(' '), got);
	}
}

function refuses(name, files, reason) {
	const r = bundled(files);
	ok(r.status === 1 && r.stderr.includes(reason), name, r.stderr || r.stdout);
}

gives('modules in the order they need, each once', {
	'a.js': "import {b} from './b.js';\nimport {c} from './c.js';\nout.push(b, c);\n",
	'b.js': "import {c} from './c.js';\nout.push('b');\nexport const b = c + 1;\n",
	'c.js': "out.push('c');\nexport const c = 1;\nexport function unused() {}\n",
}, ['c', 'b', 2, 1]);
gives('every form of export', {
	'a.js': "import {\n\tf, g,\n\tH,\n} from './b.js';\nout.push(f(), typeof g, new H().x, [1, 2].length);\n",
	'b.js': "export function f() { return 1; }\nexport async function g() {}\nclass H { x = 3; }\nexport {H};\n",
}, [1, 'function', 3, 2]);
gives('strings, templates and regexes stay as they are', {
	'a.js': "const s = '// no  comment', t = `a  /* b */ ${'}' + `x  ${1}`}  c`; // yes\n" +
		"const r = /[/]\\/  \\/\\*/g; /* a\ncomment */ out.push(s, t, r.source, 8 / 2 / 1, 'it\\'s');\n",
}, ['// no  comment', 'a  /* b */ }x  1  c', '[/]\\/  \\/\\*', 4, "it's"]);
gives('marks that must not meet', {
	'a.js': 'let a = 1, b = 2; out.push(a + +b, a - -b, a++ + ++b, 1 .toFixed(), a\n> b);\n' +
		'const x = [[0]], y = x[x[0]]> 0; out.push(y, `${"</" + "script>"}`);\n',
}, [3, 3, 4, '1', false, false, '</script>']);
gives('a line that ends a statement', {
	'a.js': 'function f() {\n\treturn\n}\nlet a = 1\nlet b = a\n++a\nb++\na++\nout.push(typeof f(), a, b)\n',
}, ['undefined', 3, 2]);
gives('marks that say something, and those that do not', {
	'a.js': 'const a = [1, , 2,], b = {a,};\nconst c = b.a.length\nout.push(c);\nconst d = () => { let i = 0; while (i++ < 3); }\nd();\n' +
		'const e = `${a.length};const`;\nconst f = (x,) => { const y = x; const z = y + 1; return z; };\nfor (const g of a)\n\tif (g) out.push(g);\n' +
		'class K { static w = 7; if(x) { return x; } }\nout.push(e, f(1), d(), new K().if(5), K.w);\n',
}, [3, 1, 2, '3;const', 2, undefined, 5, 7]);
const tight = bundled({'a.js': 'const a = [1,];\nconst b = 2;\nif (a)\n\twindow.out.push(a, b);\n'}).stdout;
ok(tight.includes('const a=[1],b=2;if(a)window'), 'no mark too many', tight);
gives('strict', {'a.js': 'out.push((function () { return this === undefined; })());\n'}, [true]);

gives('properties and variables of one name', {
	'a.js': 'const name = 1, top = {name, other: name, name2: {name}}, {other: alias, name2: {name: deep}} = top;\n' +
		'function read({name, far = name + 1}, [first, ...rest], last = first) { return {name, far, first, rest, last, get() { return name; }}; }\n' +
		'class Box { size = 4; static of(size) { const box = new Box(); box.size = size; return box; } get twice() { return this.size * 2; } async later() { return this; } }\n' +
		'const made = read({name: 5}, [6, 7, 8]), pick = flag => flag ? name : alias, {twice} = Box.of(3);\n' +
		'for (const [key, value] of Object.entries(made)) if (typeof value !== "function") out.push(key, value);\n' +
		'out.push(made.get(), pick(true), pick(false), deep, twice, top?.name2?.name, `${name} name ${`${deep}${{name}.name}`}`);\n' +
		'try { throw {name: 9}; } catch ({name}) { out.push(name); }\n' +
		'const of = [1], get = {of}; out.push(get.of[0], {get}.get.of.length);\n',
}, ['name', 5, 'far', 6, 'first', 6, 'rest', [7, 8], 'last', 6, 5, 1, 1, 1, 6, 1, '1 name 11', 9, 1, 1]);

gives('names of the top level beside others', {
	'a.js': "import {aa, b} from './b.js';\nlet a = 1;\nfunction f(x, a_) { const aa2 = x + a_ + a; return (y) => y + aa2 + aa; }\n" +
		'class C { m(x) { let a = x; return () => a + b; } }\nconst g = (z) => z * a;\nfor (const q of [1]) out.push(q);\n' +
		'out.push(f(1, 2)(3), new C().m(5)(), g(7));\n',
	'b.js': 'export const aa = 10;\nexport function b(n) { return n; }\nb.toString = () => "B";\n',
}, [1, 17, '5B', 7]);

gives('constants that are numbers', {
	'a.js': "import {FEW, LIST} from './b.js';\nconst ONE = 1;\nconst A = 2, TEXT = 'A', B = 3;\nconst C = 4, SUM = A + B;\nlet MORE = 5;\nMORE++;\n" +
		'function f(x) { switch (x) { case ONE: return A; default: return {ONE, A: x}; } }\n' +
		'out.push(f(1), f(7), TEXT, SUM, MORE, FEW, LIST, C -ONE, {A: 9}.A, `${B}`);\n',
	'b.js': 'export const FEW = 16;\nexport const LIST = [1, 2], LAST = 1 << 3, END = 0x10;\nout.push(LAST, END);\n',
}, [8, 16, 2, {ONE: 1, A: 7}, 'A', 5, 6, 16, [1, 2], 3, 9, '3']);
gives('what ends without a mark, and what does not', {
	'a.js': 'function f() {\n\tif (1) {\n\t\tout.push(1);\n\t}\n\tfor (const x of [2]) {\n\t\tout.push(x);\n\t}\n\tconst g = function () {\n\t}\n\tconst h = {a() {\n\t\treturn 3;\n\t}}\n' +
		'\tlet k = () => {\n\t\treturn 4;\n\t}\n\tlet m = class {\n\t\tn() {\n\t\t\treturn 5;\n\t\t}\n\t\tget o() {\n\t\t\treturn 6;\n\t\t}\n\t}\n' +
		'\tout.push(typeof g, h.a(), k(), new m().n(), new m().o)\n}\nf();\nclass K {\n}\n[7].forEach(x => out.push(x));\nout.push(typeof K)\n',
}, [1, 2, 'function', 3, 4, 5, 6, 7, 'function']);

const short = bundled({'a.js': 'const veryLong = 1;\nwindow.out.push(veryLong, {veryLong});\n'}, '--short').stdout;
ok(short.includes('const aa=1') && short.includes('{veryLong:aa}'), 'short names', short);
ok(bundled({'a.js': 'nobodyKnows();\n'}, '--short').stderr.includes('nobodyKnows'), 'a global that is not listed');

refuses('a collision', {
	'a.js': "import {x} from './b.js';\nconst y = 1;\nout.push(x, y);\n",
	'b.js': 'export const x = 1, y = 2;\n',
}, 'y is a top-level name');
refuses('a collision in a pattern', {
	'a.js': "import {x} from './b.js';\nconst [y, z] = [1, 2];\nout.push(x, y, z);\n",
	'b.js': 'export const x = ((z) => z)(1);\nlet w = [x, 2], z;\nz = w;\n',
}, 'z is a top-level name');
refuses('a name that is not exported', {
	'a.js': "import {x} from './b.js';\nout.push(x);\n", 'b.js': 'const x = 1;\n',
}, 'does not export x');
refuses('a circle', {
	'a.js': "import {x} from './b.js';\nexport const y = 1;\n",
	'b.js': "import {y} from './a.js';\nexport const x = 1;\n",
}, 'circle');
refuses('renaming', {'a.js': "import {x as z} from './b.js';\n", 'b.js': 'export const x = 1;\n'}, 'renaming');
refuses('a default export', {'a.js': 'export default 1;\n'}, 'export default');
refuses('a dynamic import', {'a.js': "import('./b.js');\n"}, 'plain imports');
refuses('what would end the element', {'a.js': "out.push('</script>');\n"}, '</script');
refuses('a file that is not there', {'a.js': "import {x} from './gone.js';\n"}, 'gone.js');

writeFileSync(join(folder, 'a.css'), 'a > b {\n\tcolor: red; /* x */\n\tcontent: "a  : b";\n}\n@media (width > 3px) { i { top: calc(1px + 2px); } }\n');
const css = execFileSync(bundle, [join(folder, 'a.css')], {encoding: 'utf8'});
ok(css === 'a>b{color:red;content:"a  : b"}@media (width>3px){i{top:calc(1px + 2px)}}\n', 'a style sheet', css);

// The packed one must put exactly the script whose hash it states into the page, and the style beside it.
writeFileSync(join(folder, 'p.js'), "window.out.push('ä');\n");
const outer = execFileSync(bundle, ['--packed', '--style', join(folder, 'a.css'), join(folder, 'p.js')], {encoding: 'utf8'});
const inner = execFileSync(bundle, ['--short', join(folder, 'p.js')], {encoding: 'utf8'}), added = [], sheets = [];
class CSSStyleSheet {
	replaceSync(text) {
		sheets.push(text);
	}
}
const page = {readyState: 'loading', documentElement: {namespaceURI: 'n', dataset: {}, append: (e) => added.push(e.textContent)},
	createElementNS: () => ({remove() {}})};
const until = async (happened) => {
	for (let i = 0; i < 100 && !happened(); i++)
		await new Promise((done) => setTimeout(done, 10));
};
vm.runInNewContext(outer, {document: page, Uint8Array, DecompressionStream, CSSStyleSheet, TextDecoder, TextEncoder});
await until(() => page.onreadystatechange);
ok(page.onreadystatechange && !added.length, 'packed: not before all is parsed', page.documentElement.dataset.failed);
page.onreadystatechange?.();
await until(() => added.length);
ok(added[0] === inner && sheets[0] === css, 'packed', added + page.documentElement.dataset.failed);
ok(outer.startsWith(`/*sha256-${createHash('sha256').update(inner).digest('base64')}*/`), 'the hash of what is packed');

rmSync(folder, {recursive: true});
console.log(`1..${nr}`);
