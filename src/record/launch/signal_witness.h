/*
 * Was a signal sent to wick's whole process group, or to wick only?  The kernel does not say.  So wick starts a
 * second process, the witness, in the same group with all signals blocked: a signal that is pending there, too, was
 * sent to the group.  The witness exits when wick does, for whatever reason.
 */
#ifndef WICK_RECORD_LAUNCH_SIGNAL_WITNESS_H
#define WICK_RECORD_LAUNCH_SIGNAL_WITNESS_H

#include <stdbool.h>
#include <sys/types.h>

struct witness {
	pid_t pid; /* 0: there is none */
	int fd;	   /* a socket: a byte is the question, a set of signals the answer */
};

/* Signals must already be blocked.  If it cannot be forked, witness_saw() is always false. */
void witness_start(struct witness *w);

/* Did the witness get this signal since the last call? */
bool witness_saw(const struct witness *w, int number);

void witness_end(struct witness *w);

#endif
