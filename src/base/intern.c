#include "base/intern.h"

#include "base/alloc.h"

#include <stdlib.h>

/* A slot has all bits of the hash that say where it goes, so that growing does not read the strings. */
static void grow(struct intern *t)
{
	struct intern_slot *old = t->slot;
	uint32_t nr_old = old ? t->mask + 1 : 0, nr_slot = old ? nr_old * 2 : 64;

	t->slot = xcalloc_table(nr_slot, sizeof(*t->slot));
	t->mask = nr_slot - 1;
	for (uint32_t n = 0; n < nr_old; n++) {
		uint32_t i = old[n].hash & t->mask;

		if (!old[n].s)
			continue;
		while (t->slot[i].s)
			i = (i + 1) & t->mask;
		t->slot[i] = old[n];
	}
	free(old);
}

static uint32_t add(struct intern *t, const struct interned *s)
{
	GROW(t->by, t->nr, t->cap);
	t->by[t->nr] = s;
	return t->nr++;
}

uint32_t intern_share(struct intern *t, const struct intern *owner, uint32_t number)
{
	return add(t, owner->by[number]);
}

uint32_t intern_hashed(struct intern *t, struct span s, uint64_t hash)
{
	struct intern_slot *slot;
	struct interned *copy;

	if (!t->slot || t->used >= t->mask / 2)
		grow(t);
	slot = intern_slot(t, s, hash);
	if (slot->s)
		return slot->number;
	copy = arena_take(&t->bytes, sizeof(*copy) + s.size + 1);
	copy->size = s.size;
	if (s.size)
		memcpy(copy->bytes, s.at, s.size);
	copy->bytes[s.size] = '\0';
	t->used++;
	*slot = (struct intern_slot){
		.hash = (uint32_t)(hash >> 32),
		.number = add(t, copy),
		.s = copy,
	};
	return slot->number;
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
