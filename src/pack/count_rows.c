/*
 * Rows with the same event, thread and labels form a group: what they share is written once.  Rows
 * of a group are sorted by stack, and each stack is written as the difference to the previous one,
 * mostly a single byte.
 */
#include "pack/count_rows.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

/* Writing */

struct writer {
	const struct profile *p;
	const struct orders *o;
	const struct stack_rows *stacks;
	uint64_t *key; /* rows, in the order in which they are written */
	struct strbuf groups;
	struct strbuf stack, weight, nr; /* columns: rows of all groups, one after the other */
};

enum part { BY_STACK, BY_LABELS, BY_THREAD, BY_EVENT, NR_PARTS };

static uint32_t part_of(const struct writer *w, const struct count *c, enum part part)
{
	switch (part) {
	case BY_STACK:
		return stack_rows_number(w->stacks, c->stack);
	case BY_LABELS:
		return w->o->labels.number[c->labels.i];
	case BY_THREAD:
		return w->o->threads.number[c->thread.i];
	case BY_EVENT:
	case NR_PARTS:
		return c->event;
	}
	return 0;
}

/* By event, thread, labels, stack: a radix sort, the least significant part first. */
static uint64_t *sort_counts(const struct writer *w)
{
	const struct profile *p = w->p;
	const size_t nr_row[NR_PARTS] = { p->nr_stack, p->nr_labels, p->nr_thread, p->nr_event };
	uint64_t *key = xcalloc(p->nr_count, sizeof(*key));

	for (size_t i = 0; i < p->nr_count; i++)
		key[i] = i;
	for (int part = 0; part < NR_PARTS; part++) {
		if (nr_row[part] == 1)
			continue;
		for (size_t i = 0; i < p->nr_count; i++) {
			uint32_t row = sort_what(key[i]);

			key[i] = sort_key(part_of(w, &p->count[row], (enum part)part), row);
		}
		sort_keys(key, p->nr_count);
	}
	return key;
}

static bool same_group(const struct count *a, const struct count *b)
{
	return a->event == b->event && a->thread.i == b->thread.i && a->labels.i == b->labels.i;
}

static const struct count *count_at(const struct writer *w, size_t i)
{
	return &w->p->count[sort_what(w->key[i])];
}

/* Writes the rows from `begin` up to `end`: one group. */
static void write_group(struct writer *w, size_t begin, size_t end)
{
	const struct count *first = count_at(w, begin);
	bool mode = false; /* numbers of samples are written: some weight differs from its number */
	uint32_t last = 0;

	for (size_t i = begin; i < end; i++) {
		const struct count *c = count_at(w, i);
		uint32_t stack = stack_rows_number(w->stacks, c->stack);

		bytes_add_varint(&w->stack, stack - last);
		bytes_add_signed(&w->weight, c->weight);
		mode |= c->weight < 0 || c->nr != (uint64_t)c->weight;
		last = stack;
	}
	for (size_t i = begin; i < end && mode; i++)
		bytes_add_varint(&w->nr, count_at(w, i)->nr);
	bytes_add_varint(&w->groups, first->event);
	bytes_add_varint(&w->groups, w->o->threads.number[first->thread.i]);
	bytes_add_varint(&w->groups, w->o->labels.number[first->labels.i]);
	bytes_add_varint(&w->groups, mode);
	bytes_add_varint(&w->groups, end - begin);
}

/* Appends a column to the output. */
static void flush(struct strbuf *from, struct strbuf *out)
{
	strbuf_add(out, strbuf_peek(from));
	strbuf_release(from);
}

void count_rows_write(const struct profile *p, const struct orders *o,
		      const struct stack_rows *stacks, struct strbuf *out)
{
	struct writer w = { .p = p, .o = o, .stacks = stacks };
	size_t nr_group = 0;

	w.key = sort_counts(&w);
	for (size_t i = 0, begin = 0; i < p->nr_count; i++) {
		if (i + 1 < p->nr_count && same_group(count_at(&w, i), count_at(&w, i + 1)))
			continue;
		write_group(&w, begin, i + 1);
		begin = i + 1;
		nr_group++;
	}
	free(w.key);
	if (nr_group)
		bytes_add_varint(out, nr_group);
	flush(&w.groups, out);
	flush(&w.stack, out);
	flush(&w.weight, out);
	flush(&w.nr, out);
}

/* Reading */

struct group {
	uint64_t event, thread, labels;
	uint64_t mode; /* 1: numbers of samples have a column; 0: they are the weights */
	size_t nr;     /* rows */
};

static struct group next_group(const struct profile *p, struct bytes *b)
{
	struct group g = { .event = bytes_varint(b), .thread = bytes_varint(b) };

	g.labels = bytes_varint(b);
	g.mode = bytes_upto(b, 1);
	g.nr = bytes_count(b);
	if (g.event >= p->nr_event || g.thread >= p->nr_thread || g.labels >= p->nr_labels)
		bytes_fail(b);
	return g;
}

static bool is_behind(const struct group *g, const struct group *last)
{
	if (g->event != last->event)
		return g->event > last->event;
	if (g->thread != last->thread)
		return g->thread > last->thread;
	return g->labels > last->labels;
}

struct count_columns {
	struct bytes stack, weight, nr;
};

static int read_group(struct profile *p, const struct group *g, struct count_columns *column,
		      struct error *e)
{
	struct count c = { .event = (uint32_t)g->event,
			   .thread = { (uint32_t)g->thread },
			   .labels = { (uint32_t)g->labels } };
	uint64_t stack = 0;

	for (size_t i = 0; i < g->nr; i++) {
		uint64_t step = bytes_upto(&column->stack, p->nr_stack - 1);

		stack += step;
		c.stack.i = (uint32_t)stack;
		c.weight = bytes_signed(&column->weight);
		c.nr = g->mode ? bytes_varint(&column->nr) : (uint64_t)c.weight;
		if (column->stack.failed || column->weight.failed || column->nr.failed ||
		    stack >= p->nr_stack)
			return section_cut_short(e);
		if (i && !step)
			return section_wrong(e, "duplicate count of a stack");
		if (!g->mode && c.weight < 0)
			return section_wrong(e, "negative number of samples");
		profile_add_count(p, &c);
	}
	return 0;
}

int count_rows_read(struct profile *p, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes groups = *b;
	struct count_columns column;
	uint64_t rows = 0, samples = 0;
	struct group last = { 0 };

	for (size_t i = 0; i < nr; i++) {
		struct group g = next_group(p, b);

		if (i && !b->failed && !is_behind(&g, &last))
			return section_wrong(e, "groups out of order");
		rows += g.nr;
		samples += g.mode ? g.nr : 0;
		if (b->failed || rows > bytes_left(b))
			return section_cut_short(e);
		last = g;
	}
	column.stack = bytes_column(b, (size_t)rows);
	column.weight = bytes_column(b, (size_t)rows);
	column.nr = bytes_column(b, (size_t)samples);
	if (b->failed)
		return section_cut_short(e);
	for (size_t i = 0; i < nr; i++) {
		struct group g = next_group(p, &groups);

		if (read_group(p, &g, &column, e))
			return -1;
	}
	return 0;
}
