#include "tui/viewer.h"

#include "base/alloc.h"

#include <stdlib.h>

void viewer_init(struct viewer *v, struct model *m, const struct look *look, struct span title)
{
	*v = (struct viewer){ .m = m, .look = *look, .function = LAYOUT_ALL, .click_x = -1 };
	strbuf_add(&v->title, title);
	v->look.labels = model_labels(m);
	v->look.color = m->color;
	v->look.is_diff = m->o.nr_column == 2;
	icicle_init(&v->flame, model_graph(m, MODEL_FORWARD));
	list_set(&v->table, m->nr_top);
}

void viewer_release(struct viewer *v)
{
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

void viewer_update(struct viewer *v, struct model *m)
{
	const struct labels *from = model_labels(v->m), *to = model_labels(m);
	struct span name = SPAN("");

	icicle_carry(&v->flame, model_graph(m, v->direction), from, to);
	if (v->function < LAYOUT_MORE)
		name = labels_peek(from, v->function);
	v->m = m;
	v->look.labels = to;
	v->look.color = m->color;
	list_set(&v->table, m->nr_top);
	if (v->function < LAYOUT_MORE) {
		uint32_t label = intern_find(&to->names, name, intern_hash(name));

		v->function = label == INTERN_NONE ? LAYOUT_ALL : label;
	}
	viewer_choose(v, v->function);
	viewer_search_again(v);
}
