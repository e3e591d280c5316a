/*
 * What runs already when a recording begins, told as the kernel would have
 * told it: names of threads, and what each process has mapped.  Records have
 * no times, and their bytes are good until the call returns.
 */
#ifndef WICK_RECORD_RUNNING_H
#define WICK_RECORD_RUNNING_H

#include "base/error.h"
#include "event/event.h"

#include <sys/types.h>

typedef int running_sink(void *arg, const struct record *r, struct error *e);

/* The kernel itself: where its code is. */
int running_kernel(running_sink *sink, void *arg, struct error *e);

/* One process; nothing when it is gone. */
int running_process(pid_t pid, running_sink *sink, void *arg, struct error *e);

/* Only what it has mapped. */
int running_maps(pid_t pid, running_sink *sink, void *arg, struct error *e);

/* All of them. */
int running_all(running_sink *sink, void *arg, struct error *e);

/*
 * Whose a thread is, who made it (its process, or that one's parent), and who follows it (ptrace), or 0.  False when it
 * is gone: then it is its own.
 */
struct running_kin {
	pid_t pid, parent, tracer;
};
bool running_kin(pid_t tid, struct running_kin *kin);

/* The numbers in a folder of /proc (tasks of a process, or processes) as an array of the caller's. */
pid_t *running_list(const char *folder, size_t *nr);

/* The contents of a file below /proc, whose size nobody knows before; NULL when it is not there. */
char *running_read(const char *path, size_t *size);

#endif
