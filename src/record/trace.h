/*
 * Samples without perf events, where the kernel refuses those: threads that run
 * are stopped by ptrace some hundred times a second, and their registers and
 * stacks copied.  The result is the records that the kernel would have written.
 *
 * A thread of its own, the tracer, does it, so that stopped threads never wait
 * while we unwind or write.  When it ends, the kernel releases all tracees
 * without stopping them once more.
 */
#ifndef WICK_RECORD_TRACE_H
#define WICK_RECORD_TRACE_H

#include "base/strbuf.h"
#include "event/event.h"
#include "record/launch.h"
#include "record/sampler.h"

enum {
	/* A stop costs the thread more than an event does: by default there are fewer. */
	TRACE_FREQUENCY_DEFAULT = 199,
	TRACE_FREQUENCY_MAX = 5000,
	/* Records that were not taken yet: samples beyond that are lost, and counted. */
	TRACE_BYTES_MAX = 128 * 1024 * 1024,
	TRACE_ID = 1, /* of its only event */
};

struct trace_sum {
	uint64_t nr_stop
		[32]; /* [n]: stops that took less than 2^n µs, from when they were asked for */
	uint64_t nr_taken;  /* stops that gave samples */
	uint64_t nr_sample; /* … and how many: a late stop stands for several */
};

struct trace;

/* Can this be recorded without events?  Only the processor time of some tasks. */
bool trace_suits(const struct sampling *what);

/* How many times a second threads are looked at. */
unsigned trace_frequency(const struct sampling *what);

/* Begins to trace the tasks; records have the fields of the attr.  NULL when refused: see errno. */
struct trace *trace_open(const struct sampling *what, const struct attr *a, struct error *e);
void trace_close(struct trace *t);

/* Takes samples from here on, or takes none. */
void trace_set(struct trace *t, bool on);

/* Ends the tracer: all threads are released, and no more records come. */
void trace_stop(struct trace *t);

/* A descriptor to poll: readable when many records are there, or the command has ended, or all have. */
int trace_fd(const struct trace *t);

/* Moves the records so far into an empty buffer. */
void trace_take(struct trace *t, struct strbuf *records);

/* Have all traced threads ended? */
bool trace_gone(struct trace *t);

/* Has the command ended?  Its end is reported to the tracer, so launch_ended() would not know. */
bool trace_ended(struct trace *t, struct launch *l);

struct trace_sum trace_sum(struct trace *t);

/* How many stops for each second of processor time gave samples, if `asked` were aimed at. */
unsigned trace_rate(const struct trace_sum *sum, unsigned asked);

/* The median of how long stops took, rounded up to a power of two: µs. */
unsigned trace_typical(const struct trace_sum *sum);

#endif
