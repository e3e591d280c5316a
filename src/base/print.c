#include "base/print.h"

#include <sys/random.h>

/* Compiled into this file, as in intern.c. */
#define XXH_INLINE_ALL
#include <xxhash.h>

struct print print_of(struct span text, uint64_t seed)
{
	XXH128_hash_t hash = XXH3_128bits_withSeed(text.at, text.size, seed);

	return (struct print){ .low = hash.low64, .high = (uint32_t)hash.high64 };
}

uint64_t print_seed(void)
{
	uint64_t seed = 0;

	/* Right after boot there may be no random bytes yet: then the seed is not secret. */
	(void)!getrandom(&seed, sizeof(seed), GRND_NONBLOCK);
	return seed;
}
