/*
 * Nested address ranges, flattened into disjoint ones: a single search in a sorted array finds the
 * innermost range at an address.
 */
#ifndef WICK_IMAGE_DWARF_FLAT_RANGES_H
#define WICK_IMAGE_DWARF_FLAT_RANGES_H

#include "image/sorted_addresses.h"

enum {
	/* Ranges that contain the same address: further ones are ignored. */
	PIECES_OVERLAP_MAX = 256,
};

/* No range contains the place. */
#define PIECE_NONE UINT32_MAX

struct range {
	uint32_t begin, end; /* end is exclusive */
	uint32_t what;	     /* the caller's number for it */
	uint32_t depth;	     /* deeper is inner; among equals, the one that begins last */
};

/* From begin[i] to begin[i + 1] it is what[i]. */
struct flat_ranges {
	struct sorted_addresses begin;
	uint32_t *what;
};

/* Fewer than 2^31 ranges, none of them empty. */
void flat_ranges_init(struct flat_ranges *p, const struct range *range, size_t nr);
void flat_ranges_release(struct flat_ranges *p);

/* The `what` of the innermost range at a place, or PIECE_NONE. */
uint32_t flat_ranges_find(const struct flat_ranges *p, uint32_t place);

#endif
