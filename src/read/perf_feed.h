/*
 * The bytes of an input that comes in chunks, as pieces of a given size: a
 * piece that lies in one chunk is not copied.  An input that is in memory as a
 * whole is not read in chunks at all.
 */
#ifndef WICK_READ_PERF_FEED_H
#define WICK_READ_PERF_FEED_H

#include "base/strbuf.h"
#include "base/text.h"

struct perf_feed {
	struct text *text;
	uint64_t left; /* of the part that may be read */
	struct strbuf carry;
	struct span
		mapped;	   /* what comes of an input that is in memory; its at is NULL: it is not */
	uint64_t at, told; /* in it: where that is, and where it was when that was last told */
	bool beside;	   /* it is not the input itself: nobody is told */
};

/* A feed of a file that is beside the input. */
static inline struct perf_feed feed_beside(struct text *text, struct span bytes)
{
	return (struct perf_feed){
		.text = text, .left = bytes.size, .mapped = bytes, .beside = true
	};
}

/* Takes the input as memory where that can be had; before anything was read of it. */
void feed_map(struct perf_feed *f);

/* Do these bytes stay? */
static inline bool feed_stays(const struct perf_feed *f, struct span bytes)
{
	return f->mapped.at && bytes.at + bytes.size <= f->mapped.at + f->mapped.size &&
	       bytes.at >= f->mapped.at - f->at;
}

/* The next size bytes, valid until the next call; fewer when the input ends. */
struct span feed_peek(struct perf_feed *f, size_t size);

/* Passes over bytes; false when the input ends before. */
bool feed_skip(struct perf_feed *f, uint64_t size);

#endif
