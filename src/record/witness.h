/*
 * Was a signal that came to us sent to all of our process group, or to us
 * alone?  The kernel does not tell.  A process that only waits in the same group knows:
 * what was sent to the group came to it, too.  It ends with us, whatever ends us.
 */
#ifndef WICK_RECORD_WITNESS_H
#define WICK_RECORD_WITNESS_H

#include <stdbool.h>
#include <sys/types.h>

struct witness {
	pid_t pid; /* 0: there is none */
	int fd;	   /* where it is asked, and answers */
};

/* Signals must be blocked already.  Where there can be none, nothing was ever sent to the group. */
void witness_start(struct witness *w);

/* Did it get this signal since it was asked last? */
bool witness_saw(const struct witness *w, int number);

void witness_end(struct witness *w);

#endif
