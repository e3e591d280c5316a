/* Pseudorandom numbers: the same seed gives the same numbers. */
#ifndef WICK_BASE_SEEDED_H
#define WICK_BASE_SEEDED_H

#include <stdint.h>

struct seeded {
	uint64_t state; /* initially the seed, any number */
};

/* 64 random bits. */
uint64_t seeded_next(struct seeded *s);

/* From 0 to limit - 1. */
uint64_t seeded_below(struct seeded *s, uint64_t limit);

#endif
