/* Events that are only counted: how often, not where. */
#ifndef WICK_RECORD_COUNTING_H
#define WICK_RECORD_COUNTING_H

#include "record/sampler.h"

struct counter {
	int fd;	 /* -1: it is not counted, and why is: */
	int why; /* errno */
	bool user_only;
	uint64_t value;
	double share; /* of the time that it was counted; what is missing is made up for in the value */
};

/* Counts from the exec of a task that waits in front of it on, with all that it starts. */
void counter_open(struct counter *c, const struct sampled *event, pid_t task);

/* Reads it, and closes it. */
void counter_close(struct counter *c);

/* 0 when that is counted here, else errno. */
int counter_try(const struct sampled *event);

/* The processor counts something at all. */
bool counter_has_pmu(void);

#endif
