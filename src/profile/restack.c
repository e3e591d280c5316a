/* Gives samples other stacks, or removes samples: for filters, truncated stacks and views. */
#include "base/alloc.h"
#include "profile/intervals.h"
#include "profile/profile.h"

#include "profile/ticks.h"

#include <stdlib.h>

struct stack *profile_take_stacks(struct profile *p, size_t *nr)
{
	struct stack *stack = p->stack;

	*nr = p->nr_stack;
	free(p->stack_index.slot);
	p->stack_index = (struct stack_index){ 0 };
	p->stack = NULL;
	p->nr_stack = p->cap_stack = 0;
	GROW(p->stack, p->nr_stack, p->cap_stack);
	p->stack[p->nr_stack++] = (struct stack){ 0 };
	return stack;
}

/* Does a sample stay?  Sets *thread and *stack to its new ones. */
static bool stays(const struct recount *r, thread_id *thread, stack_id *stack)
{
	if ((r->thread && !r->thread[thread->i]) || (r->keep && !r->keep[stack->i]))
		return false;
	if (r->as)
		*thread = r->as[thread->i];
	if (r->stack)
		*stack = r->stack[stack->i];
	return true;
}

static void add_again(struct profile *p, const struct count *c)
{
	if (profile_add_count(p, c))
		notes_add(&p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
}

/* Do time ranges apply to a tick?  Not if it has a line number, or if its event has intervals: they apply to these. */
static bool is_timed(const struct profile *p, const bool *has_intervals, const struct tick *t)
{
	return profile_ticks_timed(p, t->event) && !(has_intervals && has_intervals[t->event]);
}

bool *profile_timed_events(const struct profile *p)
{
	bool *timed = xcalloc(p->nr_event, sizeof(*timed));

	for (size_t i = 0; i < p->nr_tick; i++)
		timed[p->tick[i].event] |= profile_ticks_timed(p, p->tick[i].event);
	for (size_t i = 0; i < p->nr_interval; i++)
		timed[p->interval[i].event] = true;
	return timed;
}

bool profile_first_time(const struct profile *p, uint64_t *time)
{
	bool *has_intervals = intervals_events(p), any = false;
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < p->nr_tick; i++)
		if (is_timed(p, has_intervals, &p->tick[i])) {
			any = true;
			if (p->tick[i].time < first)
				first = p->tick[i].time;
		}
	for (size_t i = 0; i < p->nr_interval; i++)
		if (p->interval[i].begin < first)
			first = p->interval[i].begin;
	free(has_intervals);
	if (any || p->nr_interval)
		*time = first;
	return any || p->nr_interval;
}

static void recount_ticks(struct profile *p, const struct recount *r, const bool *has_intervals)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->nr_tick; i++) {
		struct tick t = p->tick[i];

		if (r->span && (!is_timed(p, has_intervals, &t) || t.time < r->span->begin ||
				t.time >= r->span->end))
			continue;
		if (stays(r, &t.thread, &t.stack))
			p->tick[kept++] = t;
	}
	p->nr_tick = kept;
}

static int by_time(const void *a, const void *b)
{
	const struct tick *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* Adds an interval to the counts, and to the ticks if these are kept. */
static void add_interval_again(struct profile *p, const struct interval *v)
{
	add_again(p, &(struct count){ .event = v->event,
				      .thread = v->thread,
				      .stack = v->stack,
				      .labels = v->labels,
				      .weight = v->weight,
				      .nr = v->nr });
	if (p->max_tick)
		ticks_add(p, &(struct tick){ .time = v->begin,
					     .event = v->event,
					     .thread = v->thread,
					     .stack = v->stack,
					     .labels = v->labels,
					     .weight = v->weight });
}

static void recount_span(struct profile *p)
{
	for (size_t i = 0; i < p->nr_tick; i++) {
		const struct tick *t = &p->tick[i];

		add_again(p, &(struct count){ .event = t->event,
					      .thread = t->thread,
					      .stack = t->stack,
					      .labels = t->labels,
					      .weight = t->weight,
					      .nr = 1 });
	}
	for (size_t i = 0; i < p->nr_interval; i++)
		add_interval_again(p, &p->interval[i]);
	if (p->nr_interval && p->nr_tick)
		qsort(p->tick, p->nr_tick, sizeof(*p->tick), by_time);
}

static void forget_counts(struct profile *p)
{
	free(p->count_index.slot);
	p->count_index = (struct row_index){ 0 };
	p->nr_count = 0;
}

void profile_recount_event(struct profile *p, uint32_t event)
{
	size_t nr = p->nr_count, kept = 0;

	for (size_t i = 0; i < p->nr_tick; i++)
		if (p->tick[i].event != event)
			p->tick[kept++] = p->tick[i];
	p->nr_tick = kept;
	forget_counts(p);
	for (size_t i = 0; i < nr; i++) {
		struct count c = p->count[i];

		if (c.event != event)
			add_again(p, &c);
	}
	for (size_t i = 0; i < p->nr_interval; i++)
		if (p->interval[i].event == event)
			add_interval_again(p, &p->interval[i]);
	if (p->nr_tick)
		qsort(p->tick, p->nr_tick, sizeof(*p->tick), by_time);
}

void profile_recount(struct profile *p, const struct recount *r)
{
	size_t nr = p->nr_count;
	bool *has_intervals = intervals_events(p);

	recount_ticks(p, r, has_intervals);
	free(has_intervals);
	intervals_recount(p, r);
	forget_counts(p);
	if (r->span) {
		series_cut(p, r->span);
		recount_span(p);
		return;
	}
	/* In place: there are never more rows than before, so none is overwritten before it is read. */
	for (size_t i = 0; i < nr; i++) {
		struct count c = p->count[i];

		if (stays(r, &c.thread, &c.stack))
			add_again(p, &c);
	}
}

void profile_swap_events(struct profile *p, uint32_t a, uint32_t b)
{
	struct event event = p->event[a];

	p->event[a] = p->event[b];
	p->event[b] = event;
	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == a || p->count[i].event == b)
			p->count[i].event ^= a ^ b;
	for (size_t i = 0; i < p->nr_tick; i++)
		if (p->tick[i].event == a || p->tick[i].event == b)
			p->tick[i].event ^= a ^ b;
	for (size_t i = 0; i < p->nr_interval; i++)
		if (p->interval[i].event == a || p->interval[i].event == b)
			p->interval[i].event = (uint16_t)(p->interval[i].event ^ a ^ b);
	/* Hashes of counts depend on their event. */
	profile_recount(p, &(struct recount){ 0 });
}
