/* The traced threads, and their processes. */
#include "base/alloc.h"
#include "record/ptrace/tracer.h"
#include "record/targets/running.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t home(pid_t id)
{
	return (size_t)id % TRACER_BUCKETS;
}

struct traced *tracer_find(const struct tracer *t, pid_t tid)
{
	struct traced *k = t->task[home(tid)];

	while (k && k->tid != tid)
		k = k->next;
	return k;
}

/* Spaces */

static struct space *get_space(struct tracer *t, pid_t pid)
{
	struct space **at = &t->space[home(pid)];

	while (*at && (*at)->pid != pid)
		at = &(*at)->next;
	if (!*at) {
		*at = xcalloc(1, sizeof(**at));
		(*at)->pid = pid;
	}
	return *at;
}

static void drop_space(struct tracer *t, struct space *s)
{
	struct space **at = &t->space[home(s->pid)];

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	free(s->code);
	free(s->before);
	free(s);
}

/* Threads */

struct traced *tracer_add(struct tracer *t, pid_t tid, pid_t pid)
{
	struct traced *k = xcalloc(1, sizeof(*k));

	k->tid = tid;
	k->space = get_space(t, pid);
	k->space->nr_thread++;
	k->schedstat = t->nr_task < t->max_open ? thread_open(pid, tid, "schedstat") : -1;
	k->next = t->task[home(tid)];
	t->task[home(tid)] = k;
	t->nr_task++;
	traced_begin(k);
	k->ran = k->fresh = true;
	return k;
}

static void drop(struct tracer *t, struct traced **at)
{
	struct traced *k = *at;

	*at = k->next;
	t->nr_task--;
	if (k->schedstat >= 0)
		close(k->schedstat);
	if (!--k->space->nr_thread)
		drop_space(t, k->space);
	free(k);
}

void tracer_remove(struct tracer *t, pid_t tid)
{
	struct traced **at = &t->task[home(tid)];

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	if (*at)
		drop(t, at);
}

struct traced *tracer_become(struct tracer *t, pid_t pid)
{
	struct space *s = get_space(t, pid);
	struct traced *k;

	/* Keeps the space from being freed with the last other thread. */
	s->nr_thread++;
	for (size_t i = 0; i < TRACER_BUCKETS && s->nr_thread > 1; i++)
		for (struct traced **at = &t->task[i]; *at;)
			if ((*at)->space == s && (*at)->tid != pid)
				drop(t, at);
			else
				at = &(*at)->next;
	s->nr_thread--;
	space_forget(s);
	k = tracer_find(t, pid);
	return k ? k : tracer_add(t, pid, pid);
}

void tracer_release(struct tracer *t)
{
	for (size_t i = 0; i < TRACER_BUCKETS; i++)
		while (t->task[i])
			drop(t, &t->task[i]);
	strbuf_release(&t->out);
	strbuf_release(&t->record);
	free(t->stack);
}

/* Beginning to trace */

static unsigned long options(const struct tracer *t)
{
	unsigned long all = PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;

	/* So that its accounting can be read before it has exited. */
	if (t->switches)
		all |= PTRACE_O_TRACEEXIT;

	if (t->what->follow != FOLLOW_NONE)
		all |= PTRACE_O_TRACECLONE;
	if (t->what->follow == FOLLOW_ALL)
		all |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	return all;
}

struct traced *tracer_add_found(struct tracer *t, pid_t tid)
{
	struct running_kin kin;
	struct traced *k;

	running_kin(tid, &kin);
	k = tracer_add(t, tid, kin.pid);
	tracer_emit_fork(t, k, kin.parent);
	traced_emit_from(k);
	return k;
}

bool tracer_follows(pid_t tid)
{
	siginfo_t any;

	return !waitid(P_PID, (id_t)tid, &any,
		       WNOHANG | WNOWAIT | WSTOPPED | WEXITED | __WALL | __WNOTHREAD);
}

/* Has the thread exited?  The first one of a process may have exited long ago, any other one just now. */
static bool is_over(pid_t tid)
{
	const char state = thread_now(tid, tid).state;

	return !state || state == 'Z' || state == 'X';
}

int tracer_seize(struct tracer *t, pid_t tid)
{
	struct running_kin kin;
	struct traced *k;

	if (tracer_find(t, tid))
		return 0;
	if (ptrace(PTRACE_SEIZE, tid, NULL, options(t))) {
		int why = errno;

		/* EPERM: a tracee has created it meanwhile, so it is already traced. */
		return why == ESRCH || tracer_follows(tid) || is_over(tid) ? 0 : why;
	}
	running_kin(tid, &kin);
	k = tracer_add(t, tid, kin.pid);
	k->waits = t->what->on_exec;
	k->fresh = false;
	return 0;
}

/* Lists the threads again until there is no new one: some may be created meanwhile. */
static int seize_rest(struct tracer *t, pid_t pid)
{
	size_t nr, before;
	int why = 0;

	do {
		pid_t *tid = running_threads(pid, &nr);

		before = t->nr_task;
		for (size_t i = 0; i < nr && !why; i++)
			why = tracer_seize(t, tid[i]);
		free(tid);
	} while (t->nr_task != before && !why);
	return why;
}

int tracer_seize_all(struct tracer *t)
{
	const struct sampling *what = t->what;
	int why = 0;

	for (size_t i = 0; i < what->nr_task && !why; i++)
		why = tracer_seize(t, what->task[i]);
	for (size_t i = 0; i < what->nr_task && !why && what->follow != FOLLOW_NONE; i++) {
		const struct traced *k = tracer_find(t, what->task[i]);

		if (k && k->space->pid == k->tid)
			why = seize_rest(t, k->tid);
	}
	return why;
}
