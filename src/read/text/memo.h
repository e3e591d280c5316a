/*
 * A cache from text to a number, so that each distinct text is parsed once.  It is bounded: it is
 * cleared when its keys exceed MEMO_BYTES_MAX, so text that never repeats costs time but no memory.
 */
#ifndef WICK_READ_TEXT_MEMO_H
#define WICK_READ_TEXT_MEMO_H

#include "base/intern.h"
#include "base/span.h"

#include <assert.h>

struct memo {
	struct intern keys;
	uint32_t *value; /* by key */
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

/* The key must not be in the memo.  The value must not be MEMO_NONE. */
void memo_add(struct memo *m, struct span key, uint64_t hash, uint32_t value);
void memo_release(struct memo *m);

#endif
