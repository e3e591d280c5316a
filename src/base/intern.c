#include "base/intern.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdlib.h>

/* Inlined into this file, so that hashing needs no call into a library. */
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t intern_hash(struct span s)
{
	return XXH3_64bits(s.at, s.size);
}

/* Grows the index.  All strings are hashed again, in the order in which they are in memory. */
static void grow(struct intern *t)
{
	enum { AHEAD = 16 }; /* how many slots are prefetched at a time */
	uint32_t hash[AHEAD];

	row_index_grow(&t->index, t->nr);
	for (uint32_t i = 0; i < t->nr + AHEAD; i++) {
		if (i >= AHEAD)
			row_index_put(&t->index, hash[i % AHEAD], i - AHEAD);
		if (i >= t->nr)
			continue;
		hash[i % AHEAD] = intern_index_hash(intern_hash(intern_peek(t, i)));
		row_index_fetch(&t->index, hash[i % AHEAD]);
	}
}

static struct interned *copy_of(struct intern *t, struct span s)
{
	struct interned *copy = arena_take(&t->bytes, sizeof(*copy) + s.size + 1);

	assert(s.size <= UINT32_MAX);
	copy->size = (uint32_t)s.size;
	if (s.size)
		memcpy(copy->bytes, s.at, s.size);
	copy->bytes[s.size] = '\0';
	return copy;
}

uint32_t intern_hashed(struct intern *t, struct span s, uint64_t hash)
{
	uint32_t number, at;

	if (row_index_full(&t->index, t->nr))
		grow(t);
	number = intern_find_slot(t, s, hash, &at);
	if (number != INTERN_NONE)
		return number;
	GROW(t->by, t->nr, t->cap);
	t->by[t->nr] = copy_of(t, s);
	t->index.slot[at] = row_index_slot(&t->index, intern_index_hash(hash), t->nr);
	return t->nr++;
}

uint32_t intern(struct intern *t, struct span s)
{
	return intern_hashed(t, s, intern_hash(s));
}

void intern_release(struct intern *t)
{
	free(t->index.slot);
	free(t->by);
	arena_release(&t->bytes);
	*t = (struct intern){ 0 };
}
