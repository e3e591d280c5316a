/* Giving samples other stacks, or taking them out: how a profile is cut down to a question. */
#include "base/alloc.h"
#include "profile/profile.h"

#include <stdlib.h>

struct stack *profile_take_stacks(struct profile *p, size_t *nr)
{
	struct stack *stack = p->stack;

	*nr = p->nr_stack;
	free(p->fork);
	free(p->stack_index.slot);
	p->fork = NULL;
	p->nr_fork = p->cap_fork = 0;
	p->stack_index = (struct row_index){ 0 };
	p->stack = NULL;
	p->nr_stack = p->cap_stack = 0;
	GROW(p->stack, p->nr_stack, p->cap_stack);
	p->stack[p->nr_stack++] = (struct stack){ 0 };
	return stack;
}

/* Does a sample stay?  Sets *stack to its new stack. */
static bool stays(const struct recount *r, thread_id thread, stack_id *stack)
{
	if ((r->thread && !r->thread[thread.i]) || (r->keep && !r->keep[stack->i]))
		return false;
	if (r->stack)
		*stack = r->stack[stack->i];
	return true;
}

static void add_again(struct profile *p, const struct count *c)
{
	if (profile_add_count(p, c))
		notes_add(&p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
}

static void recount_ticks(struct profile *p, const struct recount *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->nr_tick; i++) {
		struct tick t = p->tick[i];

		if (r->span && (t.time < r->span->begin || t.time >= r->span->end))
			continue;
		if (stays(r, t.thread, &t.stack))
			p->tick[kept++] = t;
	}
	p->nr_tick = kept;
}

void profile_recount(struct profile *p, const struct recount *r)
{
	size_t nr = p->nr_count;

	recount_ticks(p, r);
	free(p->count_index.slot);
	p->count_index = (struct row_index){ 0 };
	p->nr_count = 0;
	if (r->span) {
		for (size_t i = 0; i < p->nr_tick; i++) {
			const struct tick *t = &p->tick[i];

			add_again(p, &(struct count){ .event = t->event,
						      .thread = t->thread,
						      .stack = t->stack,
						      .labels = t->labels,
						      .weight = t->weight,
						      .nr = 1 });
		}
		return;
	}
	/* There are never more rows than before: they move up in their own table. */
	for (size_t i = 0; i < nr; i++) {
		struct count c = p->count[i];

		if (stays(r, c.thread, &c.stack))
			add_again(p, &c);
	}
}
