/*
 * Fingerprints of texts, 96 bits each: texts are equal if their fingerprints are, so the texts need
 * not be compared.  The seed is secret, so no file can be crafted with two texts that collide; by
 * chance, that would take more texts than there are.
 */
#ifndef WICK_BASE_PRINT_H
#define WICK_BASE_PRINT_H

#include "base/intern.h"

struct print {
	uint64_t low;
	uint32_t high;
};

/* A seed for fingerprints that will be compared with each other. */
uint64_t print_seed(void);

static inline struct print print_of(struct span text, uint64_t seed)
{
	XXH128_hash_t hash = XXH3_128bits_withSeed(text.at, text.size, seed);

	return (struct print){ .low = hash.low64, .high = (uint32_t)hash.high64 };
}

#endif
