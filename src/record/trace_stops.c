/* What those who are followed stop for, and how they go on: as if nobody had looked. */
#include "base/alloc.h"
#include "record/tracer.h"

#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t message_of(const struct traced *k)
{
	unsigned long number = 0;

	ptrace(PTRACE_GETEVENTMSG, k->tid, NULL, &number);
	return (pid_t)number;
}

/* Is it a thread of that process, or a process of its own? */
static pid_t process_of_new(pid_t tid, pid_t maker)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)maker, (int)tid);
	return access(path, F_OK) ? tid : maker;
}

static void take_new(struct tracer *t, pid_t tid, const struct traced *maker)
{
	struct traced *k = tracer_find(t, tid);

	/* It may have ended before its maker could tell of it. */
	if (k || !tracer_follows(tid))
		return;
	k = tracer_add(t, tid, process_of_new(tid, maker->space->pid));
	memcpy(k->comm, maker->comm, sizeof(k->comm));
	k->waits = maker->waits;
	tracer_tell_fork(t, k, maker->space->pid);
}

/* All its other threads are gone, and it is called what it was called first. */
static struct traced *take_exec(struct tracer *t, pid_t pid)
{
	struct traced *k = tracer_become(t, pid);

	k->waits = k->fresh = false;
	traced_begin(k);
	tracer_tell_comm(t, k, true);
	tracer_tell_code(t, k, 0);
	traced_go_on(k, 0);
	return k;
}

/* A sample of it, if we asked for one. */
static void look_and_go_on(struct tracer *t, struct traced *k)
{
	if (k->asked && t->sampling && !k->waits)
		tracer_sample(t, k);
	else
		traced_go_on(k, 0);
}

/* A stop that is for us: it was asked for, it is new, or all its process is stopped. */
static void take_stop(struct tracer *t, struct traced *k, int signal)
{
	if (signal != SIGTRAP) {
		/* It stays stopped, and we are told when it goes on. */
		ptrace(PTRACE_LISTEN, k->tid, NULL, NULL);
		return;
	}
	k->fresh = false;
	look_and_go_on(t, k);
}

/* Whatever it stops for is the answer to what we asked: the kernel then forgets that we did. */
static void take_event(struct tracer *t, struct traced *k, int event, int signal)
{
	switch (event) {
	case PTRACE_EVENT_STOP:
		take_stop(t, k, signal);
		break;
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		take_new(t, message_of(k), k);
		look_and_go_on(t, k);
		break;
	case PTRACE_EVENT_EXEC:
		k = take_exec(t, k->tid);
		break;
	default:
		traced_go_on(k, event ? 0 : signal);
		break;
	}
	k->asked = 0;
}

static void take_end(struct tracer *t, pid_t tid, int status, const struct rusage *used)
{
	const struct traced *k = tracer_find(t, tid);

	if (k)
		tracer_tell_exit(t, k);
	tracer_remove(t, tid);
	if (tid == t->launched) {
		t->ended = true;
		t->status = status;
		t->used = *used;
	}
}

bool tracer_answer(struct tracer *t)
{
	enum { AT_ONCE = 256 };

	for (size_t i = 0; i < AT_ONCE; i++) {
		struct rusage used;
		struct traced *k;
		int status;
		/* Only those that this thread follows: the others are not ours to answer. */
		pid_t tid = wait4(-1, &status, WNOHANG | __WALL | __WNOTHREAD, &used);

		if (tid <= 0)
			return false;

		if (!WIFSTOPPED(status)) {
			take_end(t, tid, status, &used);
			continue;
		}
		k = tracer_find(t, tid);
		/* One that is new may be faster than who made it. */
		if (!k)
			k = tracer_add_found(t, tid);
		take_event(t, k, status >> 16, WSTOPSIG(status));
	}
	return true;
}
