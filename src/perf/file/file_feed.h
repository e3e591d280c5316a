/*
 * An input that is read in chunks, as byte ranges of any size: a range is copied only if it spans
 * two chunks.  An input that can be mapped is not read in chunks at all.
 */
#ifndef WICK_PERF_FILE_FILE_FEED_H
#define WICK_PERF_FILE_FILE_FEED_H

#include "base/strbuf.h"
#include "base/text.h"

struct perf_feed {
	struct text *text;
	uint64_t left; /* bytes that may still be read */
	/* bytes taken from the text and not consumed yet: a range across chunks */
	struct strbuf carry;
	/* If the input is mapped: */
	struct span mapped; /* its bytes from here on; .at is NULL: it is not mapped */
	uint64_t at;	    /* their offset in the mapping */
	uint64_t told;	    /* the offset at which source_passed() was last called */
	bool beside;	    /* a file other than the source: progress is not reported */
};

/* A feed of another, mapped file in the folder of the input. */
static inline struct perf_feed feed_beside(struct text *text, struct span bytes)
{
	return (struct perf_feed){
		.text = text, .left = bytes.size, .mapped = bytes, .beside = true
	};
}

/* Maps the input if that is possible.  To be called before anything is read from it. */
void feed_map(struct perf_feed *f);

/* Are these bytes in the mapping, and so valid as long as the source is? */
static inline bool feed_stays(const struct perf_feed *f, struct span bytes)
{
	return f->mapped.at && bytes.at + bytes.size <= f->mapped.at + f->mapped.size &&
	       bytes.at >= f->mapped.at - f->at;
}

/* The next size bytes, valid until the next call; fewer when the input ends. */
struct span feed_peek(struct perf_feed *f, size_t size);

/* Skips bytes; false if the input ends before that. */
bool feed_skip(struct perf_feed *f, uint64_t size);

#endif
