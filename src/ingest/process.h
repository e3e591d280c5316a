/*
 * Processes and threads over the time of a recording: their names, the mappings of each process,
 * and what a child inherits.
 */
#ifndef WICK_INGEST_PROCESS_H
#define WICK_INGEST_PROCESS_H

#include "ingest/maps.h"
#include "ingest/origins.h"
#include "profile/profile.h"

struct process {
	uint32_t pid;
	struct maps *maps;
	/*
	 * The mappings before its last exec, until it runs user code again: up to then, the user
	 * part of call chains is the old program's call of exec.  Or NULL.
	 */
	struct maps *before;
	uint32_t dump;	   /* 1 + the index of its JIT compiler's dump, see dumps.h; 0: none */
	module_id program; /* the executed file, which is mapped first; 0: unknown */
	/* Does it have another root directory (a container)?  Determined when needed. */
	enum { ROOT_NOT_ASKED, ROOT_OURS, ROOT_OTHER } root;
};

struct task {
	uint32_t tid, pid;
	str_id comm;
	thread_id thread;	 /* in the profile; 0: not yet added with this name */
	struct origins *origins; /* of its stacks; NULL: nothing is known */
};

struct processes {
	struct profile *p;
	struct maps *kernel;
	struct process **process; /* hash tables of 2^n slots, by pid and by tid */
	struct task **task;
	size_t nr_process, cap_process, nr_task, cap_task;
};

enum {
	/* Linux has IDs below 2^22 (PID_MAX_LIMIT): a recording with more is corrupt. */
	TASKS_MAX = 4 * 1024 * 1024,
};

void processes_init(struct processes *t, struct profile *p);
void processes_release(struct processes *t);

/* Never NULL: created if new; beyond TASKS_MAX, one that represents all others. */
struct process *process_get(struct processes *t, uint32_t pid);
struct task *task_get(struct processes *t, uint32_t pid, uint32_t tid);

/* The process of a thread; THREAD_UNKNOWN: nothing was recorded of it. */
uint32_t process_of(const struct processes *t, uint32_t tid);

/* The thread has this name from now on; after an exec, its process has no mappings. */
enum comm_change { COMM_RENAMED, COMM_EXECED };
void process_comm(struct processes *t, uint32_t pid, uint32_t tid, struct span name,
		  enum comm_change change);

/* A new thread, with the name of its creator; a new process has its mappings, too. */
void process_fork(struct processes *t, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid);

/* The mapping of an address, or NULL. */
const struct map *process_map(const struct process *process, uint64_t address);

/* To be called when it was seen running user code: `before` is no longer needed. */
void process_ran(struct process *process);

/* The thread of the profile. */
thread_id process_thread(struct processes *t, uint32_t pid, uint32_t tid);

#endif
