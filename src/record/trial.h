/* What the kernel lets us record, by trying. */
#ifndef WICK_RECORD_TRIAL_H
#define WICK_RECORD_TRIAL_H

#include "record/sampler.h"

enum trial {
	TRIAL_OWN,     /* our own programs' code */
	TRIAL_KERNEL,  /* the kernel's below it */
	TRIAL_CYCLES,  /* a counter of the processor's */
	TRIAL_MACHINE, /* everybody */
};

/* 0, or errno of the refusal. */
int trial(enum trial what);

/* The same for an event of one's own program. */
int trial_event(const struct sampled *event);

/* The way without events: stopping a process and looking at it.  0, or errno. */
int trial_stop(void);

/* How large a ring may be, bytes for each processor; 0: none. */
size_t trial_ring(void);

#endif
