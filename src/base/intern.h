/*
 * Interned strings: equal bytes get the same number, from 0 in the order in which they were
 * first seen.  This is the hottest lookup of the program: a hit touches one slot and the bytes
 * themselves.
 */
#ifndef WICK_BASE_INTERN_H
#define WICK_BASE_INTERN_H

#include "base/arena.h"
#include "base/span.h"

#include <stdint.h>

/* Inlined: half of the cost of hashing a short name would be the call. */
#define XXH_INLINE_ALL
#include <xxhash.h>

struct intern {
	struct intern_slot *slot;
	uint32_t *brief; /* instead of these, in a settled table; see intern.c */
	uint32_t mask;	 /* number of slots - 1, or 0 before the first entry */
	uint32_t nr;	 /* number of entries */
	uint32_t used;	 /* number of slots in use: shared entries have none */
	size_t cap;
	const struct interned **by; /* by number */
	struct arena bytes;
};

#define INTERN_NONE UINT32_MAX

struct interned {
	uint32_t size;
	char bytes[];
};

/* The pointer is in the slot, so that a hit needs no detour through `by`. */
struct intern_slot {
	uint32_t hash;
	uint32_t number;
	const struct interned *s; /* NULL: empty */
};

static inline uint64_t intern_hash(struct span s)
{
	return XXH3_64bits(s.at, s.size);
}

/* The number of s, which is added when it is new. */
uint32_t intern(struct intern *t, struct span s);

/* The same for a caller that has the hash already. */
uint32_t intern_hashed(struct intern *t, struct span s, uint64_t hash);

/*
 * Adds a string of another table, which has to outlive this one, without copying it.  It is not found
 * here, only there.
 */
uint32_t intern_share(struct intern *t, const struct intern *owner, uint32_t number);

/*
 * Replaces the slots by briefer ones, a quarter of their size, when few more lookups are expected: these
 * take longer then.  Adding a string makes the slots again.  Without shared entries only.
 */
void intern_settle(struct intern *t);

/* intern_find() in a settled table. */
uint32_t intern_find_settled(const struct intern *t, struct span s, uint64_t hash);

/* The slot that holds s, or the empty one where it belongs.  The table must have slots. */
static inline struct intern_slot *intern_slot(const struct intern *t, struct span s, uint64_t hash)
{
	for (uint32_t i = (uint32_t)(hash >> 32) & t->mask;; i = (i + 1) & t->mask) {
		struct intern_slot *slot = &t->slot[i];

		if (!slot->s)
			return slot;
		if (slot->hash == hash >> 32 && slot->s->size == s.size &&
		    (!s.size || !memcmp(slot->s->bytes, s.at, s.size)))
			return slot;
	}
}

/* The number of s, or INTERN_NONE. */
static inline uint32_t intern_find(const struct intern *t, struct span s, uint64_t hash)
{
	const struct intern_slot *slot;

	if (!t->slot)
		return t->brief ? intern_find_settled(t, s, hash) : INTERN_NONE;
	slot = intern_slot(t, s, hash);
	return slot->s ? slot->number : INTERN_NONE;
}

/*
 * For callers with many lookups in a row: prefetches the slot of a hash, and later, when that is in
 * the cache, the bytes it points to.
 */
static inline void intern_fetch_slot(const struct intern *t, uint64_t hash)
{
	if (t->slot)
		__builtin_prefetch(&t->slot[(uint32_t)(hash >> 32) & t->mask]);
}

static inline void intern_fetch_bytes(const struct intern *t, uint64_t hash)
{
	const char *s = t->slot ? (const char *)t->slot[(uint32_t)(hash >> 32) & t->mask].s : NULL;

	/* Two cache lines: most strings are longer than one. */
	if (s) {
		__builtin_prefetch(s);
		__builtin_prefetch(s + 64);
	}
}

/* NUL-terminated; owned by the table, and valid as long as it is. */
static inline struct span intern_peek(const struct intern *t, uint32_t i)
{
	return (struct span){ .at = t->by[i]->bytes, .size = t->by[i]->size };
}

void intern_release(struct intern *t);

#endif
