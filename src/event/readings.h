/*
 * Counters that were read with a sample (`perf record -e '{cycles,instructions}:S'`): the
 * first of a group samples, and what the others counted meanwhile is what they have now and had not
 * the last time.
 */
#ifndef WICK_EVENT_READINGS_H
#define WICK_EVENT_READINGS_H

#include "event/event.h"

struct readings {
	struct reading *last; /* a hash table; of 2^n slots */
	size_t nr, cap;
};

enum { READINGS_MAX = 4 * 1024 * 1024 };

void readings_release(struct readings *t);

/* What the counter of that id counted since it was last read; of a thread each where threads inherit it. */
uint64_t readings_since(struct readings *t, uint64_t id, uint32_t tid, uint64_t value);

#endif
