/*
 * Intervals are bounded.  When there are too many, the quantum of time grows, and intervals that begin
 * and end in the same quanta and are otherwise equal are merged into one, whose weight is less than its
 * duration.  Sums stay exact, only times get coarser.
 */
#include "profile/intervals.h"

#include "base/alloc.h"
#include "base/row_index.h"

#include <stdlib.h>

void profile_keep_intervals(struct profile *p, size_t max)
{
	p->max_interval = max;
	p->interval_quantum = 1;
}

void profile_drop_intervals(struct profile *p)
{
	free(p->interval);
	p->interval = NULL;
	p->nr_interval = p->cap_interval = p->max_interval = 0;
	p->nr_link = 1;
	free(p->link_index.slot);
	p->link_index = (struct row_index){ 0 };
}

bool *intervals_events(const struct profile *p)
{
	bool *has;

	if (!p->nr_interval)
		return NULL;
	has = xcalloc(p->nr_event, sizeof(*has));
	for (size_t i = 0; i < p->nr_interval; i++)
		has[p->interval[i].event] = true;
	return has;
}

bool profile_intervals_add_up(const struct profile *p)
{
	uint64_t *sum = xcalloc(p->nr_event, sizeof(*sum));
	bool *has = intervals_events(p), right = true;

	for (size_t i = 0; i < p->nr_count; i++)
		sum[p->count[i].event] += (uint64_t)p->count[i].weight;
	for (size_t i = 0; i < p->nr_interval; i++)
		sum[p->interval[i].event] -= (uint64_t)p->interval[i].weight;
	for (size_t i = 0; i < p->nr_event && has; i++)
		right &= !has[i] || !sum[i];
	free(sum);
	free(has);
	return right;
}

/* Links */

static uint32_t link_hash(const struct link *l)
{
	uint64_t h = row_mix((uint64_t)l->kind << 32 | l->thread.i,
			     (uint64_t)l->stack.i << 32 | l->interval);

	return (uint32_t)row_mix(h, l->next.i);
}

static bool same_link(const struct link *a, const struct link *b)
{
	return a->kind == b->kind && a->thread.i == b->thread.i && a->stack.i == b->stack.i &&
	       a->interval == b->interval && a->next.i == b->next.i;
}

static void index_links(struct profile *p)
{
	/* All rows: those from a pack and those of profile_add_link() are not in the index yet. */
	row_index_grow(&p->link_index, p->nr_link);
	for (size_t i = 0; i < p->nr_link; i++)
		row_index_put(&p->link_index, link_hash(&p->link[i]), i);
}

link_id profile_link(struct profile *p, const struct link *l)
{
	struct row_index *x = &p->link_index;
	uint32_t hash = link_hash(l), row, at;

	if (row_index_full(x, p->nr_link))
		index_links(p);
	FOR_EACH_ROW (row, at, x, hash)
		if (row && same_link(&p->link[row], l))
			return (link_id){ row };
	GROW(p->link, p->nr_link, p->cap_link);
	p->link[p->nr_link] = *l;
	x->slot[at] = row_index_slot(x, hash, p->nr_link);
	return (link_id){ (uint32_t)p->nr_link++ };
}

link_id profile_add_link(struct profile *p, const struct link *l)
{
	GROW(p->link, p->nr_link, p->cap_link);
	p->link[p->nr_link] = *l;
	return (link_id){ (uint32_t)p->nr_link++ };
}

static bool names_intervals(const struct profile *p)
{
	for (size_t i = 1; i < p->nr_link; i++)
		if (p->link[i].interval != INTERVAL_NONE)
			return true;
	return false;
}

/* Intervals were renumbered: to[old] is the new number.  Links that become equal stay separate rows. */
static void renumber(struct profile *p, const uint32_t *to)
{
	for (size_t i = 1; i < p->nr_link; i++)
		if (p->link[i].interval != INTERVAL_NONE)
			p->link[i].interval = to[p->link[i].interval];
	/* profile_link() rebuilds the index. */
	free(p->link_index.slot);
	p->link_index = (struct row_index){ 0 };
}

