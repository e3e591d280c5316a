#include "tui/graph.h"

#include "base/alloc.h"

#include <stdlib.h>

/* The layout has boxes sorted by end, so a counting sort by row leaves rows in order. */
static void put_in_rows(struct graph *g)
{
	const struct layout *l = &g->layout;
	uint32_t *at;

	g->nr_row = l->depth + 1;
	g->first = xcalloc(g->nr_row + 1, sizeof(*g->first));
	g->order = xcalloc(l->nr, sizeof(*g->order));
	g->begin = xcalloc(l->nr, sizeof(*g->begin));
	g->end = xcalloc(l->nr, sizeof(*g->end));
	g->label = xcalloc(l->nr, sizeof(*g->label));
	for (size_t i = 0; i < l->nr; i++)
		g->first[l->box[i].depth + 1]++;
	for (size_t i = 0; i < g->nr_row; i++)
		g->first[i + 1] += g->first[i];
	at = xcalloc(g->nr_row, sizeof(*at));
	for (size_t i = 0; i < l->nr; i++) {
		const struct box *b = &l->box[i];
		uint32_t place = g->first[b->depth] + at[b->depth]++;

		g->begin[place] = (double)b->begin;
		g->end[place] = (double)b->end;
		g->label[place] = b->label;
		g->order[place] = (uint32_t)i;
	}
	free(at);
}

void graph_init(struct graph *g, const struct tree *t, enum tree_order order)
{
	*g = (struct graph){ 0 };
	layout_tree(&g->layout, t, order, (struct layout_least){ 0 });
	put_in_rows(g);
}

void graph_release(struct graph *g)
{
	layout_release(&g->layout);
	free(g->order);
	free(g->first);
	free(g->begin);
	free(g->end);
	free(g->label);
	*g = (struct graph){ 0 };
}

uint32_t graph_root(const struct graph *g)
{
	return g->order[0];
}

/* Binary search: the first place from low up to high whose box ends after `at`. */
static size_t first_behind(const struct graph *g, size_t low, size_t high, double at)
{
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (g->end[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t graph_from(const struct graph *g, size_t row, weight_sum at)
{
	if (row >= g->nr_row)
		return g->layout.nr;
	return first_behind(g, g->first[row], g->first[row + 1], (double)at);
}

size_t graph_on(const struct graph *g, size_t row, size_t place, double at)
{
	size_t step = 1, end = g->first[row + 1];

	while (place + step < end && g->end[place + step] <= at) {
		place += step;
		step *= 2;
	}
	return first_behind(g, place, place + step < end ? place + step : end, at);
}

uint32_t graph_find(const struct graph *g, size_t row, weight_sum at)
{
	size_t place = graph_from(g, row, at);

	if (row >= g->nr_row || place == g->first[row + 1])
		return GRAPH_NONE;
	return graph_box(g, g->order[place])->begin <= at ? g->order[place] : GRAPH_NONE;
}

uint32_t graph_caller(const struct graph *g, uint32_t box)
{
	const struct box *b = graph_box(g, box);

	return b->depth ? graph_find(g, b->depth - 1, b->begin) : GRAPH_NONE;
}

/* The places of a box's callees: from *at up to the one that is returned. */
static size_t callees(const struct graph *g, uint32_t box, size_t *at)
{
	const struct box *b = graph_box(g, box);
	size_t row = b->depth + 1;

	if (row >= g->nr_row)
		return *at = 0;
	*at = graph_from(g, row, b->begin);
	/* The first box that ends after this one belongs to the next caller. */
	return graph_from(g, row, b->end);
}

uint32_t graph_callee(const struct graph *g, uint32_t box)
{
	uint32_t widest = GRAPH_NONE;
	weight_sum width = 0;
	size_t at, end = callees(g, box, &at);

	for (; at < end; at++) {
		const struct box *b = graph_box(g, g->order[at]);

		if (b->end - b->begin > width) {
			width = b->end - b->begin;
			widest = g->order[at];
		}
	}
	return widest;
}

uint32_t graph_callee_of(const struct graph *g, uint32_t in, uint32_t label)
{
	size_t at, end = callees(g, in, &at);

	for (; at < end; at++)
		if (graph_box(g, g->order[at])->label == label)
			return g->order[at];
	return GRAPH_NONE;
}

uint32_t graph_beside(const struct graph *g, uint32_t box, enum graph_side side)
{
	const struct box *b = graph_box(g, box);
	size_t place = graph_from(g, b->depth, b->begin);

	if (side == GRAPH_LEFT)
		return place > g->first[b->depth] ? g->order[place - 1] : GRAPH_NONE;
	return place + 1 < g->first[b->depth + 1] ? g->order[place + 1] : GRAPH_NONE;
}

weight_sum graph_sum(const struct graph *g, const bool *label)
{
	bool *inside = xcalloc(g->layout.nr, sizeof(*inside));
	weight_sum sum = 0;

	for (size_t row = 0; row < g->nr_row; row++) {
		size_t caller = row ? g->first[row - 1] : 0;

		for (size_t i = g->first[row]; i < g->first[row + 1]; i++) {
			const struct box *b = graph_box(g, g->order[i]);

			while (row && graph_box(g, g->order[caller])->end <= b->begin)
				caller++;
			inside[g->order[i]] = row && inside[g->order[caller]];
			if (inside[g->order[i]] || b->label == LAYOUT_ALL || !label[b->label])
				continue;
			inside[g->order[i]] = true;
			sum += b->end - b->begin;
		}
	}
	free(inside);
	return sum;
}
