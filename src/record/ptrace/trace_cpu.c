/* Finds the threads that run, and for how long: only these are stopped, because sleeping takes no CPU time. */
#include "record/ptrace/tracer.h"

#include "record/session.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

int thread_open(pid_t pid, pid_t tid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* "time waited turns"; all are 0 if the kernel does not account for them. */
bool traced_used(const struct traced *k, struct used *used)
{
	int fd = k->schedstat >= 0 ? k->schedstat : thread_open(k->space->pid, k->tid, "schedstat");
	char text[96];
	ssize_t n = fd >= 0 ? pread(fd, text, sizeof(text), 0) : -1;
	struct span line = { text, n > 0 ? (size_t)n : 0 };

	if (fd >= 0 && fd != k->schedstat)
		close(fd);
	return line.size && span_u64(span_word(&line), &used->time) &&
	       span_u64(span_word(&line), &used->waited) &&
	       span_u64(span_word(&line), &used->turns) && used->turns;
}

void traced_go_on(struct traced *k, int signal)
{
	struct used used;

	if (traced_used(k, &used))
		k->last_turn = used.turns;
	ptrace(k->alone ? PTRACE_SYSCALL : PTRACE_CONT, k->tid, NULL, (unsigned long)signal);
}

void traced_begin(struct traced *k)
{
	k->unmet = true;
	if (traced_used(k, &k->seen))
		k->paid = (int64_t)k->seen.time;
	traced_emit_from(k);
}

/* "12 (name) R …" */
struct thread_now thread_now(pid_t pid, pid_t tid)
{
	enum { TO_PROCESSOR = 35 }; /* fields between the state and the CPU */
	int fd = thread_open(pid, tid, "stat");
	struct thread_now now = { .state = '\0' };
	struct span line;
	char text[512];
	ssize_t n;

	if (fd < 0)
		return now;
	n = read(fd, text, sizeof(text));
	close(fd);
	line = (struct span){ text, n > 0 ? (size_t)n : 0 };
	/* A name may contain any character, including a parenthesis. */
	line = span_from(line, span_rfind(line, ')') + 1);
	now.state = line.size > 1 ? line.at[1] : '\0';
	for (unsigned i = 0; i <= TO_PROCESSOR; i++)
		span_word(&line);
	if (!span_u64(span_word(&line), &now.cpu))
		now.cpu = UINT64_MAX;
	return now;
}

/*
 * Should the thread be stopped?  A thread whose CPU time is the same as at the last round did not run since, unless
 * it was running then: the kernel updates the time only at ticks and switches.
 */
static bool is_due(struct tracer *t, struct traced *k)
{
	struct used used = k->seen;
	bool known = traced_used(k, &used), further = !known || used.time != k->seen.time;
	struct thread_now now;

	k->seen = used;
	if (!t->sampling || k->waits) {
		traced_begin(k);
		return false;
	}
	if (further || k->ran) {
		now = thread_now(k->space->pid, k->tid);
		k->ran = now.state == 'R';
		k->on_our_cpu = now.cpu == (uint64_t)sched_getcpu();
	}
	if (t->switches)
		traced_emit(t, k, &used, k->ran ? NOW_RUNNABLE : NOW_BLOCKED);
	/* If it was not scheduled since it was continued, it would stop at the same place as before. */
	return k->ran && t->what->nr_event && !k->alone && !(known && used.turns == k->last_turn);
}

uint64_t tracer_worked(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* With many threads, each round skips seven eighths of those that sleep. */
static bool is_turn(const struct tracer *t, const struct traced *k)
{
	enum { FEW = 64, TURNS = 8 };

	return k->ran || t->nr_task <= FEW || (unsigned)k->tid % TURNS == t->nr_round % TURNS;
}

static void ask(struct traced *k)
{
	k->asked = session_now();
	if (ptrace(PTRACE_INTERRUPT, k->tid, NULL, NULL))
		k->asked = 0;
}

/* With many threads on a busy machine, some were not read for long, and may still get records for an earlier time. */
static uint64_t emitted_until(const struct tracer *t, uint64_t now)
{
	const uint64_t late_most = 1000000000;
	uint64_t until = now;

	for (size_t i = 0; i < TRACER_BUCKETS; i++)
		for (const struct traced *k = t->task[i]; k; k = k->next)
			if (!k->is_leaving && k->emitted.until < until)
				until = k->emitted.until;
	return now - until < late_most ? until : now - late_most;
}

void tracer_round(struct tracer *t)
{
	uint64_t begin = tracer_worked(), now = session_now();

	if (now < t->rest_until)
		return;
	t->since_round = t->nr_round++ ? now - t->round_at : t->period;
	t->round_at = now;
	t->worked_at_round = t->worked_at_wakeup;
	for (size_t i = 0; i < TRACER_BUCKETS; i++)
		for (struct traced *k = t->task[i]; k; k = k->next)
			if (!k->asked && !k->fresh && !k->is_leaving && is_turn(t, k) &&
			    is_due(t, k))
				ask(k);
	if (t->switches)
		t->emitted_until = emitted_until(t, now);
	t->rest_until = session_now() + 9 * (tracer_worked() - begin);
}
