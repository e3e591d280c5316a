/*
 * Processes and threads as a recording tells of them: who is called what, who
 * comes from whom, and what each has mapped.
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
	 * What it had before its last exec, until it runs code of its own again: in the
	 * meantime, call chains still begin at the call that was its last.
	 */
	struct maps *before;
	uint32_t dump;	   /* what its JIT compiler writes, see dumps.h; 0: nothing */
	module_id program; /* what was mapped first: the file that was started; 0: not told */
	/* Does it see other files than we do?  Asked when that matters. */
	enum { ROOT_NOT_ASKED, ROOT_OURS, ROOT_OTHER } root;
};

struct task {
	uint32_t tid, pid;
	str_id comm;
	thread_id thread;	 /* of the profile; valid when it is not 0 */
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
	/* Ids are numbers below 2^22 on Linux: more than that many are made up. */
	TASKS_MAX = 4 * 1024 * 1024,
};

void processes_init(struct processes *t, struct profile *p);
void processes_release(struct processes *t);

/* Made when they are new; past TASKS_MAX, one that stands for all the others. */
struct process *process_get(struct processes *t, uint32_t pid);
struct task *task_get(struct processes *t, uint32_t pid, uint32_t tid);

/* The thread is called that from here on; with an exec, its process starts over. */
enum comm_change { COMM_RENAMED, COMM_EXECED };
void process_comm(struct processes *t, uint32_t pid, uint32_t tid, struct span name,
		  enum comm_change change);

/* A thread that another one made: it has the name, and in a new process the mappings too. */
void process_fork(struct processes *t, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid);

/* Where the address is mapped, or NULL. */
const struct map *process_map(const struct process *process, uint64_t address);

/* It was seen running code of its own: there is no way back before its exec. */
void process_ran(struct process *process);

/* Who the profile says it is. */
thread_id process_thread(struct processes *t, uint32_t pid, uint32_t tid);

#endif
