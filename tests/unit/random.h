/* Numbers that look random and are the same in every run. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state; /* any seed but 0 */
};

static inline uint64_t random_next(struct random *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state * 0x2545f4914f6cdd1du;
}

/* From 0 up to and without nr. */
static inline uint32_t random_below(struct random *r, uint32_t nr)
{
	return (uint32_t)((random_next(r) >> 32) % nr);
}

#endif
