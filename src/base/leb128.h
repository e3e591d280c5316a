/*
 * LEB128, the numbers of DWARF: seven bits a byte, the lowest first, the top bit set on all but the
 * last.  Both cursors, bytes.h and fields.h, read them byte by byte:
 *
 *	struct leb128 n = { 0 };
 *	while (leb128_add(&n, bytes_u8(b)))
 *		;
 *
 * Bits above the 64th are dropped.
 */
#ifndef WICK_BASE_LEB128_H
#define WICK_BASE_LEB128_H

#include <stdbool.h>
#include <stdint.h>

struct leb128 {
	uint64_t value; /* the unsigned number */
	unsigned bits;	/* how many it has so far */
	uint8_t last;	/* the last byte, which has the sign */
};

/* Adds a byte; true: more bytes follow. */
static inline bool leb128_add(struct leb128 *n, uint8_t byte)
{
	if (n->bits < 64) {
		n->value |= (uint64_t)(byte & 0x7f) << n->bits;
		n->bits += 7;
	}
	n->last = byte;
	return byte & 0x80;
}

static inline int64_t leb128_signed(const struct leb128 *n)
{
	bool negative = n->bits < 64 && n->last & 0x40;

	return (int64_t)(negative ? n->value | UINT64_MAX << n->bits : n->value);
}

#endif
