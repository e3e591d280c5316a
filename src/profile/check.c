/* Checks the invariants of a profile row by row: for debug builds and fuzzing. */
#include "base/alloc.h"
#include "profile/profile.h"

#include <stdlib.h>

static const char *check_labels(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_labels; i++)
		for (size_t k = 0; k < p->labels[i].nr; k++) {
			const struct label *l = &p->labels[i].label[k];

			if (l->key.i >= p->strings.nr || l->value.i >= p->strings.nr)
				return "a label's string is out of range";
			if (k && l->key.i < l[-1].key.i)
				return "labels are not sorted";
		}
	return NULL;
}

static const char *check_tables(const struct profile *p)
{
	if (!p->strings.nr || !p->nr_module || !p->nr_frame || !p->nr_stack || !p->nr_thread ||
	    !p->nr_labels)
		return "a table lacks its row 0";
	if (profile_peek(p, (str_id){ 0 }).size)
		return "string 0 is not empty";
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
	return check_labels(p);
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

static const char *check_intervals(const struct profile *p)
{
	if (!p->max_interval && p->nr_interval)
		return "unexpected intervals";
	if (p->nr_interval > p->max_interval)
		return "more intervals than the limit";
	if (p->max_interval && !p->interval_quantum)
		return "the quantum of intervals is 0";
	for (size_t i = 0; i < p->nr_interval; i++) {
		const struct interval *v = &p->interval[i];

		if (v->event >= p->nr_event || v->thread.i >= p->nr_thread ||
		    v->stack.i >= p->nr_stack || v->labels.i >= p->nr_labels ||
		    v->link.i >= p->nr_link)
			return "an interval's handle is out of range";
		if (v->end < v->begin)
			return "an interval ends before it begins";
		if (!v->nr)
			return "interval with no occurrences";
	}
	return profile_intervals_add_up(p)
		       ? NULL
		       : "the intervals of an event do not add up to its counts";
}

static const char *check_links(const struct profile *p)
{
	if (!p->nr_link || p->link[0].interval != INTERVAL_NONE)
		return "the table of links lacks its row 0";
	for (size_t i = 1; i < p->nr_link; i++) {
		const struct link *l = &p->link[i];

		if (l->kind > LINK_ASYNC || l->thread.i >= p->nr_thread ||
		    l->stack.i >= p->nr_stack ||
		    (l->interval != INTERVAL_NONE && l->interval >= p->nr_interval))
			return "a link's handle is out of range";
		if (l->next.i >= i)
			return "a link's next one does not come before it";
	}
	return NULL;
}

static const char *check_series(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_series; i++) {
		const struct series *s = &p->series[i];

		if (s->name.i >= p->strings.nr || s->unit.i >= p->strings.nr ||
		    s->scope.i >= p->strings.nr)
			return "a series' string is out of range";
		if (s->nr > PROFILE_POINTS_MAX)
			return "a series has more points than the limit";
		if (!s->quantum)
			return "the quantum of a series is 0";
		for (size_t k = 1; k < s->nr; k++)
			if (s->point[k].time < s->point[k - 1].time)
				return "the points of a series are not in order of time";
	}
	return NULL;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_path(const void *a, const void *b)
{
	const struct module *x = a, *y = b;
	int order = compare(x->path.i, y->path.i);

	return order ? order : compare(x->build_id.i, y->build_id.i);
}

static int by_line(const struct line *x, const struct line *y)
{
	int order = compare(x->function.i, y->function.i);

	if (!order)
		order = compare(x->file.i, y->file.i);
	return order ? order : compare(x->line, y->line);
}

/* The identity of a frame, as in frame_hash(): with an address, names do not matter. */
static int by_place(const void *a, const void *b)
{
	const struct frame *x = a, *y = b;
	int order = compare(x->address, y->address);

	if (!order)
		order = compare(x->module.i, y->module.i);
	if (!order)
		order = compare(x->kind, y->kind);
	if (!order)
		order = compare(x->flags, y->flags);
	if (order || x->address)
		return order;
	order = compare(x->nr_line, y->nr_line);
	for (size_t i = 0; i < x->nr_line && !order; i++)
		order = by_line(&x->line[i], &y->line[i]);
	return order;
}

static int by_caller(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;
	int order = compare(x->caller.i, y->caller.i);

	return order ? order : compare(x->frame.i, y->frame.i);
}

static int by_id(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;
	int order = compare(x->tid, y->tid);

	if (!order)
		order = compare(x->pid, y->pid);
	return order ? order : compare(x->comm.i, y->comm.i);
}

static int by_labels(const void *a, const void *b)
{
	const struct label_set *x = a, *y = b;
	int order = compare(x->nr, y->nr);

	for (size_t i = 0; i < x->nr && !order; i++) {
		order = compare(x->label[i].key.i, y->label[i].key.i);
		if (!order)
			order = compare(x->label[i].value.i, y->label[i].value.i);
	}
	return order;
}

static int by_row(const void *a, const void *b)
{
	const struct count *x = a, *y = b;
	int order = compare(x->stack.i, y->stack.i);

	if (!order)
		order = compare(x->thread.i, y->thread.i);
	if (!order)
		order = compare(x->event, y->event);
	return order ? order : compare(x->labels.i, y->labels.i);
}

/* Are there two rows with the same content? */
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

static const char *check_ticks(const struct profile *p)
{
	if (!p->max_tick)
		return p->nr_tick ? "unexpected ticks" : NULL;
	return profile_ticks_add_up(p) ? NULL : "the ticks of an event do not add up to its counts";
}

static const char *check_duplicates(const struct profile *p)
{
	if (has_duplicates(p->module, p->nr_module, sizeof(*p->module), by_path))
		return "two modules are the same";
	if (has_duplicates(p->frame, p->nr_frame, sizeof(*p->frame), by_place))
		return "two frames are the same";
	/* Stack 0, the empty one, looks like the unknown frame called from the root. */
	if (has_duplicates(p->stack + 1, p->nr_stack - 1, sizeof(*p->stack), by_caller))
		return "two stacks are the same";
	if (has_duplicates(p->thread, p->nr_thread, sizeof(*p->thread), by_id))
		return "two threads are the same";
	if (has_duplicates(p->labels, p->nr_labels, sizeof(*p->labels), by_labels))
		return "two sets of labels are the same";
	if (has_duplicates(p->count, p->nr_count, sizeof(*p->count), by_row))
		return "two counts are of the same row";
	return NULL;
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
	if (!wrong)
		wrong = check_intervals(p);
	if (!wrong)
		wrong = check_links(p);
	if (!wrong)
		wrong = check_series(p);
	if (!wrong)
		wrong = check_duplicates(p);
	return wrong;
}
