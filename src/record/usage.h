/*
 * The CPU time of processes, threads or a control group by the kernel's accounting: what samples should add up to.
 *
 * The accounting of a process disappears once its parent has waited for it, so it is read repeatedly, and the last
 * reading counts.  Unknown parts are omitted: the sum is never too large.
 */
#ifndef WICK_RECORD_USAGE_H
#define WICK_RECORD_USAGE_H

#include "perf/event.h"
#include "record/perf_events/sampler.h"
#include "record/targets/targets.h"

/* CPU time: ns. */
struct usage_time {
	uint64_t user, kernel;
	uint64_t child_faults; /* page faults of children that were waited for */
};

struct usage {
	enum follow follow;
	int group; /* a descriptor of the control group's directory, or -1 */
	struct usage_entry {
		pid_t id;      /* a process; FOLLOW_NONE: a thread */
		bool is_child; /* its parent, which is in the list, will wait for it */
		bool is_gone;  /* its accounting has disappeared */
		struct usage_time first, now; /* readings */
	} * entry;
	size_t nr_entry, cap_entry;
	struct usage_time group_first, group_now;
	bool known; /* the accounting can be read */
};

/* Begins with the target of `what`: tasks, or its control group. */
void usage_init(struct usage *u, const struct sampling *what, const struct targets *targets);
void usage_release(struct usage *u);

/* Adds a process that has started, by its FORK record; with FOLLOW_ALL, it belongs to the target. */
void usage_add_child(struct usage *u, const struct record *r);

/* Reads the accounting again. */
void usage_read(struct usage *u);

/* CPU time between usage_init() and the last reading. */
struct usage_time usage_sum(const struct usage *u);

/* Has any of the processes waited for a child meanwhile? */
bool usage_has_children(const struct usage *u);

#endif
