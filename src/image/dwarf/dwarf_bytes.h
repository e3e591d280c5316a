/* The encodings of DWARF, read with the cursor of base/bytes.h. */
#ifndef WICK_IMAGE_DWARF_DWARF_BYTES_H
#define WICK_IMAGE_DWARF_DWARF_BYTES_H

#include "base/bytes.h"
#include "base/fields.h"
#include "base/leb128.h"

/* The parameters of a unit or a line table that its encodings depend on. */
struct dwarf_format {
	uint8_t version, address_size, offset_size;
	enum byte_order order;
};

/* An unsigned number of 1 to 8 bytes. */
static inline uint64_t dwarf_number(struct bytes *b, size_t size, enum byte_order order)
{
	const char *at = (const char *)b->at;
	uint64_t v = 0;

	if (bytes_left(b) < size)
		return bytes_fail(b);
	b->at += size;
	switch (size) {
	case 1:
		return (uint8_t)at[0];
	case 2:
		return load_u16(at, order);
	case 4:
		return load_u32(at, order);
	case 8:
		return load_u64(at, order);
	default:
		for (size_t i = 0; i < size; i++)
			v = v << 8 | (uint8_t)at[order == ORDER_BIG ? i : size - 1 - i];
		return v;
	}
}

/* SLEB128; ULEB128 is bytes_varint(). */
static inline int64_t dwarf_signed(struct bytes *b)
{
	struct leb128 n = { 0 };

	while (leb128_add(&n, bytes_u8(b)))
		;
	return leb128_signed(&n);
}

/* A NUL-terminated string, in place; NULL when it does not end. */
static inline const char *dwarf_text(struct bytes *b)
{
	const unsigned char *text = b->at;
	const unsigned char *end = bytes_left(b) ? memchr(text, '\0', bytes_left(b)) : NULL;

	if (!end) {
		bytes_fail(b);
		return NULL;
	}
	b->at = end + 1;
	return (const char *)text;
}

/* Reads a length, and returns that many bytes.  Sets f->offset_size: 4, or 8 in DWARF64. */
static inline struct bytes dwarf_sized(struct bytes *b, struct dwarf_format *f)
{
	enum { LONG_OFFSETS = 0xffffffff };
	uint64_t size = dwarf_number(b, 4, f->order);

	f->offset_size = 4;
	if (size == LONG_OFFSETS) {
		f->offset_size = 8;
		size = dwarf_number(b, 8, f->order);
	}
	return bytes_over(bytes_take(b, size));
}

#endif
