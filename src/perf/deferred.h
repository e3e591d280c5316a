/*
 * Deferred call chains: since 6.19, the kernel can unwind the user stack when a thread is about to
 * return to user space, once for all samples taken in the kernel until then.  These samples have
 * only the kernel's part and a cookie; they wait here for the record with the user part.
 */
#ifndef WICK_PERF_DEFERRED_H
#define WICK_PERF_DEFERRED_H

#include "base/error.h"
#include "base/strbuf.h"
#include "perf/event.h"

struct deferred {
	struct held *held; /* waiting samples, in the order of arrival */
	size_t nr, cap;
	size_t size;	     /* of all their bytes */
	struct strbuf whole; /* the sample that is passed to the sink */
};

enum {
	/*
	 * Each thread has few waiting samples, as its next return to user space completes them all.
	 * If there are more, or more bytes, samples are not held: they keep the kernel's part only.
	 */
	DEFERRED_MAX = 16 * 1024,
	DEFERRED_BYTES_MAX = 64 * 1024 * 1024,
};

/* Receives complete samples; their bytes are valid until it returns. */
typedef int deferred_sink(void *arg, struct span record, struct error *e);

void deferred_release(struct deferred *d);

/* True if the sample's chain is deferred: the sample was copied, and a sink will receive it. */
bool deferred_hold(struct deferred *d, const struct record *r, struct span bytes);

/* r is RECORD_DEFERRED: completes the samples with its cookie and passes them to the sink. */
int deferred_join(struct deferred *d, const struct record *r, enum byte_order order,
		  deferred_sink *sink, void *arg, struct error *e);

/* At the end of the input: passes samples that still wait to the sink, incomplete. */
int deferred_end(struct deferred *d, deferred_sink *sink, void *arg, struct error *e);

#endif
