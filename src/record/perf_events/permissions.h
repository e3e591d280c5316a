/* Checks by trial what the kernel permits to record, for `wick doctor` and `wick list`. */
#ifndef WICK_RECORD_PERF_EVENTS_PERMISSIONS_H
#define WICK_RECORD_PERF_EVENTS_PERMISSIONS_H

#include "record/perf_events/sampler.h"

enum trial {
	TRIAL_OWN,     /* the user code of the user's own processes */
	TRIAL_KERNEL,  /* and their kernel code */
	TRIAL_CYCLES,  /* a hardware counter */
	TRIAL_MACHINE, /* all processes, per CPU */
};

/* 0 if it is permitted, else the errno of the refusal. */
int trial(enum trial what);

/* The same for any event, on wick's own process. */
int trial_event(const struct sampled *event);

/* Can wick stop a process of its own and read its memory (trace.h)?  0, or errno. */
int trial_stop(void);

/* The maximum size of a ring buffer for each CPU: bytes; 0: none. */
size_t trial_ring(void);

#endif
