/*
 * Intervals of one event and thread form a group, sorted by time: each begins soon after the
 * previous one ended, so both columns of times have small numbers.  Their low bytes are noise and
 * the others hardly vary, so each byte has a column of its own (a plane), which deflate compresses
 * best.  Columns with the default in all rows of a group (the weight is the time, one interval per
 * row, no labels) are not written.
 */
#include "pack/interval_rows.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

/* Which columns a group has besides times and stacks. */
enum mode {
	MODE_WEIGHTS = 1, /* else: the time, in ns */
	MODE_NUMBERS = 2, /* else: 1 */
	MODE_LABELS = 4,  /* else: none */
	MODE_LINKS = 8,	  /* else: none */
	MODE_ALL = 15,
};

/* Order */

struct comparison {
	const struct profile *p;
	const struct orders *o;
	const struct stack_rows *stacks;
};

enum part { BY_BEGIN_LOW, BY_BEGIN_HIGH, BY_THREAD, BY_EVENT, NR_PARTS };

static uint32_t part_of(const struct interval *v, const struct orders *o, enum part part)
{
	switch (part) {
	case BY_BEGIN_LOW:
		return (uint32_t)v->begin;
	case BY_BEGIN_HIGH:
		return (uint32_t)(v->begin >> 32);
	case BY_THREAD:
		return o->threads.number[v->thread.i];
	case BY_EVENT:
	case NR_PARTS:
		return v->event;
	}
	return 0;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Compares intervals of one thread that begin at the same time, for qsort_r(). */
static int by_rest(const void *a, const void *b, void *arg)
{
	const struct comparison *by = arg;
	uint32_t row[2] = { sort_what(*(const uint64_t *)a), sort_what(*(const uint64_t *)b) };
	const struct interval *v = &by->p->interval[row[0]], *w = &by->p->interval[row[1]];
	int order = compare_numbers(v->end, w->end);

	if (!order)
		order = compare_numbers(stack_rows_number(by->stacks, v->stack),
					stack_rows_number(by->stacks, w->stack));
	if (!order)
		order = compare_numbers(by->o->labels.number[v->labels.i],
					by->o->labels.number[w->labels.i]);
	if (!order)
		order = compare_numbers((uint64_t)v->weight, (uint64_t)w->weight);
	return order ? order : compare_numbers(row[0], row[1]);
}

static bool begin_together(const struct interval *a, const struct interval *b)
{
	return a->begin == b->begin && a->thread.i == b->thread.i && a->event == b->event;
}

/*
 * A radix sort by begin, thread and event, the least significant part first; a part that is already
 * sorted costs one pass.  Few intervals begin at the same time: qsort_r() sorts these.
 */
static uint64_t *sort_intervals(const struct profile *p, const struct orders *o,
				const struct stack_rows *stacks)
{
	uint64_t *key = xcalloc(p->nr_interval, sizeof(*key));
	struct comparison by = { p, o, stacks };
	size_t end;

	for (size_t i = 0; i < p->nr_interval; i++)
		key[i] = i;
	for (int part = 0; part < NR_PARTS; part++) {
		for (size_t i = 0; i < p->nr_interval; i++) {
			uint32_t row = sort_what(key[i]);

			key[i] = sort_key(part_of(&p->interval[row], o, (enum part)part), row);
		}
		sort_keys(key, p->nr_interval);
	}
	for (size_t i = 0; i < p->nr_interval; i = end) {
		const struct interval *first = &p->interval[sort_what(key[i])];

		end = i + 1;
		while (end < p->nr_interval &&
		       begin_together(first, &p->interval[sort_what(key[end])]))
			end++;
		if (end > i + 1)
			qsort_r(&key[i], end - i, sizeof(*key), by_rest, &by);
	}
	return key;
}

/* Numbers a link, and before it the following links of its list. */
static void number_link(struct interval_rows *r, const struct profile *p, uint32_t link)
{
	size_t nr = 0, cap = 0;
	uint32_t *list = NULL;

	for (; link && !r->link[link]; link = p->link[link].next.i) {
		GROW(list, nr, cap);
		list[nr++] = link;
	}
	while (nr) {
		r->link_row[r->nr_link] = list[--nr];
		r->link[list[nr]] = r->nr_link++;
	}
	free(list);
}

void interval_rows_init(struct interval_rows *r, const struct profile *p, const struct orders *o,
			const struct stack_rows *stacks)
{
	bool named = false;

	*r = (struct interval_rows){ .nr_link = 1 };
	if (!p->nr_interval)
		return;
	r->key = sort_intervals(p, o, stacks);
	r->link = xcalloc(p->nr_link, sizeof(*r->link));
	r->link_row = xcalloc(p->nr_link, sizeof(*r->link_row));
	for (size_t i = 0; i < p->nr_interval && p->nr_link > 1; i++)
		number_link(r, p, p->interval[sort_what(r->key[i])].link.i);
	for (uint32_t i = 1; i < r->nr_link; i++)
		named |= p->link[r->link_row[i]].interval != INTERVAL_NONE;
	if (!named)
		return;
	r->interval = xcalloc(p->nr_interval, sizeof(*r->interval));
	for (uint32_t i = 0; i < p->nr_interval; i++)
		r->interval[sort_what(r->key[i])] = i;
}

void interval_rows_release(struct interval_rows *r)
{
	free(r->key);
	free(r->link);
	free(r->link_row);
	free(r->interval);
	*r = (struct interval_rows){ 0 };
}

/* Writing */

void interval_rows_write_links(const struct interval_rows *r, const struct profile *p,
			       const struct orders *o, const struct stack_rows *stacks,
			       struct strbuf *out)
{
	if (r->nr_link == 1)
		return;
	bytes_add_varint(out, r->nr_link - 1);
	for (uint32_t i = 1; i < r->nr_link; i++)
		bytes_add_varint(out, p->link[r->link_row[i]].kind);
	for (uint32_t i = 1; i < r->nr_link; i++)
		bytes_add_varint(out, o->threads.number[p->link[r->link_row[i]].thread.i]);
	for (uint32_t i = 1; i < r->nr_link; i++)
		bytes_add_varint(out, stack_rows_number(stacks, p->link[r->link_row[i]].stack));
	for (uint32_t i = 1; i < r->nr_link; i++) {
		uint32_t interval = p->link[r->link_row[i]].interval;

		bytes_add_varint(
			out, interval == INTERVAL_NONE ? 0 : (uint64_t)r->interval[interval] + 1);
	}
	for (uint32_t i = 1; i < r->nr_link; i++)
		bytes_add_varint(out, r->link[p->link[r->link_row[i]].next.i]);
}

enum { PLANES_MAX = 8 };

/* A column of numbers as planes of bytes, the lowest first. */
struct planes {
	struct section byte[PLANES_MAX];
	unsigned nr;
};

/* The number of bytes of a number. */
static unsigned width_of(uint64_t v)
{
	return v ? (unsigned)(71 - __builtin_clzll(v)) / 8 : 0;
}

static void planes_add(struct planes *c, uint64_t v)
{
	for (unsigned i = 0; i < c->nr; i++) {
		strbuf_addch(&c->byte[i].body, (char)(v >> 8 * i));
		section_cut(&c->byte[i]);
	}
}

static void planes_append(struct planes *c, struct section *section)
{
	bytes_add_varint(&section->body, c->nr);
	for (unsigned i = 0; i < c->nr; i++)
		section_append(section, &c->byte[i]);
}

static uint64_t zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

struct writer {
	const struct interval_rows *r;
	const struct profile *p;
	const struct orders *o;
	const struct stack_rows *stacks;
	struct strbuf groups;
	size_t nr_group;
	uint64_t first; /* begin of the first interval of the previous group */
	uint64_t last;	/* end of the previous interval */
	struct planes begin, time;
	struct section stack, weight, nr, labels, link;
};

static const struct interval *interval_at(const struct writer *w, size_t i)
{
	return &w->p->interval[sort_what(w->r->key[i])];
}

/*
 * The time from the end of the previous interval; for the first of a group, from the begin of the
 * first interval of the previous group.
 */
static uint64_t gap_of(struct writer *w, const struct interval *v, bool is_first)
{
	uint64_t gap = zigzag((int64_t)(v->begin - (is_first ? w->first : w->last)));

	if (is_first)
		w->first = v->begin;
	w->last = v->end == INTERVAL_OPEN ? v->begin : v->end;
	return gap;
}

/* The duration plus 1; 0: it has no end. */
static uint64_t time_of(const struct interval *v)
{
	return v->end == INTERVAL_OPEN ? 0 : v->end - v->begin + 1;
}

static unsigned mode_of(const struct interval *v)
{
	return (v->weight < 0 || (uint64_t)v->weight != v->end - v->begin ? MODE_WEIGHTS : 0) |
	       (v->nr != 1 ? MODE_NUMBERS : 0) | (v->labels.i ? MODE_LABELS : 0) |
	       (v->link.i ? MODE_LINKS : 0);
}

/* Writes the rows from `begin` up to `end`: one group. */
static void write_group(struct writer *w, size_t begin, size_t end)
{
	const struct interval *first = interval_at(w, begin);
	unsigned mode = 0;

	for (size_t i = begin; i < end; i++)
		mode |= mode_of(interval_at(w, i));
	for (size_t i = begin; i < end; i++) {
		const struct interval *v = interval_at(w, i);

		planes_add(&w->begin, gap_of(w, v, i == begin));
		planes_add(&w->time, time_of(v));
		bytes_add_varint(&w->stack.body, stack_rows_number(w->stacks, v->stack));
		if (mode & MODE_WEIGHTS)
			bytes_add_signed(&w->weight.body, v->weight);
		if (mode & MODE_NUMBERS)
			bytes_add_varint(&w->nr.body, v->nr);
		if (mode & MODE_LABELS)
			bytes_add_varint(&w->labels.body, w->o->labels.number[v->labels.i]);
		if (mode & MODE_LINKS)
			bytes_add_varint(&w->link.body, w->r->link[v->link.i]);
		section_cut(&w->stack);
		section_cut(&w->weight);
		section_cut(&w->labels);
		section_cut(&w->link);
	}
	bytes_add_varint(&w->groups, first->event);
	bytes_add_varint(&w->groups, w->o->threads.number[first->thread.i]);
	bytes_add_varint(&w->groups, mode);
	bytes_add_varint(&w->groups, end - begin);
	w->nr_group++;
}

static bool same_group(const struct interval *a, const struct interval *b)
{
	return a->event == b->event && a->thread.i == b->thread.i;
}

/* Finds the number of planes of the times. */
static void measure(struct writer *w)
{
	uint64_t begin = 0, time = 0;

	for (size_t i = 0; i < w->p->nr_interval; i++) {
		const struct interval *v = interval_at(w, i);

		begin |= gap_of(w, v, !i || !same_group(interval_at(w, i - 1), v));
		time |= time_of(v);
	}
	w->begin.nr = width_of(begin);
	w->time.nr = width_of(time);
	w->first = w->last = 0;
}

void interval_rows_write(const struct interval_rows *r, const struct profile *p,
			 const struct orders *o, const struct stack_rows *stacks,
			 struct section *section)
{
	struct writer w = { .r = r, .p = p, .o = o, .stacks = stacks };
	struct section *column[] = { &w.stack, &w.weight, &w.nr, &w.labels, &w.link };

	if (!p->nr_interval)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(column); i++)
		column[i]->expected = p->nr_interval;
	for (size_t i = 0; i < PLANES_MAX; i++)
		w.begin.byte[i].expected = w.time.byte[i].expected = p->nr_interval;
	measure(&w);
	for (size_t i = 0, begin = 0; i < p->nr_interval; i++) {
		if (i + 1 < p->nr_interval &&
		    same_group(interval_at(&w, i), interval_at(&w, i + 1)))
			continue;
		write_group(&w, begin, i + 1);
		begin = i + 1;
	}
	bytes_add_varint(&section->body, p->max_interval);
	bytes_add_varint(&section->body, p->interval_quantum);
	bytes_add_varint(&section->body, w.nr_group);
	strbuf_add(&section->body, strbuf_peek(&w.groups));
	strbuf_release(&w.groups);
	planes_append(&w.begin, section);
	planes_append(&w.time, section);
	for (size_t i = 0; i < ARRAY_SIZE(column); i++)
		section_append(section, column[i]);
}

