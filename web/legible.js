// Names are untrusted: characters that are invisible or change the direction of writing are replaced.
const INVISIBLE = /[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/g;

// Replaces them by escape sequences: `\x1b`, `\u202e`.
export function legible(text) {
	return text.replace(INVISIBLE, (c) => {
		const code = c.charCodeAt(0).toString(16);
		return code.length > 2 ? '\\u' + code.padStart(4, '0') : '\\x' + code.padStart(2, '0');
	});
}

// Replaces each by U+FFFD, which keeps the length: for pictures, as src/render/peer/svg_text.c does.
export function plainText(text) {
	return text.replace(INVISIBLE, (c) => c === '\t' || c === '\n' ? c : '\ufffd');
}
