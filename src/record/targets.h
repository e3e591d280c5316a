/* Who is recorded, of those that run already: by number or by name. */
#ifndef WICK_RECORD_TARGETS_H
#define WICK_RECORD_TARGETS_H

#include "base/error.h"
#include "base/span.h"

#include <stdbool.h>
#include <sys/types.h>

struct targets {
	pid_t *process; /* whose mappings count, and whose end is the end */
	size_t nr_process, cap_process;
	pid_t *task; /* those that are sampled */
	size_t nr_task, cap_task;
	bool children; /* and all that they start */
};

void targets_release(struct targets *t);

/* "12,nginx": processes with all their threads; a name means all that are called so, a path all that run it. */
int targets_add_processes(struct targets *t, struct span list, struct error *e);

/* "12,13": these threads alone. */
int targets_add_threads(struct targets *t, struct span list, struct error *e);

/* Adds what the processes have started so far, and what those have. */
void targets_add_children(struct targets *t);

/* The folder of a control group that events go by: its path below where such groups are, or the whole path. */
int targets_open_group(const char *path, struct error *e);

/* Adds the threads that the processes have by now; true when there are new ones. */
bool targets_look_again(struct targets *t);

#endif
