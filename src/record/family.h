/*
 * A process and all its descendants, by the FORK records of the whole machine:
 * for `--wide`, which records processors instead of tasks, and keeps what is of
 * the command.
 */
#ifndef WICK_RECORD_FAMILY_H
#define WICK_RECORD_FAMILY_H

#include "event/event.h"

#include <sys/types.h>

struct family {
	pid_t first;	/* the command */
	bool begun;	/* its exec was seen; before that, it was us */
	uint8_t *is_in; /* a bit for each pid */
};

/* Empty until the exec of this process. */
void family_init(struct family *f, pid_t first);
void family_release(struct family *f);

/*
 * Is the record one of the family's, or does it concern everybody (lost, throttled)?  To be called
 * with all records in the order of time.
 */
bool family_take(struct family *f, const struct record *r);

#endif
