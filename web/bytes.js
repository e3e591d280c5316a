// Reading untrusted bytes: base64, zlib, and a cursor that cannot overrun.

// Base64, padded or not, with blanks and line breaks anywhere.  Newer browsers decode it to bytes directly, others to
// a string.
export function unbase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const chars = atob(text), out = new Uint8Array(chars.length);
	for (let i = 0; i < chars.length; i++)
		out[i] = chars.charCodeAt(i);
	return out;
}

// Decompresses a zlib stream, which must have exactly `size` bytes; a larger one is stopped early.
export async function inflate(bytes, size) {
	const stream = new DecompressionStream('deflate');
	const writer = stream.writable.getWriter();
	const reader = stream.readable.getReader();
	const chunks = [];
	let got = 0;
	// Errors are reported by the reading side too.
	writer.write(bytes).catch(() => {});
	writer.close().catch(() => {});
	for (;;) {
		const {done, value} = await reader.read();
		if (done)
			break;
		got += value.length;
		chunks.push(value);
		if (got > size) {
			reader.cancel().catch(() => {});
			throw new Error('larger than declared');
		}
	}
	if (got !== size)
		throw new Error('smaller than declared');
	return joinChunks(chunks, size);
}

function joinChunks(chunks, size) {
	if (chunks.length === 1)
		return chunks[0];
	const out = new Uint8Array(size);
	let at = 0;
	for (const chunk of chunks) {
		out.set(chunk, at);
		at += chunk.length;
	}
	return out;
}

const VARINT_MAX = 10; // bytes
const TWO_64 = 2 ** 64;

// How many of the next nr bytes are one-byte numbers, in steps of four; and the bitwise or of them.
function leadingBytes(bytes, begin, nr) {
	const copy = new Uint8Array(bytes.subarray(begin, begin + nr)), fours = new Uint32Array(copy.buffer, 0, copy.length >> 2);
	let i = 0, all = 0;
	while (i < fours.length && !(fours[i] & 0x80808080))
		all |= fours[i++];
	return [4 * i, (all | all >> 8 | all >> 16 | all >> 24) & 127];
}

export class Cursor {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	get left() {
		return this.bytes.length - this.at;
	}

	byte() {
		if (this.at >= this.bytes.length)
			throw new Error('unexpected end');
		return this.bytes[this.at++];
	}

	// Above 2^53, the nearest double.
	varint() {
		let b = this.byte(), value = b & 127, factor = 128;
		if (b < 128)
			return b;
		for (let nr = 1; b > 127; nr++) {
			if (nr === VARINT_MAX)
				throw new Error('number too long');
			b = this.byte();
			value += (b & 127) * factor;
			factor *= 128;
		}
		if (value > TWO_64)
			throw new Error('number too large');
		return value;
	}

	// Zigzag.  The sign is the lowest bit, which a large double loses, so it is taken from the first byte.
	signed() {
		const odd = this.at < this.bytes.length && this.bytes[this.at] & 1;
		const value = this.varint();
		if (value <= 0xffffffff)
			return odd ? -(value - 1) / 2 - 1 : value / 2;
		return odd ? -Math.floor(value / 2) - 1 : Math.floor(value / 2);
	}

	take(nr) {
		if (nr > this.left)
			throw new Error('unexpected end');
		this.at += nr;
		return this.bytes.subarray(this.at - nr, this.at);
	}

	// A count of items that take at least a byte each: more than the remaining bytes is an error.
	count() {
		const nr = this.varint();
		if (nr > this.left)
			throw new Error('more rows than bytes');
		return nr;
	}

	// nr numbers: 32-bit ones if all fit, as in nearly all columns.  Most have one or two bytes, and are read
	// before the browser has compiled this: these have a fast path.  Sets this.most to an upper bound of the
	// numbers.
	column(nr) {
		if (nr > this.left)
			throw new Error('more rows than bytes');
		const {bytes} = this, begin = this.at;
		const out = new Uint32Array(nr), [alone, all] = leadingBytes(bytes, begin, nr);
		let at = begin + alone, most = all;
		out.set(bytes.subarray(begin, at));
		for (let i = alone; i < nr; i++) {
			let value = bytes[at++];
			if (value > 127) {
				const next = bytes[at++];
				value += 128 * (next - 1);
				if (!(next < 128)) {
					this.at = at - 2;
					value = this.varint();
					at = this.at;
					if (value > 0xffffffff) {
						this.at = begin;
						return this.wideColumn(nr);
					}
				}
			}
			out[i] = value;
			if (value > most)
				most = value;
		}
		this.at = begin;
		this.take(at - begin);
		this.most = most;
		return out;
	}

	wideColumn(nr) {
		const out = new Float64Array(nr);
		for (let i = 0; i < nr; i++)
			out[i] = this.varint();
		this.most = Infinity;
		return out;
	}

	// The same for signed numbers.
	signedColumn(nr) {
		const begin = this.at, column = this.column(nr);
		if (this.most < Infinity) {
			const out = new Int32Array(nr);
			for (let i = 0; i < nr; i++)
				out[i] = column[i] >>> 1 ^ -(column[i] & 1);
			return out;
		}
		this.at = begin;
		for (let i = 0; i < nr; i++)
			column[i] = this.signed();
		return column;
	}

	// Skips nr numbers.
	skip(nr) {
		const [alone] = leadingBytes(this.bytes, this.at, nr);
		this.at += alone;
		for (nr -= alone; nr > 0;)
			nr -= this.byte() < 128;
	}
}
