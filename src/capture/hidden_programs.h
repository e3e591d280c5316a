/*
 * Programs that the kernel does not record: setuid programs, and those whose files the user may not read.  When a task
 * executes one, the kernel closes the events of the task, and records that as its exit, before the program is mapped.
 */
#ifndef WICK_CAPTURE_HIDDEN_PROGRAMS_H
#define WICK_CAPTURE_HIDDEN_PROGRAMS_H

#include "perf/event.h"

struct hidden_programs {
	uint64_t nr;	    /* how many were executed */
	uint32_t *unmapped; /* processes that called exec, and whose program is not mapped yet */
	size_t nr_unmapped, cap_unmapped;
};

/* Takes each record, in order of time. */
void hidden_programs_take(struct hidden_programs *h, const struct record *r);
void hidden_programs_release(struct hidden_programs *h);

#endif
