/*
 * Sorts the records of several ring buffers by time.  Each ring buffer is sorted, and the recorder
 * says when it has read all of them (a round).  No record can arrive any more that is older than
 * the newest one of the previous round: records up to that time are passed to the sink.
 */
#ifndef WICK_PERF_QUEUE_H
#define WICK_PERF_QUEUE_H

#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <stdint.h>

/* Receives the records in order; their bytes are valid until it returns. */
typedef int queue_sink(void *arg, struct span record, struct error *e);

struct queue {
	queue_sink *sink;
	void *arg;
	struct strbuf bytes; /* copies of waiting records */
	struct strbuf spare; /* swapped with bytes when some were passed on */
	struct waiting *waiting;
	size_t nr, cap;
	size_t size;	  /* bytes of all waiting records, copied or not */
	uint64_t number;  /* of records so far: sorts records with equal times */
	bool sorted;	  /* waiting is sorted */
	uint64_t newest;  /* time of the newest record */
	uint64_t limit;	  /* records before it may still arrive: set by the recorder; 0: none */
	uint64_t safe;	  /* … at the end of the last round; the next one passes on up to this */
	uint64_t passed;  /* time of the newest record that was passed to the sink */
	uint64_t nr_late; /* records that arrived after a newer one was passed on */
};

enum {
	/* If more bytes wait, as in a file without rounds, the older half is passed on. */
	QUEUE_BYTES_MAX = 256 * 1024 * 1024,
};

void queue_init(struct queue *q, queue_sink *sink, void *arg);
void queue_release(struct queue *q);

/* Adds a copy of a record.  Time 0: it has none, and is passed to the sink at once. */
int queue_add(struct queue *q, uint64_t time, struct span record, struct error *e);

/* The same without a copy: the bytes must stay valid until queue_end(). */
int queue_add_staying(struct queue *q, uint64_t time, struct span record, struct error *e);

/* Copies all records that were added without a copy: their bytes are about to become invalid. */
void queue_keep(struct queue *q);

/* A round ended: all ring buffers were read once. */
int queue_round(struct queue *q, struct error *e);

/* At the end of the input: passes all waiting records to the sink. */
int queue_end(struct queue *q, struct error *e);

#endif
