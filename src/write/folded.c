#include "write/folded.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "fold/tree.h"
#include "fold/walk.h"
#include "profile/spelling.h"
#include "write/writer.h"

#include <assert.h>
#include <stdlib.h>

struct folded {
	struct output *out;
	const struct folded_opts *o;
	struct strbuf path;
	size_t *end; /* by depth: the length of the path up to there */
	size_t cap_end;
	int scale; /* weights are multiples of 10^scale */
	size_t nr_line;
};

enum { NUMBER_SIZE = 64 };

/* The digits of a number, right-aligned in the buffer; returns where they begin. */
static char *digits_of(weight_sum value, char *end)
{
	__extension__ unsigned __int128 v = (unsigned __int128)value;

	if (value < 0)
		v = -v;
	/* 64-bit division is several times as fast, and almost always enough. */
	while (v > UINT64_MAX) {
		*--end = (char)('0' + (int)(v % 10));
		v /= 10;
	}
	for (uint64_t low = (uint64_t)v;; low /= 10) {
		*--end = (char)('0' + low % 10);
		if (low < 10)
			return end;
	}
}

/* Rounds half to even. */
static weight_sum rounded(weight_sum value, int scale)
{
	weight_sum one = 1, whole, twice;

	for (int s = scale; s < 0; s++)
		one *= 10;
	whole = value / one;
	twice = 2 * (value % one);
	if (twice > one || (twice == one && whole % 2))
		whole++;
	if (twice < -one || (twice == -one && whole % 2))
		whole--;
	return whole;
}

static void write_number(struct folded *w, weight_sum value, int scale)
{
	char buf[NUMBER_SIZE] = { 0 }, *end = buf + sizeof(buf), *at;
	size_t fraction;

	if (w->o->number == FOLDED_ROUNDED) {
		value = rounded(value, scale);
		scale = 0;
	}
	at = digits_of(value, end);
	fraction = scale < 0 ? (size_t)-scale : 0;
	while ((size_t)(end - at) <= fraction)
		*--at = '0';
	output_char(w->out, ' ');
	if (value < 0)
		output_char(w->out, '-');
	output_add(w->out, span_between(at, end - fraction));
	for (at = end - fraction; end > at && (end[-1] == '0' || w->o->number == FOLDED_WHOLE);)
		end--;
	if (end > at) {
		output_char(w->out, '.');
		output_add(w->out, span_between(at, end));
	} else if (w->o->number == FOLDED_POINT) {
		output_add(w->out, SPAN(".0"));
	}
}

/* Are all weights 0 when written without their fractions? */
static bool is_nothing(const struct folded *w, const weight_sum *sum)
{
	for (size_t k = 0; k < w->o->nr_column; k++) {
		weight_sum value = sum[k];

		for (int i = w->o->samples ? 0 : w->scale; i < 0; i++)
			value /= 10;
		if (value)
			return false;
	}
	return true;
}

static void write_line(struct folded *w, struct span path, const weight_sum *sum)
{
	if (w->o->number == FOLDED_WHOLE && is_nothing(w, sum))
		return;
	output_add(w->out, path);
	for (size_t k = 0; k < w->o->nr_column; k++)
		write_number(w, sum[k], w->o->samples ? 0 : w->scale);
	output_char(w->out, '\n');
	w->nr_line++;
}

struct sorted {
	struct folded *w;
	const struct labels *labels;
};

/* The path keeps the prefix shared with the previous line. */
static void write_tree_line(void *arg, const struct tree_path *path, const struct tree_line *line)
{
	const struct sorted *s = arg;
	struct folded *w = s->w;

	if (path->nr > w->cap_end) {
		w->cap_end = path->nr * 2;
		w->end = xreallocarray(w->end, w->cap_end, sizeof(*w->end));
	}
	w->path.size = path->shared ? w->end[path->shared - 1] : 0;
	/* Prefetches all names first: the CPU does not speculate past a copy of unknown size. */
	for (size_t i = path->shared; i < path->nr; i++)
		labels_fetch(s->labels, path->label[i]);
	for (size_t i = path->shared; i < path->nr; i++) {
		struct span name = labels_peek(s->labels, path->label[i]);

		strbuf_reserve(&w->path, name.size + 1);
		if (i)
			w->path.at[w->path.size++] = ';';
		if (name.size)
			memcpy(w->path.at + w->path.size, name.at, name.size);
		w->path.size += name.size;
		w->end[i] = w->path.size;
	}
	/* An empty stack without a thread has no line. */
	if (path->nr)
		write_line(w, strbuf_peek(&w->path), line->sum);
}

