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
	char *joined; /* a record that goes on at the front */
};

/* Over the event of that descriptor, which stays the caller's.  After -1, errno is the kernel's. */
int ring_open(struct ring *r, int fd, size_t size, struct error *e);
void ring_close(struct ring *r);

/* Looks how far the kernel is, and tells how many bytes wait. */
size_t ring_look(struct ring *r);

/* The next record of those that waited; its bytes go back to the kernel with the call after. */
bool ring_next(struct ring *r, struct span *record);

#endif
