/*
 * Interned strings: equal bytes get the same number, from 0 in the order in which they were
 * first seen.
 */
#ifndef WICK_BASE_INTERN_H
#define WICK_BASE_INTERN_H

#include "base/arena.h"
#include "base/row_index.h"
#include "base/span.h"

#include <stdint.h>

struct intern {
	struct row_index index;
	uint32_t nr; /* number of strings */
	size_t cap;
	const struct interned **by; /* by number */
	struct arena bytes;
};

#define INTERN_NONE ROW_NONE

struct interned {
	uint32_t size;
	char bytes[];
};

uint64_t intern_hash(struct span s);

/* The bits of the hash that the index uses. */
static inline uint32_t intern_index_hash(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* The number of s, which is added if it is new. */
uint32_t intern(struct intern *t, struct span s);

/* The same for a caller that has the hash already, which is intern_hash(s). */
uint32_t intern_hashed(struct intern *t, struct span s, uint64_t hash);

/* The number of s; or INTERN_NONE, and *at is the slot for it.  The table must have slots. */
static inline uint32_t intern_find_slot(const struct intern *t, struct span s, uint64_t hash,
					uint32_t *at)
{
	uint32_t number;

	FOR_EACH_ROW (number, *at, &t->index, intern_index_hash(hash)) {
		const struct interned *have = t->by[number];

		if (have->size == s.size && (!s.size || !memcmp(have->bytes, s.at, s.size)))
			return number;
	}
	return INTERN_NONE;
}

/* The number of s, or INTERN_NONE. */
static inline uint32_t intern_find(const struct intern *t, struct span s, uint64_t hash)
{
	uint32_t at;

	return t->index.slot ? intern_find_slot(t, s, hash, &at) : INTERN_NONE;
}

/* Prefetches the slot of a hash: for callers with many lookups in a row. */
static inline void intern_fetch_slot(const struct intern *t, uint64_t hash)
{
	row_index_fetch(&t->index, intern_index_hash(hash));
}

/* NUL-terminated; owned by the table, and valid as long as it is. */
static inline struct span intern_peek(const struct intern *t, uint32_t i)
{
	return (struct span){ .at = t->by[i]->bytes, .size = t->by[i]->size };
}

void intern_release(struct intern *t);

#endif
