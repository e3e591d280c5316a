#include "tui/threads.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

enum { TIMED_MAX = 1000 }; /* threads with slices; nobody scrolls further */

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

/* An entry of a strip: a sample at its time, or a wait or span for its duration. */
struct timed {
	uint64_t begin, end; /* end is exclusive */
	uint32_t thread;
	double weight;
};

typedef void timed_call(struct threads *t, const struct timed *v);

static struct timed of_tick(const struct model *m, const struct tick *k)
{
	return (struct timed){ .begin = k->time,
			       .end = k->time + 1,
			       .thread = k->thread.i,
			       .weight = (double)model_tick(m, k) };
}

/* An allocation counts at its begin, and so does an interval without an end. */
static struct timed of_interval(const struct model *m, const struct interval *v)
{
	const struct tick k = {
		.time = v->begin, .event = v->event, .thread = v->thread, .weight = v->weight
	};
	struct timed one = of_tick(m, &k);

	if (m->o.p->event[v->event].extent != EXTENT_WHOLE && v->end != INTERVAL_OPEN &&
	    v->end > v->begin)
		one.end = v->end;
	return one;
}

/*
 * Calls `call` for all intervals and ticks with times.  Skips ticks without times, and those of
 * events with intervals, which are the same samples.
 */
static void each_time(struct threads *t, const struct model *m, timed_call *call)
{
	const struct profile *p = m->o.p;
	bool *has_intervals = xcalloc(p->nr_event, sizeof(*has_intervals));
	struct timed one;

	for (size_t i = 0; i < p->nr_interval; i++) {
		has_intervals[p->interval[i].event] = true;
		one = of_interval(m, &p->interval[i]);
		call(t, &one);
	}
	for (size_t i = 0; i < p->nr_tick; i++) {
		const struct tick *k = &p->tick[i];

		if (!profile_ticks_timed(p, k->event) || has_intervals[k->event])
			continue;
		one = of_tick(m, k);
		call(t, &one);
	}
	free(has_intervals);
}

static void find_end(struct threads *t, const struct timed *v)
{
	if (v->end - 1 > t->end)
		t->end = v->end - 1;
}

static void add_slices(const struct threads *t, double *slice, const struct timed *v)
{
	double scale = THREAD_SLICES / ((double)(t->end - t->begin) + 1);
	double from = (double)(v->begin - t->begin) * scale,
	       to = (double)(v->end - t->begin) * scale;
	size_t i = (size_t)fmin(from, THREAD_SLICES - 1);

	if (to <= (double)i + 1) {
		slice[i] += v->weight;
		return;
	}
	for (; i < THREAD_SLICES && (double)i < to; i++)
		slice[i] +=
			v->weight * (fmin((double)i + 1, to) - fmax((double)i, from)) / (to - from);
}

static void add_time(struct threads *t, const struct timed *v)
{
	uint32_t row = t->row_of[v->thread];

	add_slices(t, t->all, v);
	if (row)
		add_slices(t, t->row[row - 1].slice, v);
}

/* Creates slices for the first threads; returns rows by thread (threads.row_of). */
static uint32_t *rows_of_threads(struct threads *t, const struct model *m)
{
	uint32_t *row = xcalloc(m->o.p->nr_thread, sizeof(*row));

	for (size_t i = 0; i < t->nr && i < TIMED_MAX; i++) {
		row[t->row[i].thread] = (uint32_t)i + 1;
		t->row[i].slice = xcalloc(THREAD_SLICES, sizeof(*t->row[i].slice));
	}
	return row;
}

static void add_times(struct threads *t, const struct model *m, const struct profile *whole)
{
	if (!profile_first_time(m->o.p, &t->begin) || !profile_first_time(whole, &t->zero))
		return;
	each_time(t, m, find_end);
	t->row_of = rows_of_threads(t, m);
	t->all = xcalloc(THREAD_SLICES, sizeof(*t->all));
	each_time(t, m, add_time);
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
	add_times(t, m, whole);
}

void threads_release(struct threads *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->row[i].slice);
	free(t->row);
	free(t->row_of);
	free(t->all);
	*t = (struct threads){ 0 };
}
