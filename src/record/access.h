/*
 * What the kernel lets us have of its events; and where it does not, why that
 * is, in words, and the one command that helps.  Whoever records, counts or
 * asks what works says it in the same words.
 */
#ifndef WICK_RECORD_ACCESS_H
#define WICK_RECORD_ACCESS_H

#include "base/error.h"
#include "record/sampler.h"

enum access {
	ACCESS_OWN,	   /* the code of our own programs */
	ACCESS_KERNEL,	   /* the kernel's below it */
	ACCESS_MACHINE,	   /* everybody's */
	ACCESS_TRACEPOINT, /* places in the kernel */
	ACCESS_OTHERS,	   /* a process of somebody else */
};

/* Is that folder a control group, and of the kind that events go by?  Who may not ask is told that it is. */
bool access_knows_group(int folder);

/* Why that is refused.  Always -1. */
int access_denied(enum access what, struct error *e);

/* The error of a refused event. */
int access_refused(const struct sampling *what, const struct perf_event_attr *a, int why,
		   struct error *e);

/* True when that errno says that the machine has no such counter. */
bool access_is_missing(int why);

/* A filter of system calls answers in the kernel's place. */
bool access_is_filtered(void);

/* Have we a namespace of that kind ("pid", "user") that is not the one of the whole machine? */
bool access_has_own(const char *kind);

/* A number that the kernel tells in a file below /proc/sys/kernel/; otherwise when it does not. */
long access_setting(const char *name, long otherwise);

#endif
