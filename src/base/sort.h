/* Sorting many numbers at once. */
#ifndef WICK_BASE_SORT_H
#define WICK_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A number to sort by and, in the lower half, what it belongs to; equal ones keep their order. */
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

/* By the upper half: in time linear in nr, and at once when they are in order already. */
void sort_keys(uint64_t *key, size_t nr);

#endif
