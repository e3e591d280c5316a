/*
 * A ring of records that the kernel fills and we empty: one a processor, which
 * all events there share.
 */
#ifndef WICK_RECORD_RING_H
#define WICK_RECORD_RING_H

#include "base/error.h"
#include "base/span.h"

#include <linux/perf_event.h>

struct ring {
	struct perf_event_mmap_page *page;
	const char *data;
	size_t size; /* of the data: a power of 2 */
	uint64_t at, end;
	uint64_t before; /* as far as had been told when the last round ended */
	char *joined;	 /* a record that goes on at the front */
};

/* Over the event of that descriptor, which stays the caller's.  After -1, errno is the kernel's. */
int ring_open(struct ring *r, int fd, size_t size, struct error *e);
void ring_close(struct ring *r);

/* Looks how far the kernel is, and tells how many bytes are not its own again yet. */
size_t ring_look(struct ring *r);

/*
 * The next record that was not told yet.  Its bytes stay where they are until the second
 * round from now ends, unless it does not `stay`: then until the next call.
 */
bool ring_next(struct ring *r, struct span *record, bool *stays);

/* A round ends: what was told before it began goes back to the kernel. */
void ring_round(struct ring *r);

#endif
