/*
 * Equal bytes get equal numbers, counting from 0 in the order they were first
 * seen.  The hottest lookup of the program: a hit touches one slot and the
 * bytes themselves, nothing else.
 */
#ifndef WICK_BASE_INTERN_H
#define WICK_BASE_INTERN_H

#include "base/arena.h"
#include "base/span.h"

#include <stdint.h>

struct intern {
	struct intern_slot *slot;
	uint32_t mask; /* number of slots - 1, or 0 before the first entry */
	uint32_t nr;   /* number of entries */
	size_t cap;
	const struct interned **by; /* by number */
	struct arena bytes;
};

/* What stands for "not there". */
#define INTERN_NONE UINT32_MAX

uint64_t intern_hash(struct span s);

/* The number of s, which is added when it is new. */
uint32_t intern(struct intern *t, struct span s);

/* The same for a caller that has the hash already. */
uint32_t intern_hashed(struct intern *t, struct span s, uint64_t hash);

/* The number of s, or INTERN_NONE. */
uint32_t intern_find(const struct intern *t, struct span s, uint64_t hash);

/* Ours; as long as the table.  NUL-terminated. */
struct span intern_peek(const struct intern *t, uint32_t i);

void intern_release(struct intern *t);

#endif
