/*
 * Samples without events, where the kernel refuses those: threads that run are
 * stopped a few hundred times a second, and their registers and stacks copied
 * (ptrace).  What comes of it are the records that the kernel would have
 * written.
 *
 * A thread of our own does it: nobody waits for us while we do other things,
 * and with its end everybody is released without being stopped once more.
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
	/* Of records that wait for their turn: what comes then is lost. */
	TRACE_BYTES_MAX = 128 * 1024 * 1024,
	TRACE_ID = 1, /* of its only event */
};

/* What it has come to: how many threads were stopped for less than 2^n µs, from when they were asked to. */
struct trace_sum {
	uint64_t nr_stop[32];
	uint64_t nr_taken,
		nr_sample; /* how many gave samples, and how many: a late one stands for several */
};

struct trace;

/* True when this can be had without events: the time of some tasks on processors. */
bool trace_suits(const struct sampling *what);

/* How often threads are looked at: a second. */
unsigned trace_frequency(const struct sampling *what);

/* Follows the tasks; records are those of the attr.  NULL when that is refused too: errno tells. */
struct trace *trace_open(const struct sampling *what, const struct attr *a, struct error *e);
void trace_close(struct trace *t);

/* Samples are taken from here on, or no more. */
void trace_set(struct trace *t, bool on);

/* Everybody is released, and no more comes. */
void trace_stop(struct trace *t);

/* Can be waited for: there is much to take, or somebody has ended. */
int trace_fd(const struct trace *t);

/* Puts the records that there are by now into the empty buffer. */
void trace_take(struct trace *t, struct strbuf *records);

/* Is everybody gone who was followed? */
bool trace_gone(struct trace *t);

/* Has the command ended?  While it is followed, nobody else would be told. */
bool trace_ended(struct trace *t, struct launch *l);

struct trace_sum trace_sum(struct trace *t);

/* How often a second of processor time threads were looked at, when so often was asked for. */
unsigned trace_rate(const struct trace_sum *sum, unsigned asked);

/* What most stops took: µs. */
unsigned trace_typical(const struct trace_sum *sum);

#endif
