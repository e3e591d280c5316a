/*
 * What threads do while they do not run.  The kernel's account of each thread says how long it ran and
 * waited for a CPU; the rest of its time it was blocked.  Why, is found out at sampling points.
 */
#include "record/ptrace/tracer.h"

#include "record/session.h"

/* Of a stack, nothing is used. */
enum { STACK_MAX = 64 };

void traced_wait(struct tracer *t, struct traced *k)
{
	struct blocked who;

	if (!t->blocked.stack)
		blocked_reader_init(&t->blocked, STACK_MAX);
	/* Its wait is still the same as at the last sampling point. */
	if (k->wait.turn != k->seen.turns) {
		k->wait.reason = WAIT_OTHER;
		if (blocked_look(&t->blocked, k->space->pid, k->tid, &who) <= 0)
			k->wait.reason = who.reason;
		k->wait.turn = k->seen.turns;
	}
	k->wait.off[k->wait.reason] += t->since_look;
}

void traced_wait_begins(struct traced *k)
{
	k->wait = (struct traced_wait){ .since = session_now(), .first = k->seen };
}

void traced_wait_ends(struct tracer *t, struct traced *k)
{
	struct wait_total *sum = &t->sum.waits;
	uint64_t life = session_now() - k->wait.since, running, ready, blocked, seen = 0;

	if (!k->wait.counts)
		return;
	traced_used(k, &k->seen);
	running = k->seen.time - k->wait.first.time;
	ready = k->seen.waited - k->wait.first.waited;
	blocked = life > running + ready ? life - running - ready : 0;
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		seen += k->wait.off[i];
	sum->nr_thread++;
	sum->running += running;
	sum->off[WAIT_CPU] += ready;
	if (!seen)
		sum->off[WAIT_OTHER] += blocked;
	for (size_t i = 0; i < NR_WAIT_REASONS && seen; i++)
		sum->off[i] += (uint64_t)((double)blocked * (double)k->wait.off[i] / (double)seen);
	k->wait.counts = false;
	blocked_forget(&t->blocked, k->tid);
}

void tracer_end_waits(struct tracer *t)
{
	for (size_t i = 0; i < TRACER_BUCKETS; i++)
		for (struct traced *k = t->task[i]; k; k = k->next)
			traced_wait_ends(t, k);
}
