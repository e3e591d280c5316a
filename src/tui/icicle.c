#include "tui/icicle.h"

#include "base/alloc.h"

#include <stdlib.h>

void icicle_init(struct icicle *f, const struct graph *g)
{
	*f = (struct icicle){ .g = g, .selected = graph_root(g), .zoom = graph_root(g) };
}

void icicle_release(struct icicle *f)
{
	free(f->back);
	*f = (struct icicle){ 0 };
}

/* The box with the same call chain of names in another graph, or else its nearest caller there. */
static uint32_t find_again(const struct graph *from, uint32_t box, const struct labels *names,
			   const struct graph *to, const struct labels *names_to)
{
	const struct box *b = graph_box(from, box);
	uint32_t at = graph_root(to);

	for (size_t row = 1; row <= b->depth; row++) {
		uint32_t on_way = graph_find(from, row, b->begin), label, next;
		struct span name = labels_key(names, graph_box(from, on_way)->label);

		label = labels_find(names_to, name);
		next = label == INTERN_NONE ? GRAPH_NONE : graph_callee_of(to, at, label);
		if (next == GRAPH_NONE)
			break;
		at = next;
	}
	return at;
}

void icicle_carry(struct icicle *f, const struct graph *g, const struct labels *from,
		  const struct labels *to)
{
	f->selected = find_again(f->g, f->selected, from, g, to);
	f->zoom = find_again(f->g, f->zoom, from, g, to);
	for (size_t i = 0; i < f->nr_back; i++)
		f->back[i] = find_again(f->g, f->back[i], from, g, to);
	f->g = g;
}

static bool is_within(const struct graph *g, uint32_t box, uint32_t in)
{
	const struct box *b = graph_box(g, box), *o = graph_box(g, in);

	return b->depth >= o->depth && b->begin >= o->begin && b->end <= o->end;
}

void icicle_step(struct icicle *f, enum icicle_step step)
{
	uint32_t to = GRAPH_NONE;

	switch (step) {
	case ICICLE_CALLER:
		to = graph_caller(f->g, f->selected);
		break;
	case ICICLE_CALLEE:
		to = graph_callee(f->g, f->selected);
		break;
	case ICICLE_LEFT:
		to = graph_beside(f->g, f->selected, GRAPH_LEFT);
		break;
	case ICICLE_RIGHT:
		to = graph_beside(f->g, f->selected, GRAPH_RIGHT);
		break;
	}
	/* Left and right stay within the zoom. */
	if (to == GRAPH_NONE ||
	    ((step == ICICLE_LEFT || step == ICICLE_RIGHT) && !is_within(f->g, to, f->zoom)))
		return;
	f->selected = to;
}

void icicle_select(struct icicle *f, uint32_t box)
{
	f->selected = box;
	while (!is_within(f->g, box, f->zoom) && !is_within(f->g, f->zoom, box))
		f->zoom = graph_caller(f->g, f->zoom);
}

void icicle_zoom(struct icicle *f, uint32_t box)
{
	if (box == f->zoom)
		return;
	GROW(f->back, f->nr_back, f->cap_back);
	f->back[f->nr_back++] = f->zoom;
	f->zoom = f->selected = box;
}

bool icicle_back(struct icicle *f)
{
	if (!f->nr_back)
		return false;
	f->zoom = f->back[--f->nr_back];
	return true;
}

void icicle_reset(struct icicle *f)
{
	f->nr_back = 0;
	f->zoom = graph_root(f->g);
}

static void clamp_top(struct icicle *f, int height)
{
	int most = (int)f->g->nr_row - height;

	if (f->top > most)
		f->top = most;
	if (f->top < f->first)
		f->top = f->first;
}

void icicle_show(struct icicle *f, int height)
{
	int row = (int)graph_box(f->g, f->selected)->depth;
	/* Rows that stay visible above and below the selected one, if there is room. */
	int margin = height > 6 ? 2 : 0;

	if (row - margin < f->top)
		f->top = row - margin;
	if (row + margin >= f->top + height)
		f->top = row + margin - height + 1;
	clamp_top(f, height);
}

void icicle_scroll(struct icicle *f, int rows, int height)
{
	f->top += rows;
	clamp_top(f, height);
}

uint32_t icicle_at(const struct icicle *f, const struct area *a, int x, int y)
{
	const struct box *zoom = graph_box(f->g, f->zoom);
	int row = f->top + (f->upward ? a->y + a->height - 1 - y : y - a->y);
	double width = (double)(zoom->end - zoom->begin);

	if (x < a->x || x >= a->x + a->width || y < a->y || y >= a->y + a->height || row < 0)
		return GRAPH_NONE;
	return graph_find(f->g, (size_t)row,
			  zoom->begin + (weight_sum)(width * (x - a->x + 0.5) / a->width));
}
