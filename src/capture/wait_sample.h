/*
 * Converts samples of the scheduler's tracepoints to wait records (perf/wait_record.h): the reason why
 * a thread is switched out, from the kernel functions in its call chain and the arguments of its
 * system call; and which thread wakes which.
 */
#ifndef WICK_CAPTURE_WAIT_SAMPLE_H
#define WICK_CAPTURE_WAIT_SAMPLE_H

#include "ingest/ingest.h"

struct wait_samples {
	/* Set by the caller: */
	const struct ingest *ingest;
	/* Private: */
	struct image *kernel; /* kernel symbols; NULL: unknown */
	bool tried;	      /* opening it was tried */
	/* A cache: what the kernel function at an address implies about a wait. */
	struct wait_function {
		uint64_t address; /* 0: free */
		enum wait_function_kind {
			FUNCTION_PLAIN,
			FUNCTION_REASON, /* it waits for `reason` */
			FUNCTION_LOCK,	 /* it waits for a kernel lock */
			FUNCTION_FAULT,	 /* it handles a page fault */
			FUNCTION_STOP,	 /* a stop by a debugger or a signal, or an exit */
			FUNCTION_POLL,	 /* poll(): argument 1 is the number of files */
			FUNCTION_SELECT, /* select(): argument 0 is */
			FUNCTION_FUTEX,	 /* futex(): argument 0 is the lock */
		} kind;
		enum wait_reason reason;
	} * known;
};

void wait_samples_release(struct wait_samples *s);

/* The wait record of a tracepoint's sample; false: it is irrelevant. */
bool wait_sample(struct wait_samples *s, const struct record *r, const struct attr *a,
		 enum wait_record_kind says, struct wait_record *own);

/* The same for a record of the BPF programs, which is a wait record without the reason. */
bool wait_sample_own(struct wait_samples *s, const struct record *r, const struct attr *a,
		     struct wait_record *own);

#endif
