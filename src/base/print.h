/*
 * Fingerprints of texts, 96 bits each: texts are equal if their fingerprints are, so the texts need
 * not be compared.  The seed is secret, so no file can be crafted with two texts that collide; chance
 * collisions are too unlikely to matter.
 */
#ifndef WICK_BASE_PRINT_H
#define WICK_BASE_PRINT_H

#include "base/span.h"

#include <stdint.h>

struct print {
	uint64_t low;
	uint32_t high;
};

/* A seed for fingerprints that will be compared with each other. */
uint64_t print_seed(void);

struct print print_of(struct span text, uint64_t seed);

#endif
