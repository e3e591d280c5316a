/* Processes and threads that run already, and are to be recorded: by number or by name. */
#ifndef WICK_RECORD_TARGETS_H
#define WICK_RECORD_TARGETS_H

#include "base/error.h"
#include "base/span.h"

#include <stdbool.h>
#include <sys/types.h>

struct targets {
	pid_t *process; /* their mappings are read, and the recording ends when all have ended */
	size_t nr_process, cap_process;
	pid_t *task; /* threads of them: those that are sampled */
	size_t nr_task, cap_task;
	bool children; /* targets_add_children() was called: look for new ones, too */
};

void targets_release(struct targets *t);

/* "12,nginx,/usr/bin/x": with all their threads.  A name or a path means all processes of it. */
int targets_add_processes(struct targets *t, struct span list, struct error *e);

/* "12,13": these threads, without the others of their processes. */
int targets_add_threads(struct targets *t, struct span list, struct error *e);

/* Adds all descendants that the processes have now. */
void targets_add_children(struct targets *t);

/*
 * A descriptor of a control group's folder, for perf_event_open(); or -1.  The path is a whole one,
 * or one below the place where control groups are mounted.
 */
int targets_open_group(const char *path, struct error *e);

/* Adds threads, and children if these are wanted, that came since; true when there are any. */
bool targets_look_again(struct targets *t);

#endif
