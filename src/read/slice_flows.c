#include "read/slice_flows.h"

#include "base/alloc.h"

#include <stdlib.h>

void flows_release(struct flows *f)
{
	free(f->end);
	free(f->by_time);
	free(f->by_slice);
	intern_release(&f->ids);
	*f = (struct flows){ 0 };
}

static int compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_flow(const void *a, const void *b)
{
	const struct flow_end *x = a, *y = b;
	int order = compare(x->id, y->id);

	if (!order)
		order = compare(x->time, y->time);
	return order ? order : compare(x->number, y->number);
}

struct sorting {
	const struct flow_end *end;
	const uint32_t *order;
};

static int by_time(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct flow_end *x = &s->end[*(const uint32_t *)a],
			      *y = &s->end[*(const uint32_t *)b];
	int order = compare(s->order[x->track], s->order[y->track]);

	if (!order)
		order = compare(x->time, y->time);
	/* FLOW_NEXT first, before the slice that begins at that time; the others are inside it. */
	if (!order)
		order = compare(y->kind & FLOW_NEXT, x->kind & FLOW_NEXT);
	return order ? order : compare(x->number, y->number);
}

static int by_slice(const void *a, const void *b, void *arg)
{
	const struct flow_end *end = arg, *x = &end[*(const uint32_t *)a],
			      *y = &end[*(const uint32_t *)b];
	int order = compare(x->slice, y->slice);

	return order ? order : compare(x->number, y->number);
}

void flows_begin(struct flows *f, const uint32_t *order)
{
	struct sorting s = { f->end, order };
	uint32_t out = 0;

	if (!f->nr)
		return;
	qsort(f->end, f->nr, sizeof(*f->end), by_flow);
	f->by_time = xcalloc(f->nr, sizeof(*f->by_time));
	f->by_slice = xcalloc(f->nr, sizeof(*f->by_slice));
	for (uint32_t i = 0; i < f->nr; i++) {
		struct flow_end *end = &f->end[i];

		if (i && end[-1].id != end->id)
			out = 0;
		if (end->kind & FLOW_IN)
			end->from = out;
		if (end->kind & FLOW_OUT)
			out = i + 1;
		if (end->slice)
			f->by_slice[f->nr_by_slice++] = i;
		else if (order[end->track] != UINT32_MAX)
			f->by_time[f->nr_by_time++] = i;
	}
	qsort_r(f->by_time, f->nr_by_time, sizeof(*f->by_time), by_time, &s);
	qsort_r(f->by_slice, f->nr_by_slice, sizeof(*f->by_slice), by_slice, f->end);
}

struct flow_end *flows_next(struct flows *f, uint32_t track, int64_t time)
{
	struct flow_end *end;

	if (f->at == f->nr_by_time)
		return NULL;
	end = &f->end[f->by_time[f->at]];
	/* An end at that very time may be in a slice that begins then, which is not open yet. */
	if (end->track != track || end->time > time ||
	    (end->time == time && !(end->kind & FLOW_NEXT) && time < INT64_MAX))
		return NULL;
	f->at++;
	return end;
}

void flows_bind(struct flows *f, struct flow_end *end, uint32_t *list)
{
	end->nest = *list ? f->end[*list - 1].nest : ++f->nr_nest;
	end->next = *list;
	*list = (uint32_t)(end - f->end) + 1;
}

void flows_bind_slice(struct flows *f, uint32_t number, uint32_t *list)
{
	size_t low = 0, high = f->nr_by_slice;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->end[f->by_slice[middle]].slice <= number)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < f->nr_by_slice; low++) {
		struct flow_end *end = &f->end[f->by_slice[low]];

		if (end->slice != number + 1)
			return;
		/* The second part of a split slice gets no ends. */
		if (!end->nest)
			flows_bind(f, end, list);
	}
}

link_id flows_links(struct flows *f, struct profile *p, uint32_t list, link_id link)
{
	for (; list; list = f->end[list - 1].next) {
		struct flow_end *end = &f->end[list - 1];

		/* A flow from a slice to itself is ignored. */
		if (!end->from || (end->nest && f->end[end->from - 1].nest == end->nest))
			continue;
		link = profile_add_link(p, &(struct link){ .kind = LINK_ASYNC,
							   .interval = INTERVAL_NONE,
							   .next = link });
		end->in = link;
	}
	return link;
}

void flows_added(struct flows *f, struct profile *p, uint32_t list)
{
	const struct interval *v = &p->interval[p->nr_interval - 1];

	for (; list; list = f->end[list - 1].next)
		if (f->end[list - 1].kind & FLOW_OUT)
			f->end[list - 1].out = profile_add_link(
				p, &(struct link){ .kind = LINK_ASYNC,
						   .thread = v->thread,
						   .stack = v->stack,
						   .interval = (uint32_t)p->nr_interval - 1 });
}

void flows_end(struct flows *f, struct profile *p, const thread_id *thread)
{
	for (size_t i = 0; i < f->nr; i++) {
		const struct flow_end *end = &f->end[i], *from;
		struct link *l = &p->link[end->in.i];

		if (!end->in.i)
			continue;
		from = &f->end[end->from - 1];
		/* If the outgoing end is outside of all slices, only its thread is known. */
		l->thread = thread[from->track];
		if (!from->out.i)
			continue;
		l->stack = p->link[from->out.i].stack;
		l->interval = p->link[from->out.i].interval;
	}
}
