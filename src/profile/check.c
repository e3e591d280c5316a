#include "base/alloc.h"
#include "profile/profile.h"

#include <stdlib.h>

static const char *check_tables(const struct profile *p)
{
	if (!p->strings.nr || !p->nr_module || !p->nr_frame || !p->nr_stack || !p->nr_thread ||
	    !p->nr_labels)
		return "a table lacks its row 0";
	for (size_t i = 0; i < p->nr_module; i++)
		if (p->module[i].path.i >= p->strings.nr ||
		    p->module[i].build_id.i >= p->strings.nr)
			return "a module's string is out of range";
	for (size_t i = 0; i < p->nr_frame; i++) {
		const struct frame *f = &p->frame[i];

		if (f->module.i >= p->nr_module)
			return "a frame's module is out of range";
		for (size_t k = 0; k < f->nr_line; k++)
			if (f->line[k].function.i >= p->strings.nr ||
			    f->line[k].file.i >= p->strings.nr)
				return "a frame's name is out of range";
	}
	for (size_t i = 0; i < p->nr_thread; i++)
		if (p->thread[i].comm.i >= p->strings.nr)
			return "a thread's name is out of range";
	for (size_t i = 0; i < p->nr_event; i++)
		if (p->event[i].name.i >= p->strings.nr || p->event[i].unit.i >= p->strings.nr)
			return "an event's string is out of range";
	return NULL;
}

static const char *check_stacks(const struct profile *p)
{
	for (size_t i = 1; i < p->nr_stack; i++) {
		if (p->stack[i].caller.i >= i)
			return "a stack's caller does not come before it";
		if (p->stack[i].frame.i >= p->nr_frame)
			return "a stack's frame is out of range";
	}
	return NULL;
}

static const char *check_counts(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];

		if (c->event >= p->nr_event || c->thread.i >= p->nr_thread ||
		    c->stack.i >= p->nr_stack || c->labels.i >= p->nr_labels)
			return "a count's handle is out of range";
	}
	for (size_t i = 0; i < p->nr_tick; i++) {
		const struct tick *t = &p->tick[i];

		if (t->event >= p->nr_event || t->thread.i >= p->nr_thread ||
		    t->stack.i >= p->nr_stack || t->labels.i >= p->nr_labels)
			return "a tick's handle is out of range";
	}
	return NULL;
}

static int by_content(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;

	if (x->caller.i != y->caller.i)
		return x->caller.i < y->caller.i ? -1 : 1;
	return x->frame.i < y->frame.i ? -1 : x->frame.i > y->frame.i;
}

static int by_key(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->stack.i != y->stack.i)
		return x->stack.i < y->stack.i ? -1 : 1;
	if (x->thread.i != y->thread.i)
		return x->thread.i < y->thread.i ? -1 : 1;
	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->labels.i < y->labels.i ? -1 : x->labels.i > y->labels.i;
}

/* Interning is total: two rows with the same content are a bug. */
static bool has_duplicates(const void *row, size_t nr, size_t size,
			   int (*order)(const void *, const void *))
{
	char *sorted = nr ? xmemdup(row, nr * size) : NULL;
	bool found = false;

	if (nr)
		qsort(sorted, nr, size, order);
	for (size_t i = 1; i < nr && !found; i++)
		found = !order(sorted + (i - 1) * size, sorted + i * size);
	free(sorted);
	return found;
}

/* The ticks of a row add up to its count. */
static const char *check_ticks(const struct profile *p)
{
	int64_t sum = 0;

	if (!p->max_tick)
		return p->nr_tick ? "ticks that nobody asked for" : NULL;
	for (size_t i = 0; i < p->nr_count; i++)
		sum = (int64_t)((uint64_t)sum + (uint64_t)p->count[i].weight);
	for (size_t i = 0; i < p->nr_tick; i++)
		sum = (int64_t)((uint64_t)sum - (uint64_t)p->tick[i].weight);
	return sum ? "the ticks do not add up to the counts" : NULL;
}

const char *profile_check(const struct profile *p)
{
	const char *wrong = check_tables(p);

	if (!wrong)
		wrong = check_stacks(p);
	if (!wrong)
		wrong = check_counts(p);
	if (!wrong)
		wrong = check_ticks(p);
	if (!wrong && has_duplicates(p->stack + 1, p->nr_stack - 1, sizeof(*p->stack), by_content))
		wrong = "two stacks are the same";
	if (!wrong && has_duplicates(p->count, p->nr_count, sizeof(*p->count), by_key))
		wrong = "two counts are of the same row";
	return wrong;
}
