/* Binary search in rows that are sorted by a member, such as an address. */
#ifndef WICK_BASE_FIRST_ABOVE_H
#define WICK_BASE_FIRST_ABOVE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* key: the first row's; the others follow every `stride` bytes. */
static inline size_t first_above(const uint64_t *key, size_t stride, size_t nr, uint64_t value)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t at;

		memcpy(&at, (const char *)key + middle * stride, sizeof(at));
		if (at <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The index of the first row whose member, a uint64_t, is greater than the value; nr: there is none.
 * The row before it is the last one where it is not.
 */
#define FIRST_ABOVE(row, nr, member, value) \
	first_above((nr) ? &(row)->member : NULL, sizeof(*(row)), nr, value)

#endif
