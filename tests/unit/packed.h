/* Text as gzip packs it. */
#ifndef WICK_TESTS_PACKED_H
#define WICK_TESTS_PACKED_H

#include "base/strbuf.h"

#include <stdint.h>
#include <zlib.h>

static inline void add_gzip(struct strbuf *out, struct span bytes)
{
	z_stream z = { 0 };
	size_t room = bytes.size + 1000;

	deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	strbuf_reserve(out, room);
	z.next_in = (Bytef *)(uintptr_t)bytes.at;
	z.avail_in = (uInt)bytes.size;
	z.next_out = (Bytef *)out->at + out->size;
	z.avail_out = (uInt)room;
	deflate(&z, Z_FINISH);
	out->size += z.total_out;
	deflateEnd(&z);
}

#endif
