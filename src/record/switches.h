/*
 * Counts the context switches of tasks.  Each switch arms or disarms the timers of a task's events,
 * which takes 2 to 4 µs on a virtual machine; timers of per-CPU events continue.
 */
#ifndef WICK_RECORD_SWITCHES_H
#define WICK_RECORD_SWITCHES_H

#include "record/perf_events/sampler.h"

struct switches {
	/* By task: */
	struct switches_of {
		int fd; /* a counter of the task and its children; -1: refused, /proc is used instead */
		pid_t task;
		uint64_t first; /* if fd is -1: the first value in /proc */
		uint64_t last;	/* the last reading */
	} * of;
	size_t nr;
	uint64_t count, time; /* the last reading, and session_now() then: ns */
};

/* Counts the switches of the tasks of `what`. */
void switches_open(struct switches *s, const struct sampling *what, uint64_t now);
void switches_close(struct switches *s);

/* Are there too many?  Reads the counters a few times per second. */
bool switches_are_many(struct switches *s, uint64_t now);

/* The number so far. */
uint64_t switches_sum(const struct switches *s);

#endif