/* The limit */

/* Slots for the rows kept last, by a hash of what merged rows have in common.  A collision only misses a merge. */
enum { RECENT = 1 << 16 };

static uint32_t merge_slot(const struct profile *p, const struct interval *v)
{
	uint64_t h = row_mix((uint64_t)v->stack.i << 32 | v->thread.i,
			     v->begin / p->interval_quantum ^ v->end / p->interval_quantum << 20);

	return (uint32_t)row_mix(h, (uint64_t)v->labels.i << 32 | v->event) % RECENT;
}

static bool try_merge(const struct profile *p, struct interval *into, const struct interval *v)
{
	uint64_t q = p->interval_quantum;
	int64_t weight;
	uint16_t nr;

	if (into->event != v->event || into->thread.i != v->thread.i ||
	    into->stack.i != v->stack.i || into->labels.i != v->labels.i ||
	    into->link.i != v->link.i || into->begin / q != v->begin / q ||
	    into->end / q != v->end / q ||
	    __builtin_add_overflow(into->weight, v->weight, &weight) ||
	    __builtin_add_overflow(into->nr, v->nr, &nr))
		return false;
	into->weight = weight;
	into->nr = nr;
	if (v->begin < into->begin)
		into->begin = v->begin;
	if (v->end > into->end)
		into->end = v->end;
	return true;
}

static void merge_intervals(struct profile *p)
{
	uint32_t *to = names_intervals(p) ? xcalloc(p->nr_interval, sizeof(*to)) : NULL;
	uint32_t *recent = xcalloc(RECENT, sizeof(*recent)); /* 1 + row */
	size_t before = p->nr_interval, kept = 0;

	for (size_t i = 0; i < before; i++) {
		struct interval v = p->interval[i];
		uint32_t slot = merge_slot(p, &v), row = recent[slot];

		if (!row || !try_merge(p, &p->interval[row - 1], &v)) {
			p->interval[kept++] = v;
			row = recent[slot] = (uint32_t)kept;
		}
		if (to)
			to[i] = row - 1;
	}
	p->nr_interval = kept;
	if (to)
		renumber(p, to);
	if (kept < before)
		notes_add(&p->notes, NOTE_INTERVALS_COARSE, before - kept, 0, SPAN(""));
	free(recent);
	free(to);
}

static void make_room(struct profile *p)
{
	/* The newest intervals were not merged yet in the current quantum. */
	if (p->interval_quantum > 1)
		merge_intervals(p);
	while (p->nr_interval >= p->max_interval - p->max_interval / 4) {
		if (p->interval_quantum > UINT64_MAX / 4) {
			/* All are different: exceed the limit rather than lose one. */
			p->max_interval *= 2;
			continue;
		}
		p->interval_quantum *= 4;
		merge_intervals(p);
	}
}

static void append(struct profile *p, const struct interval *v)
{
	/* Grows to the limit and no further, since rows are merged there: doubling would take 1 GB. */
	if (p->nr_interval == p->cap_interval && p->cap_interval < p->max_interval &&
	    p->cap_interval * 2 > p->max_interval) {
		p->cap_interval = p->max_interval;
		p->interval = xreallocarray(p->interval, p->cap_interval, sizeof(*p->interval));
	}
	GROW(p->interval, p->nr_interval, p->cap_interval);
	p->interval[p->nr_interval++] = *v;
}

void profile_add_extent(struct profile *p, const struct interval *v)
{
	p->has_intervals = true;
	if (!p->max_interval)
		return;
	if (p->nr_interval >= p->max_interval)
		make_room(p);
	append(p, v);
}

