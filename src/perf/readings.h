/*
 * Counters that are read with each sample (`perf record -e '{cycles,instructions}:S'`).  Only the
 * first event of the group samples; the count of each other one is the difference between two
 * readings.
 */
#ifndef WICK_PERF_READINGS_H
#define WICK_PERF_READINGS_H

#include "perf/event.h"

struct readings {
	struct reading *last; /* a hash table by id and thread */
	size_t nr, cap;
};

enum { READINGS_MAX = 4 * 1024 * 1024 /* further counters count as 0 */ };

void readings_release(struct readings *t);

/*
 * The increase of a counter since it was last read; its whole value the first time.  tid: threads
 * that inherit an event share its ID, but each has a counter; 0 if the event is not inherited.
 */
uint64_t readings_since(struct readings *t, uint64_t id, uint32_t tid, uint64_t value);

#endif