/* Reading */

int interval_rows_read_links(struct profile *p, struct bytes *b, struct error *e)
{
	size_t nr = bytes_count(b);
	struct bytes kind = bytes_column(b, nr), thread = bytes_column(b, nr),
		     stack = bytes_column(b, nr), interval = bytes_column(b, nr),
		     next = bytes_column(b, nr);

	if (nr >= PROFILE_MAX_ROWS)
		return section_wrong(e, "too many links");
	for (size_t i = 0; i < nr; i++) {
		struct link l = { .kind = (enum link_kind)bytes_upto(&kind, LINK_ASYNC),
				  .thread = { section_handle(&thread, p->nr_thread) },
				  .stack = { section_handle(&stack, p->nr_stack) },
				  /* 0 - 1 is INTERVAL_NONE. */
				  .interval = (uint32_t)bytes_upto(&interval, UINT32_MAX) - 1,
				  .next = { section_handle(&next, i + 1) } };

		if (kind.failed || thread.failed || stack.failed || interval.failed || next.failed)
			return section_cut_short(e);
		/*
		 * Without profile_link(): equal rows must not be merged, as rows are referred to by
		 * number.
		 */
		GROW(p->link, p->nr_link, p->cap_link);
		p->link[p->nr_link++] = l;
	}
	return b->failed ? section_cut_short(e) : 0;
}

