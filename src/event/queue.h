/*
 * Many processors' records into the order of time.  Each processor's own come
 * in order, and the recorder says when it has been around all of them: what
 * was seen before the round that ended last cannot be overtaken any more.
 */
#ifndef WICK_EVENT_QUEUE_H
#define WICK_EVENT_QUEUE_H

#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <stdint.h>

/* Is given the records in order; its bytes are valid until it returns. */
typedef int queue_sink(void *arg, struct span record, struct error *e);

struct queue {
	queue_sink *sink;
	void *arg;
	struct strbuf bytes; /* of those that wait */
	struct strbuf spare; /* where those go that still do after a round */
	struct waiting *waiting;
	size_t nr, cap;
	size_t size;	       /* of all that wait, copied or not */
	uint64_t number;       /* how many have come */
	bool sorted;	       /* those that wait are in order already */
	uint64_t newest, safe; /* of all so far; of all before the last round began */
	uint64_t passed;       /* the time of the last record that was given away */
	uint64_t nr_late;      /* how many came after one that is newer was given away */
};

enum {
	/* Recorders that end no round, or rings without end: the older half goes then. */
	QUEUE_BYTES_MAX = 256 * 1024 * 1024,
};

void queue_init(struct queue *q, queue_sink *sink, void *arg);
void queue_release(struct queue *q);

/* A record of that time, copied when it must wait; 0: it has none, and does not wait. */
int queue_add(struct queue *q, uint64_t time, struct span record, struct error *e);

/* The same for one whose bytes stay where they are until the end. */
int queue_add_staying(struct queue *q, uint64_t time, struct span record, struct error *e);

/* The recorder has been around once. */
int queue_round(struct queue *q, struct error *e);

/* Gives away what still waits. */
int queue_end(struct queue *q, struct error *e);

#endif
