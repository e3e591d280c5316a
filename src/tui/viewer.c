#include "tui/viewer.h"

#include "base/alloc.h"

#include <stdlib.h>

void viewer_init(struct viewer *v, struct model *m, const struct theme *theme, struct span title)
{
	*v = (struct viewer){ .m = m,
			      .base = m,
			      .theme = *theme,
			      .function = LAYOUT_ALL,
			      /* The reverse tree has very many siblings: the widest come first. */
			      .beside = { [MODEL_REVERSE] = MODEL_BY_WIDTH },
			      .click_x = -1,
			      .time_mark = -1 };
	strbuf_add(&v->title, title);
	v->theme.labels = model_labels(m);
	v->theme.color = m->color;
	v->theme.is_diff = m->o.nr_column == 2;
	icicle_init(&v->flame, viewer_graph(v, m));
	list_set(&v->table, m->nr_top);
	sandwich_init(&v->sandwich);
	v->listing.label = LAYOUT_ALL;
}

const struct graph *viewer_graph(struct viewer *v, struct model *m)
{
	return model_graph(m, v->direction, v->beside[v->direction]);
}

static void free_narrowed(struct narrowed *n)
{
	if (!n)
		return;
	model_release(&n->m);
	profile_release(&n->p);
	free(n);
}

/* Releases everything derived from the current model. */
static void forget(struct viewer *v)
{
	sandwich_empty(&v->sandwich);
	listing_empty(&v->listing);
	if (v->has_threads)
		threads_release(&v->threads);
	v->has_threads = false;
}

void viewer_release(struct viewer *v)
{
	forget(v);
	narrow_release(&v->narrow);
	free_narrowed(v->narrowed);
	icicle_release(&v->flame);
	pattern_free(v->pattern);
	free(v->hit);
	strbuf_release(&v->title);
	strbuf_release(&v->sought);
	strbuf_release(&v->line);
	strbuf_release(&v->message);
	strbuf_release(&v->said);
}

void viewer_say(struct viewer *v, struct span message)
{
	strbuf_reset(&v->message);
	strbuf_add(&v->message, message);
}

/* The widest box of a function. */
static uint32_t find_box(const struct graph *g, uint32_t label)
{
	uint32_t widest = GRAPH_NONE;
	weight_sum width = 0;

	for (size_t i = 0; i < g->layout.nr; i++) {
		const struct box *b = graph_box(g, g->order[i]);

		if (b->label == label && b->end - b->begin > width) {
			width = b->end - b->begin;
			widest = g->order[i];
		}
	}
	return widest;
}

void viewer_choose(struct viewer *v, uint32_t label)
{
	uint32_t box;
	size_t row;

	v->function = label;
	if (label >= LAYOUT_MORE)
		return;
	if (graph_box(v->flame.g, v->flame.selected)->label != label) {
		box = find_box(v->flame.g, label);
		if (box != GRAPH_NONE)
			icicle_select(&v->flame, box);
	}
	row = model_row(v->m, label);
	if (row < v->m->nr_top)
		v->table.selected = row;
}

/* Switches to another model.  Selections are kept by name, as far as the new model has them. */
static void adopt(struct viewer *v, struct model *m)
{
	const struct labels *from = model_labels(v->m), *to = model_labels(m);
	uint32_t middle = v->sandwich.label, function = v->function;
	struct span name;

	icicle_carry(&v->flame, viewer_graph(v, m), from, to);
	forget(v);
	v->m = m;
	v->theme.labels = to;
	v->theme.color = m->color;
	model_sort(m, v->table_order);
	list_set(&v->table, m->nr_top);
	v->function = LAYOUT_ALL;
	if (function < LAYOUT_MORE) {
		name = labels_key(from, function);
		function = labels_find(to, name);
		v->function = function == INTERN_NONE ? LAYOUT_ALL : function;
	}
	if (middle < LAYOUT_MORE) {
		name = labels_key(from, middle);
		middle = labels_find(to, name);
		sandwich_fill(&v->sandwich, m, middle == INTERN_NONE ? LAYOUT_ALL : middle);
	}
	if (v->pane == PANE_FLAME)
		v->function = graph_box(v->flame.g, v->flame.selected)->label;
	else
		viewer_choose(v, v->function);
	viewer_search_again(v);
}

/* A copy of the whole profile with all filters applied, and its model. */
static struct narrowed *make_narrowed(struct viewer *v, struct error *e)
{
	struct narrowed *n = xcalloc(1, sizeof(*n));
	const struct profile *p = v->base->o.p;
	struct model_opts o = v->base->o;

	profile_init(&n->p);
	if (p->max_tick)
		profile_keep_ticks(&n->p, p->max_tick);
	/* Of a wait, a range of time has the part that lies in it. */
	if (p->max_interval)
		profile_keep_intervals(&n->p, p->max_interval);
	profile_merge(&n->p, p);
	if (narrow_apply(&v->narrow, &n->p, o.spelling, e)) {
		profile_release(&n->p);
		free(n);
		return NULL;
	}
	o.p = &n->p;
	model_init(&n->m, &o);
	return n;
}

/* Applies all filters anew; false: an error, or no sample is left, and nothing has changed. */
static bool narrow_again(struct viewer *v)
{
	struct narrowed *before = v->narrowed, *n = NULL;
	struct error e = ERROR_INIT;

	if (v->narrow.nr) {
		n = make_narrowed(v, &e);
		if (!n || model_total(&n->m) <= 0) {
			viewer_say(v, n ? SPAN("this would leave no samples") : span_of(e.text));
			free_narrowed(n);
			return false;
		}
	}
	adopt(v, n ? &n->m : v->base);
	v->narrowed = n;
	free_narrowed(before);
	return true;
}

void viewer_narrow(struct viewer *v, enum narrow_kind kind, struct span text,
		   const struct time_span *span)
{
	narrow_add(&v->narrow, kind, text, span);
	if (!narrow_again(v))
		narrow_pop(&v->narrow);
}

bool viewer_widen(struct viewer *v)
{
	if (!narrow_pop(&v->narrow))
		return false;
	narrow_again(v);
	return true;
}

bool viewer_widen_kind(struct viewer *v, enum narrow_kind kind)
{
	bool single = kind == NARROW_THREAD || kind == NARROW_MODULE || kind == NARROW_KERNEL;

	if (!single || !narrow_drop(&v->narrow, kind))
		return false;
	narrow_again(v);
	return true;
}

struct profile *viewer_part(struct viewer *v)
{
	return v->narrowed ? &v->narrowed->p : NULL;
}

void viewer_update(struct viewer *v, struct model *m)
{
	v->base = m;
	/* Filters that no sample passes any more are undone. */
	while (!narrow_again(v))
		narrow_pop(&v->narrow);
}