bool interval_rows_complete(const struct profile *p)
{
	for (size_t i = 1; i < p->nr_link; i++)
		if (p->link[i].interval != INTERVAL_NONE && p->link[i].interval >= p->nr_interval)
			return false;
	return true;
}

struct group {
	uint64_t event, thread, mode;
	size_t nr;
};

static struct group next_group(const struct profile *p, struct bytes *b)
{
	struct group g = { .event = section_handle(b, p->nr_event) };

	g.thread = section_handle(b, p->nr_thread);
	g.mode = bytes_upto(b, MODE_ALL);
	g.nr = bytes_count(b);
	return g;
}

/* The planes of a column, each as long as the column. */
struct planes_view {
	const unsigned char *byte[PLANES_MAX];
	unsigned nr;
};

static struct planes_view read_planes(struct bytes *b, uint64_t rows)
{
	struct planes_view c = { .nr = (unsigned)bytes_upto(b, PLANES_MAX) };

	for (unsigned i = 0; i < c.nr; i++)
		c.byte[i] = (const unsigned char *)bytes_take(b, rows).at;
	return c;
}

static uint64_t planes_at(const struct planes_view *c, size_t row)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < c->nr; i++)
		v |= (uint64_t)c->byte[i][row] << 8 * i;
	return v;
}

