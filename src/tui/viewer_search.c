/* Searching: every box whose name matches the pattern is a hit. */
#include "base/alloc.h"
#include "tui/viewer.h"

#include <stdlib.h>

static void forget(struct viewer *v)
{
	free(v->hit);
	v->hit = NULL;
	v->theme.hit = NULL;
	v->found = 0;
}

/* Matches labels, which are far fewer than boxes. */
static void match_labels(struct viewer *v)
{
	const struct labels *l = model_labels(v->m);
	struct error e = ERROR_INIT;

	v->hit = xcalloc(l->nr, sizeof(*v->hit));
	for (uint32_t i = 0; i < l->nr; i++)
		if (pattern_match(v->pattern, labels_peek(l, i), &v->hit[i], &e)) {
			viewer_say(v, span_of(e.text));
			forget(v);
			return;
		}
	v->theme.hit = v->hit;
	v->found = (double)graph_sum(v->flame.g, v->hit);
}

void viewer_search_again(struct viewer *v)
{
	forget(v);
	if (v->pattern)
		match_labels(v);
}

void viewer_search(struct viewer *v)
{
	struct error e = ERROR_INIT;

	pattern_free(v->pattern);
	v->pattern = NULL;
	forget(v);
	strbuf_reset(&v->sought);
	strbuf_add(&v->sought, strbuf_peek(&v->line));
	if (!v->line.size)
		return;
	v->pattern = pattern_new(strbuf_peek(&v->line), &e);
	if (v->pattern)
		match_labels(v);
	else
		viewer_say(v, span_of(e.text));
}

static bool is_hit(const struct viewer *v, const struct box *b)
{
	return b->label < LAYOUT_MORE && v->hit[b->label];
}

/* Selects the next hit, row by row and from left to right, and wraps around. */
static void find_box(struct viewer *v, int step)
{
	const struct graph *g = v->flame.g;
	const struct box *b = graph_box(g, v->flame.selected);
	size_t nr = g->layout.nr, at = graph_from(g, b->depth, b->begin);

	for (size_t i = 0; i < nr; i++) {
		at = step > 0 ? (at + 1) % nr : (at + nr - 1) % nr;
		if (is_hit(v, graph_box(g, g->order[at]))) {
			icicle_select(&v->flame, g->order[at]);
			v->function = graph_box(g, g->order[at])->label;
			return;
		}
	}
}

static void find_row(struct viewer *v, int step)
{
	size_t nr = v->m->nr_top, at = v->table.selected;

	for (size_t i = 0; i < nr; i++) {
		at = step > 0 ? (at + 1) % nr : (at + nr - 1) % nr;
		if (v->hit[v->m->top[at].label]) {
			v->table.selected = at;
			viewer_choose(v, v->m->top[at].label);
			return;
		}
	}
}

void viewer_find_next(struct viewer *v, int step)
{
	if (!v->hit) {
		viewer_say(v, SPAN("no search: press / to start one"));
		return;
	}
	if (v->pane == PANE_TABLE)
		find_row(v, step);
	else
		find_box(v, step);
}
