/*
 * A bit set with rank: how many members are below a number.  A sparse array becomes a dense one
 * that is indexed by rank, which costs one bit, not one element, for each number without a
 * value.
 */
#ifndef WICK_BASE_RANK_H
#define WICK_BASE_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rank {
	uint64_t *bits;
	uint32_t *before; /* by word of bits: members in all words before it */
};

/* For numbers below nr. */
void rank_init(struct rank *r, size_t nr);
void rank_release(struct rank *r);

static inline void rank_add(struct rank *r, size_t n)
{
	r->bits[n / 64] |= UINT64_C(1) << n % 64;
}

/* To be called after the last rank_add(), before rank_of(). */
void rank_count(struct rank *r, size_t nr);

static inline bool rank_has(const struct rank *r, size_t n)
{
	return r->bits[n / 64] >> n % 64 & 1;
}

/* How many bits are set.  __builtin_popcountll() may be a call into libgcc, where popcnt is not guaranteed. */
static inline uint32_t rank_bits(uint64_t v)
{
	v -= v >> 1 & 0x5555555555555555;
	v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (uint32_t)(v * 0x0101010101010101 >> 56);
}

/* How many members are smaller than n. */
static inline size_t rank_of(const struct rank *r, size_t n)
{
	uint64_t below = r->bits[n / 64] & ((UINT64_C(1) << n % 64) - 1);

	return r->before[n / 64] + (size_t)rank_bits(below);
}

/* The smallest member from n on, or end if there is none before it. */
static inline size_t rank_next(const struct rank *r, size_t n, size_t end)
{
	while (n < end) {
		uint64_t bits = r->bits[n / 64] >> n % 64;

		if (bits) {
			n += (size_t)__builtin_ctzll(bits);
			return n < end ? n : end;
		}
		n = (n / 64 + 1) * 64;
	}
	return end;
}

#endif
