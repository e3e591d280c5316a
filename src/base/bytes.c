#include "base/bytes.h"

#include "base/leb128.h"

uint64_t bytes_long_varint(struct bytes *b)
{
	struct leb128 n = { 0 };
	uint8_t byte;

	do {
		if (b->at == b->end)
			return bytes_fail(b);
		byte = (uint8_t)*b->at++;
		/* The tenth byte only has bit 63. */
		if (n.bits == 63 && byte > 1)
			return bytes_fail(b);
	} while (leb128_add(&n, byte));
	return n.value;
}

struct bytes bytes_column(struct bytes *b, size_t nr)
{
	struct bytes column = { .at = b->at };

	/* The last byte of each number is the one without the top bit. */
	for (; nr && b->at < b->end; b->at++)
		nr -= *b->at < 0x80;
	column.end = b->at;
	if (nr)
		bytes_fail(b);
	column.failed = b->failed;
	return column;
}
