#include "base/sort.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 3, VALUES = 1 << DIGIT_BITS };

static bool is_sorted(const uint64_t *key, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (sort_by(key[i - 1]) > sort_by(key[i]))
			return false;
	return true;
}

void sort_keys(uint64_t *key, size_t nr)
{
	uint64_t *from = key, *to, *other;

	if (is_sorted(key, nr))
		return;
	to = other = xcalloc(nr, sizeof(*other));
	for (int digit = 0; digit < DIGITS; digit++) {
		int shift = 32 + digit * DIGIT_BITS;
		size_t place[VALUES] = { 0 }, at = 0;
		uint64_t *swap = from;

		for (size_t i = 0; i < nr; i++)
			place[from[i] >> shift & (VALUES - 1)]++;
		for (size_t v = 0; v < VALUES; v++) {
			size_t count = place[v];

			place[v] = at;
			at += count;
		}
		for (size_t i = 0; i < nr; i++)
			to[place[from[i] >> shift & (VALUES - 1)]++] = from[i];
		from = to;
		to = swap;
	}
	/* After an odd number of passes, the keys are in the other array. */
	memcpy(key, from, nr * sizeof(*key));
	free(other);
}
