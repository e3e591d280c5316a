#include "base/intern.h"

#include "base/alloc.h"

#include <assert.h>
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

/*
 * A brief slot has 1 + the number of a string in the bits of the mask, and bits of its hash above
 * them; 0: empty.
 */
void intern_settle(struct intern *t)
{
	assert(t->used == t->nr);
	if (!t->slot)
		return;
	t->brief = xcalloc_table((size_t)t->mask + 1, sizeof(*t->brief));
	for (size_t n = 0; n <= t->mask; n++) {
		uint32_t i = t->slot[n].hash & t->mask;

		if (!t->slot[n].s)
			continue;
		while (t->brief[i])
			i = (i + 1) & t->mask;
		t->brief[i] = (t->slot[n].hash & ~t->mask) | (t->slot[n].number + 1);
	}
	free(t->slot);
	t->slot = NULL;
}

uint32_t intern_find_settled(const struct intern *t, struct span s, uint64_t hash)
{
	uint32_t tag = (uint32_t)(hash >> 32), brief;

	for (uint32_t i = tag & t->mask; (brief = t->brief[i]) != 0; i = (i + 1) & t->mask) {
		uint32_t number = (brief & t->mask) - 1;

		if (!((brief ^ tag) & ~t->mask) && span_eq(intern_peek(t, number), s))
			return number;
	}
	return INTERN_NONE;
}

static void unsettle(struct intern *t)
{
	t->slot = xcalloc_table((size_t)t->mask + 1, sizeof(*t->slot));
	for (uint32_t n = 0; n < t->nr; n++) {
		uint64_t hash = intern_hash(intern_peek(t, n));

		*intern_slot(t, intern_peek(t, n), hash) = (struct intern_slot){
			.hash = (uint32_t)(hash >> 32), .number = n, .s = t->by[n]
		};
	}
	free(t->brief);
	t->brief = NULL;
}

uint32_t intern_hashed(struct intern *t, struct span s, uint64_t hash)
{
	struct intern_slot *slot;
	struct interned *copy;

	if (t->brief)
		unsettle(t);
	if (!t->slot || t->used >= t->mask / 2)
		grow(t);
	slot = intern_slot(t, s, hash);
	if (slot->s)
		return slot->number;
	copy = arena_take(&t->bytes, sizeof(*copy) + s.size + 1);
	assert(s.size <= UINT32_MAX);
	copy->size = (uint32_t)s.size;
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
	free(t->brief);
	free(t->by);
	arena_release(&t->bytes);
	*t = (struct intern){ 0 };
}
