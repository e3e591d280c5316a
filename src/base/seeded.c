#include "base/seeded.h"

/* splitmix64 (Steele, Lea, Flood 2014): a counter, scrambled. */
uint64_t seeded_next(struct seeded *s)
{
	uint64_t x = s->state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* The upper half of a product: for limits far below 2^64, its bias is negligible. */
uint64_t seeded_below(struct seeded *s, uint64_t limit)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)seeded_next(s) * limit >> 64);
}
