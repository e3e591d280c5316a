/*
 * Ranges of addresses that lie inside each other, cut into pieces that do not:
 * finding the innermost one is then one search in a sorted array.
 */
#ifndef WICK_IMAGE_PIECES_H
#define WICK_IMAGE_PIECES_H

#include "image/places.h"

enum {
	/* As many ranges as may hold one address; what comes on top of them is left out. */
	PIECES_OVERLAP_MAX = 256,
};

/* Nothing is there. */
#define PIECE_NONE UINT32_MAX

struct range {
	uint32_t begin, end; /* end is not in it */
	uint32_t what;
	uint32_t depth; /* the deeper one is the inner one; of equals the one that begins last */
};

/* From one place to the next it is what[i]. */
struct pieces {
	struct places begin;
	uint32_t *what;
};

/* Fewer than 2^31 ranges, none of them empty. */
void pieces_init(struct pieces *p, const struct range *range, size_t nr);
void pieces_release(struct pieces *p);

/* What is at the place, or PIECE_NONE. */
uint32_t pieces_find(const struct pieces *p, uint32_t place);

#endif
