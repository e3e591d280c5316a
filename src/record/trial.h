/* Tries what the kernel lets us record, for `wick doctor` and `wick list`. */
#ifndef WICK_RECORD_TRIAL_H
#define WICK_RECORD_TRIAL_H

#include "record/sampler.h"

enum trial {
	TRIAL_OWN,     /* the user code of our own processes */
	TRIAL_KERNEL,  /* and what they do in the kernel */
	TRIAL_CYCLES,  /* a hardware counter */
	TRIAL_MACHINE, /* all processes, by processor */
};

/* 0 when it is allowed, else the errno of the refusal. */
int trial(enum trial what);

/* The same for any event, of our own process. */
int trial_event(const struct sampled *event);

/* Can a process of ours be stopped, and its memory be read (trace.h)?  0, or errno. */
int trial_stop(void);

/* How large a ring buffer we may have for each processor: bytes; 0: none. */
size_t trial_ring(void);

#endif