static void write_sorted(struct folded *w, const struct profile *p)
{
	struct tree_opts to = { .spelling = w->o->spelling,
				.samples = w->o->samples,
				.nr_column = w->o->nr_column,
				.in = { w->o->in[0], w->o->in[1] },
				.reverse = w->o->reverse };
	struct tree t;
	struct sorted s = { .w = w, .labels = &t.labels };

	tree_build(&t, p, &to);
	tree_walk(&t, TREE_TEXT, write_tree_line, &s);
	tree_release(&t);
}

/* Appends the frames of a stack from the root. */
static void spell_stack(struct strbuf *path, const struct profile *p, stack_id stack,
			unsigned spelling)
{
	stack_id *at = NULL;
	size_t nr = 0, cap = 0;

	for (; stack.i; stack = p->stack[stack.i].caller) {
		GROW(at, nr, cap);
		at[nr++] = stack;
	}
	while (nr-- > 0) {
		frame_id f = p->stack[at[nr].i].frame;
		size_t nr_line = p->frame[f.i].nr_line ? p->frame[f.i].nr_line : 1;

		for (size_t line = nr_line; line-- > 0;) {
			if (path->size)
				strbuf_addch(path, ';');
			spelling_frame(path, p, f, line, spelling);
		}
	}
	free(at);
}

static void spell_path(struct strbuf *path, const struct profile *p, thread_id thread,
		       stack_id stack, unsigned spelling)
{
	strbuf_reset(path);
	spelling_thread(path, p, thread, spelling);
	spell_stack(path, p, stack, spelling);
}

static bool is_shown(const struct folded *w, uint32_t event)
{
	for (size_t k = 0; k < w->o->nr_column; k++)
		if (w->o->in[k][event])
			return true;
	return false;
}

static void write_in_order(struct folded *w, const struct profile *p)
{
	struct strbuf path = { 0 };

	for (size_t i = 0; i < p->nr_tick; i++) {
		const struct tick *t = &p->tick[i], *next = t + 1;
		weight_sum sum[TREE_COLUMNS] = { 0 };

		if (!is_shown(w, t->event))
			continue;
		for (size_t k = 0; k < w->o->nr_column; k++)
			if (w->o->in[k][t->event])
				sum[k] = w->o->samples
						 ? 1
						 : tree_weight(p, t->event, t->weight, w->scale);
		/* Joins the ticks of before and after that come from the same line. */
		if (w->o->nr_column == 2 && w->o->in[0][t->event] && i + 1 < p->nr_tick &&
		    w->o->in[1][next->event] && next->stack.i == t->stack.i &&
		    next->time == t->time) {
			sum[1] = w->o->samples
					 ? 1
					 : tree_weight(p, next->event, next->weight, w->scale);
			i++;
		}
		spell_path(&path, p, t->thread, t->stack, w->o->spelling);
		if (path.size)
			write_line(w, strbuf_peek(&path), sum);
	}
	strbuf_release(&path);
}

static void write_first_seen(struct folded *w, const struct profile *p)
{
	struct tree_line *row = xcalloc(p->nr_count, sizeof(*row));
	struct intern paths = { 0 };
	struct strbuf path = { 0 };

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		uint32_t n;

		if (!is_shown(w, c->event))
			continue;
		spell_path(&path, p, c->thread, c->stack, w->o->spelling);
		n = intern(&paths, strbuf_peek(&path));
		for (size_t k = 0; k < w->o->nr_column; k++)
			if (w->o->in[k][c->event])
				row[n].sum[k] += w->o->samples ? (weight_sum)c->nr
							       : tree_weight(p, c->event, c->weight,
									     w->scale);
	}
	for (uint32_t n = 0; n < paths.nr; n++)
		if (intern_peek(&paths, n).size)
			write_line(w, intern_peek(&paths, n), row[n].sum);
	intern_release(&paths);
	free(row);
	strbuf_release(&path);
}

size_t folded_write(struct output *out, const struct profile *p, const struct folded_opts *o)
{
	struct folded w = { .out = out, .o = o };

	assert(o->nr_column <= ARRAY_SIZE(o->in));
	for (size_t k = 0; k < o->nr_column; k++) {
		int scale = tree_scale(p, o->in[k]);

		w.scale = scale < w.scale ? scale : w.scale;
	}
	switch (o->order) {
	case FOLDED_SORTED:
		write_sorted(&w, p);
		break;
	case FOLDED_INPUT:
		write_in_order(&w, p);
		break;
	case FOLDED_FIRST:
		write_first_seen(&w, p);
		break;
	}
	strbuf_release(&w.path);
	free(w.end);
	return w.nr_line;
}

int folded_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct folded_opts o = { .spelling = what->spelling,
				 .reverse = what->reverse,
				 .samples = what->samples,
				 .nr_column = what->nr_column,
				 .in = { what->in[0], what->in[1] } };

	(void)e;
	folded_write(out, what->p, &o);
	return 0;
}
