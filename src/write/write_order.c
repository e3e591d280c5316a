#include "write/writer.h"

#include "base/alloc.h"

#include <stdlib.h>

struct sorting {
	const struct profile *p;
	uint32_t first; /* event */
	bool by_thread;
};

/* A row number whose highest bits say which table it belongs to. */
enum { TABLE_SHIFT = 30, ROW_MASK = (1 << TABLE_SHIFT) - 1 };

static enum write_table table_of(uint32_t row)
{
	return (enum write_table)(row >> TABLE_SHIFT);
}

struct key {
	uint32_t event, thread;
	uint64_t time;
};

static struct key key_of(const struct profile *p, uint32_t row)
{
	uint32_t i = row & ROW_MASK;

	switch (table_of(row)) {
	case WRITE_TICKS:
		return (struct key){ p->tick[i].event, p->tick[i].thread.i, p->tick[i].time };
	case WRITE_INTERVALS:
		return (struct key){ p->interval[i].event, p->interval[i].thread.i,
				     p->interval[i].begin };
	case WRITE_COUNTS:
		break;
	}
	return (struct key){ p->count[i].event, p->count[i].thread.i, UINT64_MAX };
}

static struct write_sample tick_sample(const struct tick *t)
{
	return (struct write_sample){ .time = t->time,
				      .end = t->time,
				      .stack = t->stack,
				      .labels = t->labels,
				      .weight = t->weight,
				      .nr = 1 };
}

static struct write_sample interval_sample(const struct interval *v)
{
	return (struct write_sample){ .time = v->begin,
				      .end = v->end,
				      .stack = v->stack,
				      .labels = v->labels,
				      .weight = v->weight,
				      .nr = v->nr };
}

struct write_sample write_sample_at(const struct profile *p, enum write_table table, uint32_t row)
{
	const struct count *c;

	if (table == WRITE_TICKS)
		return tick_sample(&p->tick[row]);
	if (table == WRITE_INTERVALS)
		return interval_sample(&p->interval[row]);
	c = &p->count[row];
	return (struct write_sample){
		.stack = c->stack, .labels = c->labels, .weight = c->weight, .nr = c->nr
	};
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	struct key i = key_of(s->p, x), k = key_of(s->p, y);
	int order = 0;

	if (s->by_thread)
		order = compare(i.event == s->first ? 0 : (uint64_t)i.event + 1,
				k.event == s->first ? 0 : (uint64_t)k.event + 1);
	if (s->by_thread && !order)
		order = compare(i.thread, k.thread);
	if (!order)
		order = compare(i.time, k.time);
	return order ? order : compare(x, y);
}

/* By event: the table that has all of its samples, preferably one with times. */
static enum write_table *find_tables(const struct profile *p)
{
	__extension__ struct {
		__int128 tick, interval;
		bool has_tick, has_interval;
	} *gap = xcalloc(p->nr_event, sizeof(*gap));
	enum write_table *table = xcalloc(p->nr_event, sizeof(*table));

	for (size_t i = 0; i < p->nr_tick; i++) {
		if (!profile_ticks_timed(p, p->tick[i].event))
			continue;
		gap[p->tick[i].event].tick += p->tick[i].weight;
		gap[p->tick[i].event].has_tick = true;
	}
	for (size_t i = 0; i < p->nr_interval; i++) {
		gap[p->interval[i].event].interval += p->interval[i].weight;
		gap[p->interval[i].event].has_interval = true;
	}
	for (size_t i = 0; i < p->nr_count; i++) {
		gap[p->count[i].event].tick -= p->count[i].weight;
		gap[p->count[i].event].interval -= p->count[i].weight;
	}
	for (size_t i = 0; i < p->nr_event; i++) {
		bool measured = p->event[i].source == SOURCE_MEASURED;

		table[i] = WRITE_COUNTS;
		if (gap[i].has_interval && !gap[i].interval)
			table[i] = WRITE_INTERVALS;
		/*
		 * Measured events are better described by intervals, with a begin and an end;
		 * sampled ones by ticks.
		 */
		if (gap[i].has_tick && !gap[i].tick && !(table[i] == WRITE_INTERVALS && measured))
			table[i] = WRITE_TICKS;
	}
	free(gap);
	return table;
}

