#include "cmd/report/report_locks.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/legible.h"
#include "base/utf8.h"
#include "fold/sums.h"
#include "render/number.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Limits of the text: locks, stacks of each lock, and frames of each stack. */
	LOCKS = 10,
	STACKS = 3,
	FRAMES = 8,
};

/* Time of waits for a lock: all of it by the waiters' stacks, and the known part by holders. */
enum side { SIDE_WAITERS, SIDE_HOLDERS, NR_SIDES };

struct part {
	str_id lock;
	enum side side;
	thread_id thread; /* the holder; 0 for waiters, whose stacks are added up */
	stack_id stack;
	weight_sum weight, of_lock; /* of_lock: that of all waiters of the lock */
	struct strbuf line;	    /* text reports: the holder and its stack, or the waiters' */
};

struct parts {
	struct part *at;
	size_t nr, cap;
};

static void add_part(struct parts *l, const struct part *part)
{
	if (!part->lock.i)
		return;
	GROW(l->at, l->nr, l->cap);
	l->at[l->nr++] = *part;
}

static void collect(const struct report *r, struct parts *l)
{
	const struct profile *p = r->p;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		struct part part = { .lock = sum_label(p, c->labels, "lock"), .stack = c->stack };

		part.weight = tree_weight(p, c->event, c->weight, r->scale);
		if (r->in[c->event])
			add_part(l, &part);
	}
	for (size_t i = 0; i < p->nr_interval; i++) {
		const struct interval *v = &p->interval[i];
		struct part part = { .lock = sum_label(p, v->labels, "lock"),
				     .side = SIDE_HOLDERS };
		link_id at = r->in[v->event] ? v->link : (link_id){ 0 };

		while (at.i && p->link[at.i].kind != LINK_HOLDER)
			at = p->link[at.i].next;
		part.thread = p->link[at.i].thread;
		part.stack = p->link[at.i].stack;
		part.weight = tree_weight(p, v->event, v->weight, r->scale);
		if (at.i)
			add_part(l, &part);
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_what(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = compare(x->lock.i, y->lock.i);

	if (!order)
		order = compare(x->side, y->side);
	if (!order)
		order = compare(x->thread.i, y->thread.i);
	return order ? order : compare(x->stack.i, y->stack.i);
}

/* Stacks that differ in call sites or in kernel frames look the same in a line of text. */
static int by_line(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = compare(x->lock.i, y->lock.i);

	if (!order)
		order = compare(x->side, y->side);
	return order ? order : strcmp(x->line.at, y->line.at);
}

/* The largest lock first; for each lock, waiters before holders, the largest first. */
static int by_weight(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = 0;

	if (x->of_lock != y->of_lock)
		return x->of_lock > y->of_lock ? -1 : 1;
	if (x->lock.i == y->lock.i && x->side == y->side && x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	order = compare(x->lock.i, y->lock.i);
	return order ? order : by_what(a, b);
}

/* Adds up parts that are equal by a comparison. */
static void merge_parts(struct parts *l, int (*by)(const void *, const void *))
{
	size_t kept = 0;

	if (!l->nr)
		return;
	qsort(l->at, l->nr, sizeof(*l->at), by);
	for (size_t i = 1; i < l->nr; i++) {
		if (by(&l->at[kept], &l->at[i])) {
			l->at[++kept] = l->at[i];
		} else {
			l->at[kept].weight += l->at[i].weight;
			strbuf_release(&l->at[i].line);
		}
	}
	l->nr = kept + 1;
}

static void order_parts(struct parts *l)
{
	if (!l->nr)
		return;
	for (size_t i = 0, first; i < l->nr;) {
		weight_sum all = 0;

		for (first = i; i < l->nr && l->at[i].lock.i == l->at[first].lock.i; i++)
			all += l->at[i].side == SIDE_WAITERS ? l->at[i].weight : 0;
		for (; first < i; first++)
			l->at[first].of_lock = all;
	}
	qsort(l->at, l->nr, sizeof(*l->at), by_weight);
}

/* Calls a function for each name of a stack, from the leaf, until it returns false. */
typedef bool visit_name(void *arg, struct span name);

enum which_frames { ALL_FRAMES, NO_KERNEL };

static void each_name(const struct report *r, stack_id at, enum which_frames which,
		      visit_name *visit, void *arg)
{
	const struct profile *p = r->p;
	struct strbuf name = { 0 };
	bool more = true;

	for (; at.i && more; at = p->stack[at.i].caller) {
		frame_id f = p->stack[at.i].frame;
		size_t nr = p->frame[f.i].nr_line;

		if (which == NO_KERNEL && p->frame[f.i].kind == FRAME_KERNEL)
			continue;
		for (size_t i = 0; i < (nr ? nr : 1) && more; i++) {
			strbuf_reset(&name);
			spelling_frame(&name, p, f, i, r->c->spelling & ~(unsigned)SPELL_AROUND);
			more = visit(arg, strbuf_peek(&name));
		}
	}
	strbuf_release(&name);
}

/* The stack of a waiter without its leaf, the reason. */
static stack_id stack_of(const struct report *r, const struct part *part)
{
	stack_id at = part->stack;

	return part->side == SIDE_WAITERS && at.i ? r->p->stack[at.i].caller : at;
}

static void add_thread(const struct report *r, const struct part *part, struct strbuf *out)
{
	spelling_thread(out, r->p, part->thread,
			SPELL_THREAD | SPELL_PID | SPELL_TID | SPELL_BLANKS);
}

/* Text */

struct names {
	struct strbuf *out;
	size_t nr;
};

static bool add_caller(void *arg, struct span name)
{
	struct names *l = arg;

	if (l->nr == FRAMES)
		strbuf_add(l->out, SPAN(" < …"));
	if (l->nr == FRAMES)
		return false;
	strbuf_add(l->out, l->nr++ ? SPAN(" < ") : SPAN(""));
	legible_add(l->out, name);
	return true;
}

static void add_weight(const struct report *r, const char *title, weight_sum weight,
		       struct strbuf *out)
{
	struct strbuf text = { 0 };
	size_t nr;

	number_add_count(&text, sum_value(weight, r->scale),
			 number_is_measured(r->unit) ? r->unit : SPAN(""));
	strbuf_addf(out, "  %-8s ", title);
	/* printf() would count bytes. */
	for (nr = utf8_length(strbuf_peek(&text)); nr < 8; nr++)
		strbuf_addch(out, ' ');
	strbuf_addf(out, "%s  ", text.at);
	strbuf_release(&text);
}

/* Does the stack contain code of the program? */
static bool has_code(const struct profile *p, stack_id at)
{
	for (; at.i; at = p->stack[at.i].caller) {
		enum frame_kind kind = p->frame[p->stack[at.i].frame.i].kind;

		if (kind != FRAME_KERNEL && kind != FRAME_LABEL)
			return true;
	}
	return false;
}

static void make_line(const struct report *r, struct part *part)
{
	struct names line = { .out = &part->line };
	struct strbuf thread = { 0 };
	stack_id at = stack_of(r, part);

	if (part->side == SIDE_HOLDERS) {
		add_thread(r, part, &thread);
		legible_add(line.out, strbuf_peek(&thread));
		strbuf_add(line.out, at.i ? SPAN(": ") : SPAN(", stack unknown"));
	}
	/* Kernel frames would take the space of the program's own. */
	each_name(r, at, has_code(r->p, at) ? NO_KERNEL : ALL_FRAMES, add_caller, &line);
	strbuf_addch(line.out, '\n');
	strbuf_release(&thread);
}

/* Writes the parts of one lock; returns the index of the first one after them. */
static size_t write_lock(const struct report *r, const struct parts *l, size_t first,
			 struct strbuf *out)
{
	static const char *const title[NR_SIDES] = { "waiting", "held by" };
	size_t nr[NR_SIDES] = { 0 }, i = first;
	weight_sum known = 0;

	strbuf_addch(out, '\n');
	legible_add(out, profile_peek(r->p, l->at[first].lock));
	strbuf_addch(out, '\n');
	for (; i < l->nr && l->at[i].lock.i == l->at[first].lock.i; i++) {
		const struct part *part = &l->at[i];

		if (part->side == SIDE_HOLDERS)
			known += part->weight;
		if (nr[part->side]++ >= STACKS)
			continue;
		add_weight(r, nr[part->side] == 1 ? title[part->side] : "", part->weight, out);
		strbuf_add(out, strbuf_peek(&part->line));
	}
	/* A lock without a known holder may never have one, such as a condition variable. */
	if (known < l->at[first].of_lock) {
		add_weight(r, nr[SIDE_HOLDERS] ? "" : "holder", l->at[first].of_lock - known, out);
		strbuf_add(out, nr[SIDE_HOLDERS] ? SPAN("holder unknown\n") : SPAN("none known\n"));
	}
	return i;
}

/* JSON */

static bool add_json_name(void *arg, struct span name)
{
	struct names *l = arg;

	strbuf_add(l->out, l->nr++ ? SPAN(", ") : SPAN(""));
	json_add_string(l->out, name);
	return true;
}

static void write_json_part(const struct report *r, const struct part *part, bool is_first,
			    struct strbuf *out)
{
	struct names line = { .out = out };
	struct strbuf thread = { 0 };

	strbuf_addf(out, "%s\n        {", is_first ? "" : ",");
	if (part->side == SIDE_HOLDERS) {
		add_thread(r, part, &thread);
		strbuf_add(out, SPAN("\"thread\": "));
		json_add_string(out, strbuf_peek(&thread));
		strbuf_add(out, SPAN(", "));
	}
	strbuf_add(out, SPAN("\"weight\": "));
	sum_add_digits(out, part->weight, r->scale);
	strbuf_add(out, SPAN(", \"stack\": ["));
	each_name(r, stack_of(r, part), ALL_FRAMES, add_json_name, &line);
	strbuf_add(out, SPAN("]}"));
	strbuf_release(&thread);
}

static size_t write_json_lock(const struct report *r, const struct parts *l, size_t first,
			      struct strbuf *out)
{
	static const char *const name[NR_SIDES] = { "waiters", "holders" };
	size_t i = first;

	strbuf_addf(out, "%s\n    {\"lock\": ", first ? "," : "");
	json_add_string(out, profile_peek(r->p, l->at[first].lock));
	for (int side = 0; side < NR_SIDES; side++) {
		size_t begin = i;

		strbuf_addf(out, ",\n      \"%s\": [", name[side]);
		for (; i < l->nr && l->at[i].lock.i == l->at[first].lock.i &&
		       (int)l->at[i].side == side;
		     i++)
			write_json_part(r, &l->at[i], i == begin, out);
		strbuf_add(out, SPAN("]"));
	}
	strbuf_add(out, SPAN("}"));
	return i;
}

void report_locks_write(const struct report *r, struct strbuf *out)
{
	bool json = r->format == REPORT_JSON;
	struct parts l = { 0 };

	collect(r, &l);
	merge_parts(&l, by_what);
	for (size_t i = 0; i < l.nr && !json; i++)
		make_line(r, &l.at[i]);
	if (!json)
		merge_parts(&l, by_line);
	order_parts(&l);
	if (json)
		strbuf_add(out, SPAN("  \"locks\": ["));
	for (size_t i = 0, nr = 0; i < l.nr && (json || nr < LOCKS); nr++)
		i = json ? write_json_lock(r, &l, i, out) : write_lock(r, &l, i, out);
	if (json)
		strbuf_add(out, SPAN("\n  ],\n"));
	for (size_t i = 0; i < l.nr; i++)
		strbuf_release(&l.at[i].line);
	free(l.at);
}
