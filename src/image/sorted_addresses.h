/*
 * A sorted array of places, and a search for the last one at or before a given place.  A table of
 * hints, about as long as the array, narrows the search: it touches two cache lines, where a binary
 * search touches a dozen.
 */
#ifndef WICK_IMAGE_SORTED_ADDRESSES_H
#define WICK_IMAGE_SORTED_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

#define PLACE_NONE UINT32_MAX

struct sorted_addresses {
	uint32_t *at;
	uint32_t nr;
	uint32_t *hint; /* by distance from at[0] >> shift: the last place at or before that */
	uint32_t nr_hint;
	unsigned shift;
};

/* Takes over `at`, which sorted_addresses_release() frees. */
void sorted_addresses_init(struct sorted_addresses *p, uint32_t *at, size_t nr);
void sorted_addresses_release(struct sorted_addresses *p);

/* The index of the last one at or before the place, or PLACE_NONE. */
static inline uint32_t sorted_addresses_find(const struct sorted_addresses *p, uint32_t place)
{
	uint32_t low, high, bucket;

	if (!p->nr || place < p->at[0])
		return PLACE_NONE;
	bucket = (place - p->at[0]) >> p->shift;
	if (bucket >= p->nr_hint - 1)
		return p->nr - 1;
	low = p->hint[bucket];
	high = p->hint[bucket + 1];
	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if (p->at[middle] <= place)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

#endif
