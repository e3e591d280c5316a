/*
 * Deferred call chains: since 6.19, the kernel can unwind the user stack when a thread is about
 * to return to user space, once for all samples that were taken in the kernel meanwhile.  These
 * samples have only the kernel's part and a cookie; they wait here for the record with the
 * user's part.
 */
#ifndef WICK_EVENT_DEFERRED_H
#define WICK_EVENT_DEFERRED_H

#include "base/error.h"
#include "base/strbuf.h"
#include "event/event.h"

struct deferred {
	struct held *held; /* samples that wait, in the order in which they came */
	size_t nr, cap;
	size_t size;	     /* of all their bytes */
	struct strbuf whole; /* the sample that is given to the sink */
};

enum {
	/*
	 * Each thread has few that wait, as they all end with its next return to user space.  If
	 * there are more, or more bytes, samples are not held: they stay without the user's part.
	 */
	DEFERRED_MAX = 16 * 1024,
	DEFERRED_BYTES_MAX = 64 * 1024 * 1024,
};

/* Is given complete samples; their bytes are valid until it returns. */
typedef int deferred_sink(void *arg, struct span record, struct error *e);

void deferred_release(struct deferred *d);

/* True if the sample's chain is deferred: it was copied and will be given to a sink. */
bool deferred_hold(struct deferred *d, const struct record *r, struct span bytes);

/* r is RECORD_DEFERRED: completes the samples with its cookie and gives them to the sink. */
int deferred_join(struct deferred *d, const struct record *r, enum byte_order order,
		  deferred_sink *sink, void *arg, struct error *e);

/* The input ends: gives those that still wait to the sink, incomplete. */
int deferred_end(struct deferred *d, deferred_sink *sink, void *arg, struct error *e);

#endif