int profile_add_interval(struct profile *p, const struct interval *v)
{
	struct count c = { .event = v->event,
			   .thread = v->thread,
			   .stack = v->stack,
			   .labels = v->labels,
			   .weight = v->weight,
			   .nr = v->nr };

	if (profile_add_count(p, &c))
		return -1;
	profile_add_extent(p, v);
	return 0;
}

void intervals_append(struct profile *into, const struct profile *from,
		      const struct interval_mapping *m)
{
	link_id *link = xcalloc(from->nr_link, sizeof(*link));
	size_t base = into->nr_interval;

	/* Links refer to intervals by row, so none may be merged before all are appended. */
	for (size_t i = 1; i < from->nr_link; i++) {
		struct link l = from->link[i];

		l.thread = m->thread[l.thread.i];
		l.stack = m->stack[l.stack.i];
		l.next = link[l.next.i];
		if (l.interval != INTERVAL_NONE)
			l.interval += (uint32_t)base;
		link[i] = profile_link(into, &l);
	}
	for (size_t i = 0; i < from->nr_interval; i++) {
		struct interval v = from->interval[i];

		v.weight *= m->factor ? m->factor[v.event] : 1;
		v.event = m->event ? (uint16_t)m->event[v.event] : v.event;
		v.thread = m->thread[v.thread.i];
		v.stack = m->stack[v.stack.i];
		v.labels = m->labels[v.labels.i];
		v.link = link[v.link.i];
		append(into, &v);
	}
	free(link);
	if (from->interval_quantum > into->interval_quantum)
		into->interval_quantum = from->interval_quantum;
	if (into->nr_interval > into->max_interval)
		make_room(into);
}

void profile_drop_partial_intervals(struct profile *p)
{
	uint64_t *sum = xcalloc(p->nr_event, sizeof(*sum));
	uint32_t *to = xcalloc(p->nr_interval, sizeof(*to));
	size_t before = p->nr_interval, kept = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		sum[p->count[i].event] += (uint64_t)p->count[i].weight;
	for (size_t i = 0; i < before; i++)
		sum[p->interval[i].event] -= (uint64_t)p->interval[i].weight;
	for (size_t i = 0; i < before; i++) {
		bool left = !sum[p->interval[i].event];

		to[i] = left ? (uint32_t)kept : INTERVAL_NONE;
		if (left)
			p->interval[kept++] = p->interval[i];
	}
	p->nr_interval = kept;
	renumber(p, to);
	notes_add(&p->notes, NOTE_INTERVALS_PARTIAL, before - kept, 0, SPAN(""));
	if (!kept)
		profile_drop_intervals(p);
	free(to);
	free(sum);
}

/* Time ranges, and new stacks */

static uint64_t overlap(const struct interval *v, const struct time_span *span)
{
	uint64_t begin = v->begin > span->begin ? v->begin : span->begin,
		 end = v->end < span->end ? v->end : span->end;

	return end > begin ? end - begin : 0;
}

/* Does the interval, which may be empty, begin in the range? */
static bool begins_in(const struct interval *v, const struct time_span *span)
{
	return v->begin >= span->begin && v->begin < span->end;
}

/* weight × part / whole, rounded so that consecutive parts add up to the weight; `before`: parts before this one. */
static int64_t share(int64_t weight, uint64_t before, uint64_t part, uint64_t whole)
{
	__extension__ typedef __int128 wide;

	if (!whole || part >= whole)
		return weight;
	return (int64_t)((wide)weight * (wide)(before + part) / (wide)whole -
			 (wide)weight * (wide)before / (wide)whole);
}

/* The time of the intervals directly nested in an interval: in all, before the range, and in it. */
struct nested {
	uint64_t inner, inner_before, inner_in_range;
};

static int by_nesting(const void *a, const void *b, void *arg)
{
	const struct profile *p = arg;
	const struct interval *x = &p->interval[*(const uint32_t *)a],
			      *y = &p->interval[*(const uint32_t *)b];

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->thread.i != y->thread.i)
		return x->thread.i < y->thread.i ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	/* The outer one first; of two equal ones, the one that was added first. */
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

