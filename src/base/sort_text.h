/* Sorts texts by their bytes, 8 of them at a time. */
#ifndef WICK_BASE_SORT_TEXT_H
#define WICK_BASE_SORT_TEXT_H

#include "base/span.h"

#include <stdint.h>

struct sort_text {
	const char *at;
	uint64_t front; /* for sort_texts() */
	uint32_t size;
	uint32_t what; /* the caller's: orders equal texts */
};

static inline struct sort_text sort_text(struct span s, uint32_t what)
{
	return (struct sort_text){ .at = s.at, .size = (uint32_t)s.size, .what = what };
}

/* O(n log n) for any texts, on up to `threads` threads; a prefix comes before the texts that start with it. */
void sort_texts(struct sort_text *t, size_t nr, unsigned threads);

#endif
