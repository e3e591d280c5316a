/* Finding rows by content: shared by the tables of a profile, private to them. */
#ifndef WICK_PROFILE_ROW_INDEX_H
#define WICK_PROFILE_ROW_INDEX_H

#include "profile/profile.h"

/* Full 64-bit mixing of two words: a multiply whose high half is folded in. */
static inline uint64_t mix(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide m = (wide)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xe7037ed1a0b428dbu);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline bool row_index_full(const struct row_index *x, size_t nr)
{
	return !x->slot || nr >= x->mask - x->mask / 4;
}

/* Doubles the slots and empties them: the caller puts every row in again. */
void row_index_grow(struct row_index *x);

/* Puts a row that is not there in the first empty slot of its run. */
static inline void row_index_put(struct row_index *x, uint64_t hash, size_t row)
{
	uint32_t i = (uint32_t)hash & x->mask;

	while (x->slot[i])
		i = (i + 1) & x->mask;
	x->slot[i] = (uint32_t)row + 1;
}

#endif
