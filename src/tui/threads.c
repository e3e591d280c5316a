#include "tui/threads.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { TIMED_MAX = 1000 }; /* threads that have slices: nobody scrolls further */

static int by_sum(const void *a, const void *b)
{
	const struct thread_row *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void add_counts(struct threads *t, const struct model *m)
{
	const struct profile *p = m->o.p;

	for (size_t i = 0; i < p->nr_count; i++)
		t->row[p->count[i].thread.i].sum += model_count(m, &p->count[i]);
}

static size_t slice_of(const struct threads *t, uint64_t time)
{
	double share = (double)(time - t->begin) / ((double)(t->end - t->begin) + 1);

	return (size_t)(share * THREAD_SLICES);
}

/* By thread: its row + 1; 0: it has no slices. */
static uint32_t *rows_of_threads(struct threads *t, const struct model *m)
{
	uint32_t *row = xcalloc(m->o.p->nr_thread, sizeof(*row));

	for (size_t i = 0; i < t->nr && i < TIMED_MAX; i++) {
		row[t->row[i].thread] = (uint32_t)i + 1;
		t->row[i].slice = xcalloc(THREAD_SLICES, sizeof(*t->row[i].slice));
	}
	return row;
}

static uint64_t first_time(const struct profile *p)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < p->nr_tick; i++)
		if (profile_ticks_timed(p, p->tick[i].event) && p->tick[i].time < first)
			first = p->tick[i].time;
	return first;
}

/* Only if samples have times: ticks may have just an order. */
static void add_ticks(struct threads *t, const struct model *m, const struct profile *whole)
{
	const struct profile *p = m->o.p;
	uint32_t *row;

	t->begin = first_time(p);
	if (t->begin == UINT64_MAX) {
		t->begin = 0;
		return;
	}
	t->zero = first_time(whole);
	for (size_t i = 0; i < p->nr_tick; i++)
		if (profile_ticks_timed(p, p->tick[i].event) && p->tick[i].time > t->end)
			t->end = p->tick[i].time;
	row = rows_of_threads(t, m);
	t->all = xcalloc(THREAD_SLICES, sizeof(*t->all));
	for (size_t i = 0; i < p->nr_tick; i++) {
		const struct tick *k = &p->tick[i];
		double took = (double)model_tick(m, k);
		size_t slice;

		if (!profile_ticks_timed(p, k->event))
			continue;
		slice = slice_of(t, k->time);
		t->all[slice] += took;
		if (row[k->thread.i])
			t->row[row[k->thread.i] - 1].slice[slice] += took;
	}
	free(row);
}

void threads_init(struct threads *t, const struct model *m, const struct profile *whole)
{
	const struct profile *p = m->o.p;

	*t = (struct threads){ .nr = p->nr_thread };
	t->row = xcalloc(p->nr_thread, sizeof(*t->row));
	for (size_t i = 0; i < p->nr_thread; i++)
		t->row[i].thread = (uint32_t)i;
	add_counts(t, m);
	qsort(t->row, t->nr, sizeof(*t->row), by_sum);
	/* Threads without samples are not listed. */
	while (t->nr && t->row[t->nr - 1].sum <= 0)
		t->nr--;
	add_ticks(t, m, whole);
}

void threads_release(struct threads *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->row[i].slice);
	free(t->row);
	free(t->all);
	*t = (struct threads){ 0 };
}
