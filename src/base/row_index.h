/*
 * A hash table that finds the rows of an array by content.  It only holds row numbers, four bytes each:
 * the owner of the array compares rows, and hashes all of them again when the table grows.
 */
#ifndef WICK_BASE_ROW_INDEX_H
#define WICK_BASE_ROW_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_index {
	uint32_t *slot; /* 0: empty */
	uint32_t mask;	/* number of slots - 1 */
};

/* Full 64-bit mixing of two words, for hashes of rows: a multiply whose high half is folded in. */
static inline uint64_t row_mix(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide m = (wide)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xe7037ed1a0b428dbu);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline bool row_index_full(const struct row_index *x, size_t nr)
{
	return !x->slot || nr >= x->mask - x->mask / 4;
}

/* Makes room for more than nr rows.  All slots are empty then: the caller puts every row in again. */
void row_index_grow(struct row_index *x, size_t nr);

/*
 * A slot contains 1 + the row number in the bits of the mask, and bits of the row's hash above them.
 * Rows whose hash bits differ need not be compared.
 */
static inline uint32_t row_index_slot(const struct row_index *x, uint32_t hash, size_t row)
{
	return (hash & ~x->mask) | ((uint32_t)row + 1);
}

/* Prefetches the first slot of a hash. */
static inline void row_index_fetch(const struct row_index *x, uint32_t hash)
{
	if (x->slot)
		__builtin_prefetch(&x->slot[hash & x->mask]);
}

#define ROW_NONE UINT32_MAX

/* The next row from slot *at on with the same hash bits; or ROW_NONE, and slot *at is empty. */
static inline uint32_t row_index_next(const struct row_index *x, uint32_t hash, uint32_t *at)
{
	uint32_t slot;

	for (; (slot = x->slot[*at]) != 0; *at = (*at + 1) & x->mask)
		if (!((slot ^ hash) & ~x->mask))
			return (slot & x->mask) - 1;
	return ROW_NONE;
}

/* Visits the rows that may be equal; after the loop, x->slot[at] is free for the new row. */
#define FOR_EACH_ROW(row, at, x, hash) \
	for ((at) = (hash) & (x)->mask; ((row) = row_index_next((x), (hash), &(at))) != ROW_NONE; \
	     (at) = ((at) + 1) & (x)->mask)

/* Puts a row that is not in the table into the first free slot. */
static inline void row_index_put(struct row_index *x, uint32_t hash, size_t row)
{
	uint32_t i = hash & x->mask;

	while (x->slot[i])
		i = (i + 1) & x->mask;
	x->slot[i] = row_index_slot(x, hash, row);
}

#endif
