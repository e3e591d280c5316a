#include "ingest/process.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>

void processes_init(struct processes *t, struct profile *p)
{
	*t = (struct processes){ .p = p, .kernel = maps_new() };
}

void processes_release(struct processes *t)
{
	for (size_t i = 0; i < t->cap_process; i++)
		if (t->process[i]) {
			maps_free(t->process[i]->maps);
			maps_free(t->process[i]->before);
			free(t->process[i]);
		}
	for (size_t i = 0; i < t->cap_task; i++) {
		if (t->task[i])
			origins_free(t->task[i]->origins);
		free(t->task[i]);
	}
	free(t->process);
	free(t->task);
	maps_free(t->kernel);
	*t = (struct processes){ 0 };
}

static size_t home(uint32_t id, size_t cap)
{
	return (size_t)(id * UINT64_C(2654435761) >> 7) & (cap - 1);
}

static struct process **find_process(const struct processes *t, uint32_t pid)
{
	size_t i = home(pid, t->cap_process);

	while (t->process[i] && t->process[i]->pid != pid)
		i = (i + 1) & (t->cap_process - 1);
	return &t->process[i];
}

static struct task **find_task(const struct processes *t, uint32_t tid)
{
	size_t i = home(tid, t->cap_task);

	while (t->task[i] && t->task[i]->tid != tid)
		i = (i + 1) & (t->cap_task - 1);
	return &t->task[i];
}

static void grow_processes(struct processes *t)
{
	struct processes old = *t;

	t->cap_process = old.cap_process ? old.cap_process * 2 : 64;
	t->process = xcalloc(t->cap_process, sizeof(*t->process));
	for (size_t i = 0; i < old.cap_process; i++)
		if (old.process[i])
			*find_process(t, old.process[i]->pid) = old.process[i];
	free(old.process);
}

static void grow_tasks(struct processes *t)
{
	struct processes old = *t;

	t->cap_task = old.cap_task ? old.cap_task * 2 : 64;
	t->task = xcalloc(t->cap_task, sizeof(*t->task));
	for (size_t i = 0; i < old.cap_task; i++)
		if (old.task[i])
			*find_task(t, old.task[i]->tid) = old.task[i];
	free(old.task);
}

struct process *process_get(struct processes *t, uint32_t pid)
{
	struct process **at;

	if (t->nr_process * 2 >= t->cap_process)
		grow_processes(t);
	at = find_process(t, pid);
	if (!*at && t->nr_process >= TASKS_MAX)
		at = find_process(t, THREAD_UNKNOWN);
	if (!*at) {
		*at = xcalloc(1, sizeof(**at));
		(*at)->pid = pid;
		(*at)->maps = maps_new();
		t->nr_process++;
	}
	return *at;
}

struct task *task_get(struct processes *t, uint32_t pid, uint32_t tid)
{
	struct task **at;

	if (t->nr_task * 2 >= t->cap_task)
		grow_tasks(t);
	at = find_task(t, tid);
	if (!*at && t->nr_task >= TASKS_MAX)
		at = find_task(t, THREAD_UNKNOWN);
	if (!*at) {
		*at = xcalloc(1, sizeof(**at));
		(*at)->tid = tid;
		(*at)->pid = pid;
		t->nr_task++;
	}
	/* A tid in another process is a new thread; truncated_origins() notices that its origins are stale. */
	if ((*at)->pid != pid && pid != THREAD_UNKNOWN)
		**at = (struct task){ .tid = tid, .pid = pid, .origins = (*at)->origins };
	return *at;
}

uint32_t process_of(const struct processes *t, uint32_t tid)
{
	struct task **at = t->cap_task ? find_task(t, tid) : NULL;

	return at && *at ? (*at)->pid : THREAD_UNKNOWN;
}

void process_comm(struct processes *t, uint32_t pid, uint32_t tid, struct span name,
		  enum comm_change change)
{
	struct task *task = task_get(t, pid, tid);

	task->comm = profile_string(t->p, name);
	task->thread = (thread_id){ 0 };
	if (change == COMM_EXECED) {
		struct process *process = process_get(t, pid);

		maps_free(process->before);
		process->before = process->maps;
		process->maps = maps_new();
		process->dump = 0;
		process->program = (module_id){ 0 };
		process->root = ROOT_NOT_ASKED;
	}
}

void process_ran(struct process *process)
{
	maps_free(process->before);
	process->before = NULL;
}

const struct map *process_map(const struct process *process, uint64_t address)
{
	const struct map *map = maps_find(process->maps, address);

	return map || !process->before ? map : maps_find(process->before, address);
}

void process_fork(struct processes *t, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid)
{
	str_id comm = task_get(t, ppid, ptid)->comm;
	struct task *task = task_get(t, pid, tid);

	task->comm = comm;
	task->thread = (thread_id){ 0 };
	if (pid != ppid) {
		const struct process *parent = process_get(t, ppid);
		struct maps *maps = maps_share(parent->maps);
		uint32_t dump = parent->dump;
		module_id program = parent->program;
		struct process *process = process_get(t, pid);

		maps_free(process->maps);
		process->maps = maps;
		process->dump = dump;
		process->program = program;
	}
}

/* perf's name for a thread whose name was not recorded: ":123", and "swapper" for the idle thread. */
static str_id made_up_comm(struct processes *t, uint32_t tid)
{
	char name[16];

	if (!tid)
		return profile_string(t->p, SPAN("swapper"));
	snprintf(name, sizeof(name), ":%d", (int)tid);
	return profile_string(t->p, span_of(name));
}

thread_id process_thread(struct processes *t, uint32_t pid, uint32_t tid)
{
	struct task *task = task_get(t, pid, tid);

	if (!task->thread.i) {
		struct thread thread = { .pid = pid, .tid = tid, .comm = task->comm };

		if (!task->comm.i)
			thread.comm = made_up_comm(t, tid);
		task->thread = profile_thread(t->p, &thread);
	}
	return task->thread;
}