struct interval_columns {
	struct planes_view begin, time;
	size_t row; /* the next row of both */
	struct bytes stack, weight, nr, labels, link;
	/* The remainders of rows that stand for more intervals than a row of the profile can */
	struct rest {
		struct interval v;
		uint64_t nr;
	} * rest;
	size_t nr_rest, cap_rest;
};

/*
 * Limit of rows for remainders: they only add to the number of intervals, which is not worth more
 * memory.
 */
enum { RESTS_MAX = 1 << 20 };

/* Links refer to rows by number, so remainders become rows after all others, with weight 0. */
static void add_rest(struct interval_columns *c, const struct interval *v, uint64_t nr)
{
	GROW(c->rest, c->nr_rest, c->cap_rest);
	c->rest[c->nr_rest] = (struct rest){ .v = *v, .nr = nr };
	c->rest[c->nr_rest++].v.weight = 0;
}

static void append_rest(struct profile *p, struct interval_columns *c)
{
	size_t end = p->nr_interval + RESTS_MAX;

	for (size_t i = 0; i < c->nr_rest; i++) {
		struct rest *rest = &c->rest[i];

		for (; rest->nr && p->nr_interval < end; rest->nr -= rest->v.nr) {
			rest->v.nr = rest->nr < UINT16_MAX ? (uint16_t)rest->nr : UINT16_MAX;
			GROW(p->interval, p->nr_interval, p->cap_interval);
			p->interval[p->nr_interval++] = rest->v;
		}
	}
}

static bool any_failed(const struct interval_columns *c)
{
	return c->stack.failed || c->weight.failed || c->nr.failed || c->labels.failed ||
	       c->link.failed;
}

