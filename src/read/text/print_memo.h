/*
 * A cache from text to a number, like struct memo, that stores fingerprints instead of the text: a
 * lookup reads one slot, and not the text.
 */
#ifndef WICK_READ_TEXT_PRINT_MEMO_H
#define WICK_READ_TEXT_PRINT_MEMO_H

#include "base/print.h"
#include "read/text/memo.h"

struct print_slot {
	uint64_t low;
	uint32_t high;
	uint32_t value; /* MEMO_NONE - value, so that 0 is an empty slot */
};

struct print_memo {
	struct print_slot *slot;
	uint32_t mask; /* number of slots - 1, or 0 before the first text */
	uint32_t nr;
};

/* It is cleared when it exceeds this size: 16 MiB. */
enum { PRINT_MEMO_MAX = 512 * 1024 };

/* Prefetches the slot of a text. */
static inline void print_memo_fetch(const struct print_memo *m, struct print p)
{
	if (m->slot)
		__builtin_prefetch(&m->slot[(uint32_t)p.low & m->mask]);
}

/* Its slot, or the empty slot for it.  The table must have slots. */
static inline struct print_slot *print_memo_slot(const struct print_memo *m, struct print p)
{
	for (uint32_t i = (uint32_t)p.low & m->mask;; i = (i + 1) & m->mask) {
		struct print_slot *slot = &m->slot[i];

		if (!slot->value || (slot->low == p.low && slot->high == p.high))
			return slot;
	}
}

static inline uint32_t print_memo_find(const struct print_memo *m, struct print p)
{
	return m->slot ? MEMO_NONE - print_memo_slot(m, p)->value : MEMO_NONE;
}

/* The text must not be in the memo.  The value must not be MEMO_NONE. */
void print_memo_add(struct print_memo *m, struct print p, uint32_t value);
/* Forgets all texts, but keeps the memory. */
void print_memo_forget(struct print_memo *m);
void print_memo_release(struct print_memo *m);

#endif
