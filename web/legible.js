// Symbols are other people's bytes: what would turn the text around it, or show nothing, is not shown as it is.
const INVISIBLE = /[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/g;

// Spelled out, where there is room.
export function legible(text) {
	return text.replace(INVISIBLE, (c) => {
		const code = c.charCodeAt(0).toString(16);
		return code.length > 2 ? '\\u' + code.padStart(4, '0') : '\\x' + code.padStart(2, '0');
	});
}

// One character for each, in pictures: a name is cut to a size there, and src/render/svg_text.c does the same.
export function plainText(text) {
	return text.replace(INVISIBLE, (c) => c === '\t' || c === '\n' ? c : '\ufffd');
}
