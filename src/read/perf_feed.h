/*
 * The bytes of an input that comes in chunks, as pieces of a given size: a
 * piece that lies in one chunk is not copied.
 */
#ifndef WICK_READ_PERF_FEED_H
#define WICK_READ_PERF_FEED_H

#include "base/strbuf.h"
#include "base/text.h"

struct perf_feed {
	struct text *text;
	uint64_t left; /* of the part that may be read */
	struct strbuf carry;
};

/* The next size bytes, valid until the next call; fewer when the input ends. */
struct span feed_peek(struct perf_feed *f, size_t size);

/* Passes over bytes; false when the input ends before. */
bool feed_skip(struct perf_feed *f, uint64_t size);

#endif
