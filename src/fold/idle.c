#include "fold/idle.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "fold/sums.h"

#include <stdlib.h>

/* Reasons that count as work: in an idle thread, waits for these and CPU time are less than 1 % of the time. */
static const char *const busy[] = { "disk", "fault", "cpu wait", "other" };

static bool is_busy(struct span reason)
{
	for (size_t i = 0; i < ARRAY_SIZE(busy); i++)
		if (span_is(reason, busy[i]))
			return true;
	return false;
}

/* By thread: is it idle?  The caller frees the array; NULL: no thread is idle, or all are. */
static bool *find_idle(const struct profile *p, const bool *in, size_t *nr)
{
	struct use {
		double waiting, busy;
		bool runs;
	} *use = xcalloc(p->nr_thread, sizeof(*use));
	bool *idle = xcalloc(p->nr_thread, sizeof(*idle)), others = false;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		struct use *u = &use[c->thread.i];
		str_id reason = sum_label(p, c->labels, "reason");

		if (!in[c->event] || !c->weight)
			continue;
		if (reason.i && !is_busy(profile_peek(p, reason)))
			u->waiting += (double)c->weight;
		else if (reason.i || p->event[c->event].source == SOURCE_MEASURED)
			u->busy += (double)c->weight;
		else
			u->runs = true;
	}
	*nr = 0;
	for (size_t i = 0; i < p->nr_thread; i++) {
		idle[i] = !use[i].runs && use[i].waiting > 0 && use[i].busy * 100 < use[i].waiting;
		others |= !idle[i] && (use[i].runs || use[i].waiting + use[i].busy > 0);
		*nr += idle[i];
	}
	free(use);
	if (*nr && others)
		return idle;
	free(idle);
	return NULL;
}

static stack_id push_label(struct profile *p, stack_id at, struct span name)
{
	struct line line = { .function = profile_string(p, name) };
	struct frame f = { .kind = FRAME_LABEL, .line = &line, .nr_line = 1 };

	return profile_push(p, at, profile_frame(p, &f));
}

/*
 * The new stack: the reason, the name of the thread, then the old stack.  UNSAMPLED has no reason: the name of the
 * thread follows its old stack.
 */
static stack_id move_stack(struct profile *p, thread_id thread, stack_id stack, label_id labels)
{
	struct span comm = profile_peek(p, p->thread[thread.i].comm);
	struct span reason = profile_peek(p, sum_label(p, labels, "reason"));
	struct strbuf name = { 0 };
	frame_id *frame = NULL;
	size_t nr = 0, cap = 0;
	stack_id at;

	for (at = stack; at.i; at = p->stack[at.i].caller) {
		GROW(frame, nr, cap);
		frame[nr++] = p->stack[at.i].frame;
	}
	strbuf_addf(&name, "[%.*s]", (int)reason.size, reason.at);
	at = reason.size ? push_label(p, (stack_id){ 0 }, strbuf_peek(&name)) : stack;
	if (comm.size)
		at = push_label(p, at, comm);
	at = profile_push_path(p, at, frame, reason.size ? nr : 0, LEAF_FIRST);
	strbuf_release(&name);
	free(frame);
	return at;
}

struct moving {
	struct profile *p;
	bool *idle; /* by thread */
	thread_id to;
};

/* Moves the time of an idle thread to the thread [idle]. */
static void move(const struct moving *m, thread_id *thread, stack_id *stack, label_id labels)
{
	if (thread->i == m->to.i || !m->idle[thread->i])
		return;
	*stack = move_stack(m->p, *thread, *stack, labels);
	*thread = m->to;
}

size_t idle_fold(struct profile *p, const bool *in)
{
	size_t nr;
	struct moving m = { .p = p, .idle = find_idle(p, in, &nr) };
	struct thread all = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };

	if (!m.idle)
		return 0;
	all.comm = profile_string(p, SPAN("[idle]"));
	m.to = profile_thread(p, &all);
	for (size_t i = 0; i < p->nr_count; i++)
		move(&m, &p->count[i].thread, &p->count[i].stack, p->count[i].labels);
	for (size_t i = 0; i < p->nr_tick; i++)
		move(&m, &p->tick[i].thread, &p->tick[i].stack, p->tick[i].labels);
	for (size_t i = 0; i < p->nr_interval; i++)
		move(&m, &p->interval[i].thread, &p->interval[i].stack, p->interval[i].labels);
	profile_recount(p, &(struct recount){ 0 });
	free(m.idle);
	return nr;
}
