/*
 * Sorts the records of several ring buffers by time.  Each ring buffer is in order, and the
 * recorder says when it has read all of them (a round).  Records that are older than the newest
 * one of the round before cannot be overtaken any more: they are given to the sink.
 */
#ifndef WICK_EVENT_QUEUE_H
#define WICK_EVENT_QUEUE_H

#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <stdint.h>

/* Is given the records in order; their bytes are valid until it returns. */
typedef int queue_sink(void *arg, struct span record, struct error *e);

struct queue {
	queue_sink *sink;
	void *arg;
	struct strbuf bytes; /* copies of records that wait */
	struct strbuf spare; /* swapped with bytes when some of them were given away */
	struct waiting *waiting;
	size_t nr, cap;
	size_t size;	  /* bytes of all that wait, copied or not */
	uint64_t number;  /* records so far: of equal times, the first comes first */
	bool sorted;	  /* waiting is sorted */
	uint64_t newest;  /* time of the newest record */
	uint64_t safe;	  /* … when the last round ended: the next one gives away up to here */
	uint64_t passed;  /* time of the newest record that was given to the sink */
	uint64_t nr_late; /* records that came too late: a newer one was given away before */
};

enum {
	/* If more waits, as in a file without rounds, the older half is given away. */
	QUEUE_BYTES_MAX = 256 * 1024 * 1024,
};

void queue_init(struct queue *q, queue_sink *sink, void *arg);
void queue_release(struct queue *q);

/* Adds a copy of a record.  Time 0: it has none, and is given to the sink at once. */
int queue_add(struct queue *q, uint64_t time, struct span record, struct error *e);

/* The same without a copy: the bytes must stay until queue_end(). */
int queue_add_staying(struct queue *q, uint64_t time, struct span record, struct error *e);

/* A round ended: all ring buffers were read once. */
int queue_round(struct queue *q, struct error *e);

/* The input ended: gives all that wait to the sink. */
int queue_end(struct queue *q, struct error *e);

#endif
