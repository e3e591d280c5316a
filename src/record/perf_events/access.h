/*
 * Why the kernel refuses an event, as a message, and the one command that fixes it.  Shared by
 * `wick record`, `wick stat` and `wick doctor`.
 */
#ifndef WICK_RECORD_PERF_EVENTS_ACCESS_H
#define WICK_RECORD_PERF_EVENTS_ACCESS_H

#include "base/error.h"
#include "record/perf_events/sampler.h"

/* What to record. */
enum access {
	ACCESS_OWN,	   /* the user code of the user's own processes */
	ACCESS_KERNEL,	   /* and their kernel code */
	ACCESS_MACHINE,	   /* all processes, per CPU */
	ACCESS_TRACEPOINT, /* tracepoints */
	ACCESS_OTHERS,	   /* a process that wick did not start: it may be another user's */
	ACCESS_PROTECTED,  /* the same for an own process that is not dumpable */
};

/*
 * Is the directory of that descriptor a control group that perf_event_open() accepts?  If events
 * are refused anyway, the answer is yes: opening them will say why.
 */
bool access_knows_group(int folder);

/* The error for a missing permission, with a hint.  Always -1. */
int access_denied(enum access what, struct error *e);

/* The error for an event that was refused with that errno, with a hint.  Always -1. */
int access_refused(const struct sampling *what, const struct perf_event_attr *a, int why,
		   struct error *e);

/* The error for ring buffers that exceed the locked memory, with a hint.  Always -1. */
int access_no_room(struct error *e);

/* The error for more open files than the limit allows, with a hint.  Always -1. */
int access_no_files(struct error *e);

/* Does that errno of perf_event_open() mean that the machine has no such counter? */
bool access_is_missing(int why);

/* Does a seccomp filter intercept perf_event_open()? */
bool access_is_filtered(void);

/* Is wick in a namespace of that kind ("pid", "user") other than the initial one? */
bool access_has_own(const char *kind);

/* The number in a file below /proc/sys/kernel/; `otherwise` when there is no such file. */
long access_setting(const char *name, long otherwise);

#endif
