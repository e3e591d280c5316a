/* Running processes and threads to record: by number or by name. */
#ifndef WICK_RECORD_TARGETS_TARGETS_H
#define WICK_RECORD_TARGETS_TARGETS_H

#include "base/error.h"
#include "base/span.h"

#include <stdbool.h>
#include <sys/types.h>

struct targets {
	pid_t *process; /* their mappings are read, and the recording ends when all have ended */
	size_t nr_process, cap_process;
	pid_t *task; /* those of their threads that are sampled */
	size_t nr_task, cap_task;
	bool children; /* targets_add_children() was called: also search for new ones */
};

void targets_release(struct targets *t);

/* "12,nginx,/usr/bin/x": with all their threads.  A name or a path selects all its processes. */
int targets_add_processes(struct targets *t, struct span list, struct error *e);

/* "12,13": these threads, without the others of their processes. */
int targets_add_threads(struct targets *t, struct span list, struct error *e);

/* Is that one of the processes? */
bool targets_has_process(const struct targets *t, pid_t pid);

/* Adds all current descendants of the processes. */
void targets_add_children(struct targets *t);

/* The number of processes that this would add. */
size_t targets_nr_children(const struct targets *t);

/*
 * A descriptor of a control group's directory, for perf_event_open(); or -1.  The path is absolute,
 * or relative to the mount point of control groups.
 */
int targets_open_group(const char *path, struct error *e);

/*
 * The current threads of the group and its subgroups, sorted; the caller frees the array.  targets_has_thread(): is
 * a thread among them?
 */
pid_t *targets_group_threads(int group, size_t *nr);
bool targets_has_thread(const pid_t *tid, size_t nr, pid_t wanted);

/* How many of the threads are runnable: they run, or wait for a CPU. */
size_t targets_nr_runnable(const struct targets *t);

/* Adds new threads, and new children if wanted; true if there are any. */
bool targets_update(struct targets *t);

#endif
