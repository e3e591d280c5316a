/*
 * Nested ranges of addresses, flattened into disjoint pieces: the innermost range at an address is
 * found by one search in a sorted array.
 */
#ifndef WICK_IMAGE_PIECES_H
#define WICK_IMAGE_PIECES_H

#include "image/places.h"

enum {
	/* Ranges that hold the same address: more are left out. */
	PIECES_OVERLAP_MAX = 256,
};

/* No range holds the place. */
#define PIECE_NONE UINT32_MAX

struct range {
	uint32_t begin, end; /* end is exclusive */
	uint32_t what;	     /* the caller's number for it */
	uint32_t depth;	     /* deeper is inner; of equals, the one that begins last */
};

/* From begin[i] to begin[i + 1] it is what[i]. */
struct pieces {
	struct places begin;
	uint32_t *what;
};

/* Fewer than 2^31 ranges, none of them empty. */
void pieces_init(struct pieces *p, const struct range *range, size_t nr);
void pieces_release(struct pieces *p);

/* The `what` of the innermost range at a place, or PIECE_NONE. */
uint32_t pieces_find(const struct pieces *p, uint32_t place);

#endif
