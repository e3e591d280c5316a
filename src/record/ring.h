/*
 * The kernel's ring buffer of records: one for each processor, shared by all
 * events there.  The kernel writes at its head, we read behind it, and what we
 * have read stays where it is until its turn in the order of time has come
 * (queue.h): the room is given back to the kernel a round later.
 *
 *	tail ... before ... at ... end (the kernel's head)
 */
#ifndef WICK_RECORD_RING_H
#define WICK_RECORD_RING_H

#include "base/error.h"
#include "base/span.h"

#include <linux/perf_event.h>

struct ring {
	struct perf_event_mmap_page *page; /* head and tail; NULL: not open */
	const char *data;
	size_t size; /* of the data: a power of 2 */
	/* Positions count all bytes since the beginning, as the kernel's head and tail do. */
	uint64_t at;	 /* the next record to read */
	uint64_t end;	 /* the kernel's head when ring_look() last saw it */
	uint64_t before; /* where `at` was when the last round ended */
	char *joined;	 /* room for a copy of a record that wraps around the end of the data */
};

/* Maps the buffer of an event; the descriptor stays the caller's.  After -1, errno is mmap's. */
int ring_open(struct ring *r, int fd, size_t size, struct error *e);
void ring_close(struct ring *r);

/* Sees how far the kernel has written; returns how many bytes of the ring are in use. */
size_t ring_look(struct ring *r);

/*
 * The next record in front of the end that ring_look() saw; false when there is none.  If it
 * `stays`, its bytes are those in the ring, and good until ring_round() is called for the second
 * time from now.  If not, they are a copy, and good until the next call.
 */
bool ring_next(struct ring *r, struct span *record, bool *stays);

/* A round ends: the room of records that were read before it began goes back to the kernel. */
void ring_round(struct ring *r);

#endif