static void find_runs(struct write_order *o, const struct sorting *s, size_t nr)
{
	size_t cap = 0;

	o->run = NULL;
	o->nr_run = 0;
	for (size_t i = 0; i < nr; i++) {
		uint32_t row = o->row[i];
		struct key key = key_of(s->p, row);
		struct write_run *last = o->nr_run ? &o->run[o->nr_run - 1] : NULL;

		if (!last || last->event != key.event || last->thread.i != key.thread) {
			GROW(o->run, o->nr_run, cap);
			last = &o->run[o->nr_run++];
			*last = (struct write_run){ .event = key.event,
						    .thread = { key.thread },
						    .table = table_of(row),
						    .begin = i,
						    .end = i };
		}
		last->end++;
		o->row[i] = row & ROW_MASK;
	}
}

static bool is_written(const enum write_table *table, const bool *in, uint32_t event,
		       enum write_table of)
{
	return in[event] && table[event] == of;
}

void write_order_make(struct write_order *o, const struct write_what *what, const bool *in,
		      bool by_thread)
{
	const struct profile *p = what->p;
	enum write_table *table = find_tables(p);
	struct sorting s = { .p = p, .first = write_first_event(what, in), .by_thread = by_thread };
	size_t nr = 0;

	*o = (struct write_order){ 0 };
	o->row = xcalloc(p->nr_tick + p->nr_interval + p->nr_count + 1, sizeof(*o->row));
	for (uint32_t i = 0; i < p->nr_tick; i++)
		if (is_written(table, in, p->tick[i].event, WRITE_TICKS))
			o->row[nr++] = i | (uint32_t)WRITE_TICKS << TABLE_SHIFT;
	for (uint32_t i = 0; i < p->nr_interval; i++)
		if (is_written(table, in, p->interval[i].event, WRITE_INTERVALS))
			o->row[nr++] = i | (uint32_t)WRITE_INTERVALS << TABLE_SHIFT;
	for (uint32_t i = 0; i < p->nr_count; i++)
		if (is_written(table, in, p->count[i].event, WRITE_COUNTS))
			o->row[nr++] = i | (uint32_t)WRITE_COUNTS << TABLE_SHIFT;
	qsort_r(o->row, nr, sizeof(*o->row), compare_rows, &s);
	find_runs(o, &s, nr);
	free(table);
}

void write_order_release(struct write_order *o)
{
	free(o->row);
	free(o->run);
}

bool write_untimed(const struct profile *p)
{
	enum write_table *table = find_tables(p);
	bool untimed = false;

	for (size_t i = 0; i < p->nr_count && !untimed; i++)
		untimed = table[p->count[i].event] == WRITE_COUNTS;
	free(table);
	return untimed;
}

static int compare_intervals(const void *a, const void *b, void *arg)
{
	const struct interval *interval = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct interval *x = &interval[i], *y = &interval[k];
	int order = compare(x->event, y->event);

	if (!order)
		order = compare(x->thread.i, y->thread.i);
	if (!order)
		order = compare(x->begin, y->begin);
	if (!order)
		order = compare(y->end, x->end);
	return order ? order : compare(i, k);
}

uint32_t *write_spans(const struct profile *p, const bool *in, size_t *nr)
{
	uint32_t *row = xcalloc(p->nr_interval + 1, sizeof(*row));

	*nr = 0;
	for (uint32_t i = 0; i < p->nr_interval; i++)
		if (in[p->interval[i].event] && p->interval[i].end != INTERVAL_OPEN &&
		    p->event[p->interval[i].event].extent != EXTENT_WHOLE)
			row[(*nr)++] = i;
	qsort_r(row, *nr, sizeof(*row), compare_intervals, p->interval);
	return row;
}
