/*
 * A thread that empties ring buffers while the main loop cannot: a target with a thousand runnable threads leaves
 * wick a thousandth of the CPU time, which suffices to copy records, but not to process them.  The main loop
 * processes them when it can, at the latest when the target has exited.
 */
#ifndef WICK_RECORD_PERF_EVENTS_DRAIN_H
#define WICK_RECORD_PERF_EVENTS_DRAIN_H

#include "base/strbuf.h"
#include "record/perf_events/ring.h"

#include <pthread.h>

enum {
	/* Limit of records that wait for the main loop; further ones stay in the ring buffers, or are lost. */
	DRAIN_SIZE_MAX = 512 * 1024 * 1024,
};

struct drain {
	bool is_on;
	/* Private: */
	struct ring *ring; /* of the caller */
	size_t nr;
	struct strbuf *taken; /* by ring: records that the main loop has not fetched yet */
	bool ends;	      /* the thread should exit */
	pthread_mutex_t lock; /* protects all above, and the ring buffers */
	pthread_cond_t wake;  /* signaled when `ends` is set */
	pthread_t thread;
};

/*
 * Starts the thread; from now on the rings are read by drain_fetch() only.  No record that was read may
 * be in use any more.  If no thread can be created, is_on is false, and nothing has changed.
 */
void drain_start(struct drain *d, struct ring *ring, size_t nr);

/* Moves all records of a ring so far to `records`, which must be empty. */
void drain_fetch(struct drain *d, size_t ring, struct strbuf *records);

void drain_stop(struct drain *d);

#endif
