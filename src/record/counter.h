/* One event counted, not sampled: of a command and of all that it starts. */
#ifndef WICK_RECORD_COUNTER_H
#define WICK_RECORD_COUNTER_H

#include "record/sampler.h"

struct counter {
	int fd;		/* -1: it is not counted … */
	int why;	/* … with this errno */
	bool user_only; /* the kernel's part is not in it */
};

struct counted {
	uint64_t value; /* of all the time, even where it was only counted for a part */
	double part;	/* of the time that it was counted for; 0: it never was */
};

/* From the next exec of the task on. */
void counter_open(struct counter *c, const struct sampled *event, pid_t task);
void counter_close(struct counter *c);

/* False when there is nothing to read. */
bool counter_read(const struct counter *c, struct counted *counted);

/* 0 when that is counted here, else errno. */
int counter_try(const struct sampled *event);

#endif
