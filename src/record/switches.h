/*
 * How often tasks are switched to and from.  Each switch arms or disarms the timers of a task's
 * events, which costs it 2 to 4 µs on a virtual machine; those of a CPU go on.
 */
#ifndef WICK_RECORD_SWITCHES_H
#define WICK_RECORD_SWITCHES_H

#include "record/perf_events/sampler.h"

struct switches {
	/* By task: */
	struct switches_of {
		int fd; /* a counter, with what the task starts; -1: refused, the kernel's account of the task has to do */
		pid_t task;
		uint64_t first; /* -1: in that account */
	} * of;
	size_t nr;
	uint64_t count, time; /* the last reading, and session_now() then: ns */
};

/* Counts those of the tasks of `what`. */
void switches_open(struct switches *s, const struct sampling *what, uint64_t now);
void switches_close(struct switches *s);

/* Are they many?  Looks a few times a second. */
bool switches_are_many(struct switches *s, uint64_t now);

/* How many there were so far. */
uint64_t switches_sum(const struct switches *s);

#endif
