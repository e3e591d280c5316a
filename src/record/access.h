/*
 * Why the kernel refuses an event, in words, and the one command that helps.
 * `wick record`, `wick stat` and `wick doctor` all say it in these words.
 */
#ifndef WICK_RECORD_ACCESS_H
#define WICK_RECORD_ACCESS_H

#include "base/error.h"
#include "record/sampler.h"

/* What somebody wants to record. */
enum access {
	ACCESS_OWN,	   /* the user code of our own processes */
	ACCESS_KERNEL,	   /* and what they do in the kernel */
	ACCESS_MACHINE,	   /* all processes, by processor */
	ACCESS_TRACEPOINT, /* tracepoints */
	ACCESS_OTHERS,	   /* a process that we did not start: it may be another user's */
};

/*
 * Is the folder of that descriptor a control group that perf_event_open() takes?  If events are
 * refused to us anyway, the answer is yes: opening them will say why.
 */
bool access_knows_group(int folder);

/* The error for a permission that we lack, with a hint.  Always -1. */
int access_denied(enum access what, struct error *e);

/* The error for an event that was refused with that errno, with a hint.  Always -1. */
int access_refused(const struct sampling *what, const struct perf_event_attr *a, int why,
		   struct error *e);

/* Does that errno of perf_event_open() mean that the machine has no such counter? */
bool access_is_missing(int why);

/* Does a seccomp filter answer perf_event_open() in the kernel's place? */
bool access_is_filtered(void);

/* Are we in a namespace of that kind ("pid", "user") that is not the machine's first one? */
bool access_has_own(const char *kind);

/* The number in a file below /proc/sys/kernel/; `otherwise` when there is no such file. */
long access_setting(const char *name, long otherwise);

#endif