/* By row: the time nested in it, for events with EXTENT_SELF.  To be freed. */
static struct nested *find_nested(struct profile *p, const struct time_span *span)
{
	struct nested *nested = xcalloc(p->nr_interval, sizeof(*nested));
	uint32_t *row = xcalloc(p->nr_interval, sizeof(*row)), *open;
	const struct time_span before = { .end = span->begin };
	size_t nr = 0, depth = 0;

	for (uint32_t i = 0; i < p->nr_interval; i++)
		if (p->event[p->interval[i].event].extent == EXTENT_SELF)
			row[nr++] = i;
	if (nr)
		qsort_r(row, nr, sizeof(*row), by_nesting, p);
	open = xcalloc(nr, sizeof(*open));
	for (size_t i = 0; i < nr; i++) {
		const struct interval *v = &p->interval[row[i]], *outer;

		while (depth) {
			outer = &p->interval[open[depth - 1]];
			if (outer->event == v->event && outer->thread.i == v->thread.i &&
			    outer->end > v->begin)
				break;
			depth--;
		}
		if (depth) {
			nested[open[depth - 1]].inner += v->end - v->begin;
			nested[open[depth - 1]].inner_before += overlap(v, &before);
			nested[open[depth - 1]].inner_in_range += overlap(v, span);
		}
		open[depth++] = row[i];
	}
	free(open);
	free(row);
	return nested;
}

/* Cuts an interval to the range; false: nothing of it is left. */
static bool cut(struct interval *v, enum extent extent, const struct nested *nested,
		const struct time_span *span)
{
	uint64_t all = v->end - v->begin, in = overlap(v, span), self = all - nested->inner,
		 self_in = in - nested->inner_in_range,
		 before = overlap(v, &(struct time_span){ .end = span->begin }),
		 self_before = before - nested->inner_before;

	if (extent == EXTENT_WHOLE)
		return begins_in(v, span);
	if (!in && !(v->begin == v->end && begins_in(v, span)))
		return false;
	/* Not for spans that overlap without being nested: their self time is unknown. */
	if (extent == EXTENT_SELF && self <= all && self_in <= in && self_before <= before &&
	    self_before + self_in <= self)
		v->weight = self       ? share(v->weight, self_before, self_in, self)
			    : in < all ? 0
				       : v->weight;
	else
		v->weight = share(v->weight, before, in, all);
	if (v->begin < span->begin)
		v->begin = span->begin;
	if (v->end > span->end)
		v->end = span->end;
	return true;
}

static bool stays(const struct recount *r, const struct interval *v)
{
	return (!r->thread || r->thread[v->thread.i]) && (!r->keep || r->keep[v->stack.i]);
}

void intervals_recount(struct profile *p, const struct recount *r)
{
	struct nested *nested = r->span ? find_nested(p, r->span) : NULL;
	uint32_t *to = xcalloc(p->nr_interval, sizeof(*to));
	size_t kept = 0;

	for (size_t i = 0; i < p->nr_interval; i++) {
		struct interval v = p->interval[i];
		bool left = stays(r, &v);

		if (left && r->span)
			left = cut(&v, p->event[v.event].extent, &nested[i], r->span);
		to[i] = left ? (uint32_t)kept : INTERVAL_NONE;
		if (!left)
			continue;
		if (r->stack)
			v.stack = r->stack[v.stack.i];
		if (r->as)
			v.thread = r->as[v.thread.i];
		p->interval[kept++] = v;
	}
	p->nr_interval = kept;
	for (size_t i = 1; r->stack && i < p->nr_link; i++)
		p->link[i].stack = r->stack[p->link[i].stack.i];
	for (size_t i = 1; r->as && i < p->nr_link; i++)
		p->link[i].thread = r->as[p->link[i].thread.i];
	renumber(p, to);
	free(to);
	free(nested);
}
