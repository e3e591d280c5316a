#include "base/bytes.h"

uint64_t bytes_long_varint(struct bytes *b)
{
	uint64_t v = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		uint64_t byte;

		if (b->at == b->end)
			return bytes_fail(b);
		byte = *b->at++;
		/* The tenth byte has bit 63 alone. */
		if (shift == 63 && byte > 1)
			return bytes_fail(b);
		v |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	return bytes_fail(b);
}

struct bytes bytes_column(struct bytes *b, size_t nr)
{
	struct bytes column = { .at = b->at };

	/* Each number has one byte without the top bit, its last. */
	for (; nr && b->at < b->end; b->at++)
		nr -= *b->at < 0x80;
	column.end = b->at;
	if (nr)
		bytes_fail(b);
	column.failed = b->failed;
	return column;
}
