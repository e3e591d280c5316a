/*
 * The kernel's ring buffer of records: one for each CPU, shared by all events there.  The kernel
 * writes at its head, and wick reads up to it.  Records that were read stay in place until it is
 * their turn in order of time (queue.h): their space is returned to the kernel a round later.
 *
 *	tail ... before ... at ... end (the kernel's head)
 */
#ifndef WICK_RECORD_PERF_EVENTS_RING_H
#define WICK_RECORD_PERF_EVENTS_RING_H

#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <linux/perf_event.h>

struct ring {
	struct perf_event_mmap_page *page; /* head and tail; NULL: not open */
	const char *data;
	size_t size; /* of the data: a power of 2 */
	/* Positions count all bytes since the start, like the kernel's head and tail. */
	uint64_t at;	 /* the next record to read */
	uint64_t end;	 /* the kernel's head when ring_pending() last saw it */
	uint64_t before; /* where `at` was when the last round ended */
	char *joined;	 /* room for a copy of a record that wraps around the end of the data */
};

/* Maps the buffer of an event; the descriptor stays the caller's.  After -1, errno is mmap's. */
int ring_open(struct ring *r, int fd, size_t size, struct error *e);
void ring_close(struct ring *r);

/* Reads the kernel's head; returns how many bytes of the ring are in use. */
size_t ring_pending(struct ring *r);

/*
 * The next record before the end that ring_pending() saw; false if there is none.  If it `stays`, its
 * bytes are those in the ring, and valid until the second ring_round() from now.  If not, they are
 * a copy, and valid until the next call.
 */
bool ring_next(struct ring *r, struct span *record, bool *stays);

/* Moves all records to a buffer; none that was read before may be in use any more. */
void ring_take(struct ring *r, struct strbuf *to);

/* Ends a round: returns the space of records that were read before it began to the kernel. */
void ring_round(struct ring *r);

#endif
