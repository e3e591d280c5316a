// Names that want to be something else than text.  Each tries to set window.PWNED in its own way.
const NASTY = [
	'</script><script>window.PWNED=1</script>',
	'</title><script>window.PWNED=2</script>',
	']]><script>window.PWNED=3</script><![CDATA[',
	'<img src=x onerror=window.PWNED=4>',
	'<svg onload="window.PWNED=5"/>',
	'"onmouseover="window.PWNED=6"x="',
	"' onclick='window.PWNED=7' '",
	'--><script>window.PWNED=8</script><!--',
	'&lt;script&gt;window.PWNED=9&lt;/script&gt;',
	'&#x0;&#0;&#xFFFE;&nosuch;&amp',
	'javascript:window.PWNED=10',
	'<style>*{display:none}</style>',
	'</style><script>window.PWNED=11</script>',
	'</metadata></svg><script>window.PWNED=12</script>',
	'</noscript><script>window.PWNED=13</script>',
	'</textarea></template><script>window.PWNED=14</script>',
	'${window.PWNED=15}`+(window.PWNED=15)+`',
	'<?php window.PWNED=16 ?><!DOCTYPE x [<!ENTITY e "y">]>&e;',
	'__proto__',
	'constructor',
	'hasOwnProperty',
	'toString',
	'$& $1 $` %s %d {0} \\u0000 \\x3cscript>',
	'\u202Ereversed\u202C and \u2066isolated\u2069',
	'esc\u001b[31mred\u001b[0m bell\u0007 nul-free \u0001\u0008\u000b\u000c\u007f\u0085\u009b',
	'\uFFFE\uFFFF\uFEFF',
	'combining ' + 'Z\u0351\u0352'.repeat(40),
	'emoji \u{1F469}\u200D\u{1F4BB} \u{1F525}',
];

const INVALID = [
	Buffer.from([0x62, 0x61, 0x64, 0xff, 0xfe, 0x80]),                    // stray bytes
	Buffer.from([0x63, 0x75, 0x74, 0xe2, 0x82]),                          // a character that is cut short
	Buffer.from([0x6f, 0x76, 0x65, 0x72, 0xc0, 0xbc, 0x73, 0x3e]),        // '<' in an overlong spelling
	Buffer.from([0x73, 0x75, 0x72, 0xed, 0xa0, 0x80]),                    // half of a surrogate pair
	Buffer.from([0x66, 0x61, 0x72, 0xf7, 0xbf, 0xbf, 0xbf]),              // past the last character
];

const LONG = 'long_<b>' + 'x'.repeat(100000) + '</b>';
export const TITLE = '</title></text><script>window.PWNED=20</script>]]>\u001b[1m\u202E&#x0;"\'<img src=x onerror=window.PWNED=21>';

// A folded line for each, with the caller `nasty` and equal weights.
export function hostileFolded() {
	const names = [...NASTY.map(name => Buffer.from(name.replaceAll(';', ','))), ...INVALID, Buffer.from(LONG)];
	return Buffer.concat(names.map((name, i) => Buffer.concat([Buffer.from('nasty;'), name, Buffer.from(` ${100 + i}\n`)])));
}

// Names that survive as they are, so that a page must show exactly these.
export const PLAIN = NASTY.slice(0, 8).map(name => name.replaceAll(';', ','));

// perf script text whose command, module, file and event are as bad.
export function hostilePerf() {
	const bad = '</script><script>window.PWNED=30</script>';
	let text = `# cmdline : perf record ${bad}\n# hostname : ${bad}\n#\n`;
	for (const [i, name] of PLAIN.entries())
		text += `ev<il> 100/100 [000] ${(10 + i / 100).toFixed(6)}:   10000000 ${'<img>'}: \n` +
			`\t401000 ${name} (/opt/<script>window.PWNED=31<script>/]]>${i}.so)\n  </script>${i}.c:${i + 1}\n` +
			'\t401100 main (/usr/bin/served)\n  main.c:1\n\n';
	return text;
}
