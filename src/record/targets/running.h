/*
 * The processes that run when a recording begins, read from /proc, as the records that the kernel
 * would have written: names of threads (COMM), and the code that each process has mapped (MMAP).
 * Records have no times, and their bytes are valid until the sink returns.
 */
#ifndef WICK_RECORD_TARGETS_RUNNING_H
#define WICK_RECORD_TARGETS_RUNNING_H

#include "base/error.h"
#include "perf/event.h"

#include <sys/types.h>

typedef int running_sink(void *arg, const struct record *r, struct error *e);

/* The mapping of the kernel's own code. */
int running_kernel(running_sink *sink, void *arg, struct error *e);

/* The mappings of its modules, in the same address range: to be added after the kernel's. */
int running_modules(running_sink *sink, void *arg, struct error *e);

/* The same for a list like /proc/modules. */
int running_parse_modules(struct span list, running_sink *sink, void *arg, struct error *e);

/* The threads and mappings of one process; nothing if it has ended. */
int running_process(pid_t pid, running_sink *sink, void *arg, struct error *e);

/* Only its mappings. */
int running_maps(pid_t pid, running_sink *sink, void *arg, struct error *e);

/* The same for all processes. */
int running_all(running_sink *sink, void *arg, struct error *e);

/*
 * The process of a thread, and its parent: for a process's first thread that is the parent process,
 * for any other thread the process itself.  And its tracer (ptrace), or 0.  False if it has ended:
 * then the first two are the thread.
 */
struct running_kin {
	pid_t pid, parent, tracer;
};
bool running_kin(pid_t tid, struct running_kin *kin);

/* The numbers in a directory of /proc: processes, or threads of one.  The caller frees the array. */
pid_t *running_list(const char *folder, size_t *nr);

/* The threads of a process, in the same way; none if it has ended. */
pid_t *running_threads(pid_t pid, size_t *nr);

/* A whole file in /proc, where stat() reports no size; NULL: not found.  The caller frees it. */
char *running_read(const char *path, size_t *size);

/* The same for a path relative to a directory's descriptor. */
char *running_read_at(int folder, const char *path, size_t *size);

#endif
