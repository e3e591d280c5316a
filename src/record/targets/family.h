/*
 * Which records of the whole machine belong to the target: for recordings that sample CPUs instead
 * of tasks (`--wide`).
 */
#ifndef WICK_RECORD_TARGETS_FAMILY_H
#define WICK_RECORD_TARGETS_FAMILY_H

#include "perf/event.h"
#include "record/perf_events/sampler.h"

struct family {
	enum follow follow;
	uint8_t *process; /* a bit for each pid */
	uint8_t *thread;  /* FOLLOW_NONE: a bit for each tid, for samples and switches; else NULL */
	pid_t command;	  /* added with its exec: before that, it was wick; 0: none */
};

/*
 * Starts empty.  FOLLOW_NONE: threads; FOLLOW_THREADS: processes; FOLLOW_ALL: and what they start.
 */
void family_init(struct family *f, enum follow follow);
void family_release(struct family *f);

/* Adds a process, and for FOLLOW_NONE one of its threads. */
void family_add_process(struct family *f, pid_t pid);
void family_add_thread(struct family *f, pid_t tid);

/* Adds a command, from its exec on. */
void family_add_command(struct family *f, pid_t pid);

/*
 * Does the record belong to the family, or concern everyone (lost, throttled)?  To be called for
 * all records in order of time.
 */
bool family_take(struct family *f, const struct record *r);

/* Is a sample of that thread one of the family's? */
bool family_has(const struct family *f, uint32_t pid, uint32_t tid);

#endif
