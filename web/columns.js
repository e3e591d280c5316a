// Columns of a pack, checked as they are read.

const OBJECTS_MAX = 2 ** 24;

// Throws an error: the bytes are not a valid pack.
export function refuse(what) {
	throw new Error(what);
}

// A column of handles, each of which must be below nrRows.
export function handles(cursor, nr, nrRows, what) {
	const column = cursor.column(nr);
	return cursor.most < nrRows || !nr ? column : checkBelow(column, nrRows, what);
}

export function checkBelow(column, nrRows, what) {
	let i = 0;
	while (i < column.length && column[i] < nrRows)
		i++;
	if (i < column.length)
		refuse(`row ${i}: no ${what} ${column[i]}`);
	return column;
}

// The column with an empty row 0 added, which a pack does not store.
export function behindNothing(column, Type = Uint32Array) {
	const out = new Type(column.length + 1);
	out.set(column, 1);
	return out;
}

// Running sums of a column of sizes, from 0 on.
export function offsetsOf(sizes) {
	const out = new Uint32Array(sizes.length + 1);
	let sum = 0;
	for (let i = 0; i < sizes.length; i++)
		out[i + 1] = sum += sizes[i];
	return sum > 0xffffffff ? refuse('declared size is out of range') : out;
}

const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
const oneByte = new TextDecoder('latin1');

// Strings that are stored one after the other.  ASCII ones are cut from one large string, which is far faster than
// decoding each.
export function textsOf(cursor, sizes) {
	const offsets = offsetsOf(sizes);
	const bytes = cursor.take(offsets[sizes.length]);
	const all = oneByte.decode(bytes), ascii = !/[^\x00-\x7f]/.test(all);
	const out = new Array(sizes.length);
	for (let i = 0; i < sizes.length; i++) {
		const begin = offsets[i], end = offsets[i + 1];
		let at = ascii ? end : begin;
		while (at < end && bytes[at] < 128)
			at++;
		out[i] = at === end ? all.substring(begin, end) : utf8.decode(bytes.subarray(begin, end));
	}
	return out;
}

// A count of rows that become objects: above the limit, the page would run out of memory.
export function countOfMany(cursor) {
	const nr = cursor.count();
	if (nr > OBJECTS_MAX)
		refuse(`${nr} rows exceed what a page can hold`);
	return nr;
}

// A string, preceded by its size.
export function textOf(cursor) {
	return utf8.decode(cursor.take(cursor.varint()));
}
