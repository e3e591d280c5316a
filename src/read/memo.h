/*
 * Each distinct piece of text is worked on once: a memo remembers what came of
 * it.  It is bounded: when it is full it forgets everything and starts anew,
 * so text that never repeats costs time and no memory.
 */
#ifndef WICK_READ_MEMO_H
#define WICK_READ_MEMO_H

#include "base/intern.h"
#include "base/span.h"

#include <assert.h>

struct memo {
	struct intern keys;
	uint32_t *value;
	size_t cap;
};

enum { MEMO_BYTES_MAX = 16 * 1024 * 1024 };

#define MEMO_NONE UINT32_MAX

static inline uint32_t memo_find(const struct memo *m, struct span key, uint64_t hash)
{
	uint32_t i = intern_find(&m->keys, key, hash);

	if (i == INTERN_NONE)
		return MEMO_NONE;
	assert(m->value);
	return m->value[i];
}

/* The key must not be there. */
void memo_add(struct memo *m, struct span key, uint64_t hash, uint32_t value);
void memo_release(struct memo *m);

#endif
