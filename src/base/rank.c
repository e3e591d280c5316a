#include "base/rank.h"

#include "base/alloc.h"

#include <stdlib.h>

void rank_init(struct rank *r, size_t nr)
{
	*r = (struct rank){ .bits = xcalloc(nr / 64 + 1, sizeof(*r->bits)) };
}

void rank_release(struct rank *r)
{
	free(r->bits);
	free(r->before);
	*r = (struct rank){ 0 };
}

void rank_count(struct rank *r, size_t nr)
{
	uint32_t before = 0;

	r->before = xcalloc(nr / 64 + 1, sizeof(*r->before));
	for (size_t i = 0; i <= nr / 64; i++) {
		r->before[i] = before;
		before += rank_bits(r->bits[i]);
	}
}
