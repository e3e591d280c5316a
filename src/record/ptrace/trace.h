/*
 * ptrace sampling, for machines where the kernel refuses perf events: wick stops running threads a few hundred
 * times a second, and copies their registers and stacks.  The results are the records that the kernel would have
 * written.
 *
 * A separate thread, the tracer, does this, so that stopped threads never wait while wick unwinds or writes.  When
 * it exits, the kernel releases all tracees without stopping them once more.
 */
#ifndef WICK_RECORD_PTRACE_TRACE_H
#define WICK_RECORD_PTRACE_TRACE_H

#include "base/strbuf.h"
#include "perf/event.h"
#include "record/launch/launch.h"
#include "record/perf_events/sampler.h"

enum {
	/* A stop costs the thread more than an event does: so the default rate is lower. */
	TRACE_FREQUENCY_DEFAULT = 199,
	TRACE_FREQUENCY_MAX = 5000,
	/* Limit for records that were not taken yet: further samples are lost, and counted. */
	TRACE_BYTES_MAX = 128 * 1024 * 1024,
	/* IDs of its events: for samples, and for switches (attribute_init_switches()). */
	TRACE_ID = 1,
	TRACE_ID_SWITCHES = 2,
};

struct trace_sum {
	uint64_t nr_stop[32]; /* [n]: stops that took less than 2^n µs from the request */
	uint64_t nr_taken;    /* stops that gave samples */
	uint64_t nr_sample;   /* … and their number: a late stop stands for several */
};

struct trace;

/* Can this be recorded without perf events?  Only CPU time and waits of given tasks can. */
bool trace_suits(const struct sampling *what);

/* The sampling rate in Hz. */
unsigned trace_frequency(const struct sampling *what);

/*
 * Begins to trace the tasks.  Records have the fields of the attrs; switches NULL: record none.  NULL if refused:
 * see errno.
 */
struct trace *trace_open(const struct sampling *what, const struct attr *a,
			 const struct attr *switches, struct error *e);
void trace_close(struct trace *t);

/* Enables or disables sampling. */
void trace_set(struct trace *t, bool on);

/* Ends the tracer: all threads are released, and no more records come. */
void trace_stop(struct trace *t);

/*
 * A descriptor to poll: readable when there are many records, or the command or all threads have
 * ended.
 */
int trace_fd(const struct trace *t);

/*
 * Moves the records so far into an empty buffer.  All later records have this time or a later one: session_now(),
 * or 0.
 */
uint64_t trace_take(struct trace *t, struct strbuf *records);

/* Have all traced threads ended? */
bool trace_gone(struct trace *t);

/* Has the command ended?  Its end is reported to the tracer, so launch_ended() would not know. */
bool trace_ended(struct trace *t, struct launch *l);

struct trace_sum trace_sum(struct trace *t);

/* The number of stops that gave samples per second of CPU time, if the rate was `asked`. */
unsigned trace_rate(const struct trace_sum *sum, unsigned asked);

/* The median duration of stops, rounded up to a power of two: µs. */
unsigned trace_typical(const struct trace_sum *sum);

#endif
