/*
 * Places in ascending order, and which of them is the last at or before some place.
 * A table says where to begin to search, about one row of it for each place: two
 * lines of memory are touched where a search from the middle touches a dozen.
 */
#ifndef WICK_IMAGE_PLACES_H
#define WICK_IMAGE_PLACES_H

#include <stddef.h>
#include <stdint.h>

#define PLACE_NONE UINT32_MAX

struct places {
	uint32_t *at;
	uint32_t nr;
	uint32_t *hint; /* by the upper bits of the distance from the first */
	uint32_t nr_hint;
	unsigned shift;
};

/* Takes over `at`, which places_release() frees. */
void places_init(struct places *p, uint32_t *at, size_t nr);
void places_release(struct places *p);

/* The number of the last that is not behind the place, or PLACE_NONE. */
static inline uint32_t places_find(const struct places *p, uint32_t place)
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
