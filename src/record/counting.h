/* Events that are only counted: how often, not where. */
#ifndef WICK_RECORD_COUNTING_H
#define WICK_RECORD_COUNTING_H

#include "record/sampler.h"

struct counter {
	int fd;		/* -1: it is not open */
	int why;	/* … as perf_event_open() failed with this errno; 0: it did not */
	bool user_only; /* the kernel's part was refused */
	uint64_t value; /* when it was closed; scaled up if share is less than 1 */
	double share;	/* of the time in which the processor had a counter free for it: 0 to 1 */
};

/* Counts a task that is held in front of its exec, from the exec on, with all its descendants. */
void counter_open(struct counter *c, const struct sampled *event, pid_t task);

/* Reads the value, and closes it. */
void counter_close(struct counter *c);

/* 0 when the event can be counted here, else errno. */
int counter_try(const struct sampled *event);

/* Does the processor have counters at all (most virtual machines do not)? */
bool counter_has_pmu(void);

#endif
