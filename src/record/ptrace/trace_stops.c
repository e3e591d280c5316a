/* Handles the stops of traced threads, and continues them as if they were not traced. */
#include "base/alloc.h"
#include "record/ptrace/tracer.h"
#include "record/session.h"

#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* PTRACE_O_TRACESYSGOOD */
enum { SYSCALL_STOP = SIGTRAP | 0x80 };

/* The tid of a new thread or process, from the stop of its creator. */
static pid_t message_of(const struct traced *k)
{
	unsigned long number = 0;

	ptrace(PTRACE_GETEVENTMSG, k->tid, NULL, &number);
	return (pid_t)number;
}

/* The process of a new thread: its creator's, or a new one. */
static pid_t process_of_new(pid_t tid, pid_t maker)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)maker, (int)tid);
	return access(path, F_OK) ? tid : maker;
}

static void take_new(struct tracer *t, pid_t tid, const struct traced *maker)
{
	struct traced *k = tracer_find(t, tid);

	/* The new thread may have stopped, or even exited, before the stop of its creator was reported. */
	if (k || !tracer_follows(tid))
		return;
	k = tracer_add(t, tid, process_of_new(tid, maker->space->pid));
	memcpy(k->comm, maker->comm, sizeof(k->comm));
	k->waits = maker->waits;
	tracer_emit_fork(t, k, maker->space->pid);
	traced_emit_from(k);
}

/* The thread that called exec now has the PID of its process as its tid, and all other threads have exited. */
static struct traced *take_exec(struct tracer *t, pid_t pid)
{
	struct traced *k = tracer_become(t, pid);

	k->waits = k->fresh = k->is_leaving = false;
	tracer_emit_comm(t, k, true);
	traced_begin(k);
	tracer_emit_code(t, k, 0);
	traced_go_on(k, 0);
	return k;
}

void tracer_sample_and_go_on(struct tracer *t, struct traced *k)
{
	if (k->asked && t->sampling && !k->waits) {
		tracer_sample(t, k);
		return;
	}
	if (k->asked)
		traced_hide_stop(k);
	traced_go_on(k, 0);
}

/* PTRACE_EVENT_STOP: the tracer asked for it, or the thread is new, or its process is stopped (SIGSTOP). */
static void take_stop(struct tracer *t, struct traced *k, int signal)
{
	if (signal != SIGTRAP) {
		/* A group stop: it stays stopped, and SIGCONT will be reported. */
		ptrace(PTRACE_LISTEN, k->tid, NULL, NULL);
		return;
	}
	/* A new thread could have run since it was created. */
	if (k->fresh)
		k->emitted.stopped += session_now() - k->emitted.until;
	k->fresh = false;
	tracer_sample_and_go_on(t, k);
}

/*
 * The kernel reports the exit of a process's first thread only when the last thread exits, which may be much later.
 */
static void emit_leaving(struct tracer *t, struct traced *k)
{
	if (k->tid != k->space->pid || k->space->nr_thread == 1)
		return;
	tracer_emit_exit(t, k);
	k->is_leaving = true;
}

/* A thread that must not be stopped (`alone`) restarts its call, or the call has returned. */
static void take_call(struct tracer *t, struct traced *k)
{
	struct __ptrace_syscall_info info = { .op = PTRACE_SYSCALL_INFO_NONE };

	ptrace(PTRACE_GET_SYSCALL_INFO, k->tid, (void *)sizeof(info), &info);
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		traced_go_on(k, 0);
		return;
	}
	k->asked = session_now();
	tracer_sample_and_go_on(t, k);
}

/*
 * Any stop counts as the reply to PTRACE_INTERRUPT: if another one comes first, the kernel drops the requested one.
 */
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
		tracer_sample_and_go_on(t, k);
		break;
	case PTRACE_EVENT_EXEC:
		k = take_exec(t, k->tid);
		break;
	case PTRACE_EVENT_EXIT:
		traced_emit_last(t, k);
		emit_leaving(t, k);
		traced_go_on(k, 0);
		break;
	default:
		if (!event && signal == SYSCALL_STOP) {
			take_call(t, k);
			break;
		}
		if (!event)
			traced_hide_signal(k, signal);
		traced_go_on(k, event ? 0 : signal);
		break;
	}
	k->asked = 0;
}

static void take_end(struct tracer *t, pid_t tid, int status, const struct rusage *used)
{
	const struct traced *k = tracer_find(t, tid);

	if (k && !k->is_leaving)
		tracer_emit_exit(t, k);
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
		/* __WNOTHREAD: only tracees and children of this thread. */
		pid_t tid = wait4(-1, &status, WNOHANG | __WALL | __WNOTHREAD, &used);

		if (tid <= 0)
			return false;

		if (!WIFSTOPPED(status)) {
			take_end(t, tid, status, &used);
			continue;
		}
		k = tracer_find(t, tid);
		/* The first stop of a new thread may be reported before its creator's. */
		if (!k)
			k = tracer_add_found(t, tid);
		take_event(t, k, status >> 16, WSTOPSIG(status));
	}
	return true;
}