static int read_group(struct profile *p, const struct group *g, struct interval_columns *c,
		      uint64_t *first, struct error *e)
{
	uint64_t last = *first;

	for (size_t i = 0; i < g->nr; i++, c->row++) {
		uint64_t gap = planes_at(&c->begin, c->row), time = planes_at(&c->time, c->row);
		struct interval v = { .event = (uint16_t)g->event,
				      .thread = { (uint32_t)g->thread } };
		uint64_t nr = 1;

		v.begin = last + (gap >> 1 ^ (0 - (gap & 1)));
		v.stack.i = section_handle(&c->stack, p->nr_stack);
		v.end = time ? v.begin + time - 1 : INTERVAL_OPEN;
		v.weight = g->mode & MODE_WEIGHTS ? bytes_signed(&c->weight)
						  : (int64_t)(v.end - v.begin);
		if (g->mode & MODE_NUMBERS)
			nr = bytes_upto(&c->nr, UINT32_MAX);
		if (g->mode & MODE_LABELS)
			v.labels.i = section_handle(&c->labels, p->nr_labels);
		if (g->mode & MODE_LINKS)
			v.link.i = section_handle(&c->link, p->nr_link);
		v.nr = nr < UINT16_MAX ? (uint16_t)nr : UINT16_MAX;
		if (any_failed(c) || v.end < v.begin || !v.nr)
			return section_cut_short(e);
		if (nr > v.nr)
			add_rest(c, &v, nr - v.nr);
		GROW(p->interval, p->nr_interval, p->cap_interval);
		p->interval[p->nr_interval++] = v;
		if (!i)
			*first = v.begin;
		last = time ? v.end : v.begin;
	}
	return 0;
}

/* More than fit into memory, but small enough that twice the number does not overflow. */
#define INTERVALS_MAX ((uint64_t)1 << 40)

static int read_rows(struct profile *p, struct bytes groups, size_t nr, struct interval_columns *c,
		     struct error *e)
{
	uint64_t first = 0;

	for (size_t i = 0; i < nr; i++) {
		struct group g = next_group(p, &groups);

		if (read_group(p, &g, c, &first, e))
			return -1;
	}
	return profile_intervals_add_up(p)
		       ? 0
		       : section_wrong(e, "intervals do not add up to the counts");
}

int interval_rows_read(struct profile *p, struct bytes *b, struct error *e)
{
	uint64_t max = bytes_upto(b, INTERVALS_MAX), quantum = bytes_varint(b);
	size_t nr = bytes_count(b);
	struct bytes groups = *b;
	uint64_t rows = 0, weights = 0, numbers = 0, labels = 0, links = 0;
	struct interval_columns c = { 0 };

	if (nr && !p->nr_event)
		return section_cut_short(e);
	for (size_t i = 0; i < nr; i++) {
		struct group g = next_group(p, b);

		rows += g.nr;
		weights += g.mode & MODE_WEIGHTS ? g.nr : 0;
		numbers += g.mode & MODE_NUMBERS ? g.nr : 0;
		labels += g.mode & MODE_LABELS ? g.nr : 0;
		links += g.mode & MODE_LINKS ? g.nr : 0;
		if (b->failed || rows > bytes_left(b))
			return section_cut_short(e);
	}
	p->has_intervals |= rows > 0;
	c.begin = read_planes(b, rows);
	c.time = read_planes(b, rows);
	c.stack = bytes_column(b, (size_t)rows);
	c.weight = bytes_column(b, (size_t)weights);
	c.nr = bytes_column(b, (size_t)numbers);
	c.labels = bytes_column(b, (size_t)labels);
	c.link = bytes_column(b, (size_t)links);
	if (b->failed)
		return section_cut_short(e);
	if (!max || rows > max || rows >= PROFILE_MAX_ROWS || !quantum)
		return section_wrong(e, "more intervals than declared");
	if (read_rows(p, groups, nr, &c, e)) {
		p->nr_interval = 0;
		free(c.rest);
		return -1;
	}
	append_rest(p, &c);
	free(c.rest);
	profile_keep_intervals(p, (size_t)(p->nr_interval > max ? p->nr_interval : max));
	p->interval_quantum = quantum;
	return 0;
}
