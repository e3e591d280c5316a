#include "base/intern.h"

#include "base/alloc.h"

#include <stdlib.h>

static void grow(struct intern *t)
{
	uint32_t nr_slot = t->slot ? (t->mask + 1) * 2 : 64;

	free(t->slot);
	t->slot = xcalloc(nr_slot, sizeof(*t->slot));
	t->mask = nr_slot - 1;
	for (uint32_t n = 0; n < t->nr; n++) {
		struct span s = intern_peek(t, n);
		uint64_t hash = intern_hash(s);

		*intern_slot(t, s, hash) = (struct intern_slot){
			.hash = (uint32_t)(hash >> 32),
			.number = n,
			.s = t->by[n],
		};
	}
}

uint32_t intern_hashed(struct intern *t, struct span s, uint64_t hash)
{
	struct intern_slot *slot;
	struct interned *copy;

	if (!t->slot || t->nr >= t->mask / 2)
		grow(t);
	slot = intern_slot(t, s, hash);
	if (slot->s)
		return slot->number;
	copy = arena_take(&t->bytes, sizeof(*copy) + s.size + 1);
	copy->size = s.size;
	if (s.size)
		memcpy(copy->bytes, s.at, s.size);
	copy->bytes[s.size] = '\0';
	GROW(t->by, t->nr, t->cap);
	t->by[t->nr] = copy;
	*slot = (struct intern_slot){
		.hash = (uint32_t)(hash >> 32),
		.number = t->nr,
		.s = copy,
	};
	return t->nr++;
}

uint32_t intern(struct intern *t, struct span s)
{
	return intern_hashed(t, s, intern_hash(s));
}

void intern_release(struct intern *t)
{
	free(t->slot);
	free(t->by);
	arena_release(&t->bytes);
	*t = (struct intern){ 0 };
}
