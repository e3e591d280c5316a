/*
 * The processes that come of one, told from records of the whole machine: for
 * recordings that watch processors instead of tasks.
 */
#ifndef WICK_RECORD_FAMILY_H
#define WICK_RECORD_FAMILY_H

#include "event/event.h"

#include <sys/types.h>

struct family {
	pid_t first;
	bool begun;	/* it is what it shall be: its exec was seen */
	uint8_t *is_in; /* a bit a process */
};

/* Begins with the exec of this one. */
void family_init(struct family *f, pid_t first);
void family_release(struct family *f);

/* Is the record, in the order of time, one of theirs? */
bool family_take(struct family *f, const struct record *r);

#endif
