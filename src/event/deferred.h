/*
 * Samples whose own part of the call chain is told later: kernels since 6.19 can follow the stack of
 * a process when it is about to run again, once for all samples that were taken meanwhile.  They wait
 * here for that record.
 */
#ifndef WICK_EVENT_DEFERRED_H
#define WICK_EVENT_DEFERRED_H

#include "base/error.h"
#include "base/strbuf.h"
#include "event/event.h"

struct deferred {
	struct held *held; /* in the order in which they came */
	size_t nr, cap;
	size_t size;	     /* of all their bytes */
	struct strbuf whole; /* the one that goes on */
};

enum {
	/* One for each thread that is in the kernel, and some more where it is sampled often; others do not wait. */
	DEFERRED_MAX = 16 * 1024,
	DEFERRED_BYTES_MAX = 64 * 1024 * 1024,
};

/* Is given samples whose chain is whole; their bytes are valid until it returns. */
typedef int deferred_sink(void *arg, struct span record, struct error *e);

void deferred_release(struct deferred *d);

/* Does the sample wait?  Its bytes are copied then. */
bool deferred_hold(struct deferred *d, const struct record *r, struct span bytes);

/* The record that tells the rest of some: those go on. */
int deferred_join(struct deferred *d, const struct record *r, enum byte_order order,
		  deferred_sink *sink, void *arg, struct error *e);

/* Nothing more comes: the others go on as they are. */
int deferred_end(struct deferred *d, deferred_sink *sink, void *arg, struct error *e);

#endif
