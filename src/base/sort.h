/* Radix sort of 32-bit numbers, each with an index. */
#ifndef WICK_BASE_SORT_H
#define WICK_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* The number to sort by in the upper half, an index in the lower. */
static inline uint64_t sort_key(uint32_t by, size_t what)
{
	return (uint64_t)by << 32 | (uint32_t)what;
}

static inline uint32_t sort_by(uint64_t key)
{
	return (uint32_t)(key >> 32);
}

static inline uint32_t sort_what(uint64_t key)
{
	return (uint32_t)key;
}

/* Sorts by the upper half; stable.  Linear time; one pass if the keys are already sorted. */
void sort_keys(uint64_t *key, size_t nr);

#endif
