/*
 * A layout with its boxes by row, so that whoever draws or walks finds those he is after
 * without looking at the others.
 */
#ifndef WICK_TUI_GRAPH_H
#define WICK_TUI_GRAPH_H

#include "render/layout.h"

#define GRAPH_NONE UINT32_MAX

struct graph {
	struct layout layout;
	uint32_t *order; /* boxes by row, and in it from left to right */
	uint32_t *first; /* of row d: order[first[d]] up to first[d + 1] */
	/* Of boxes, in this order, and near enough: what is looked through is small, and close together. */
	double *begin, *end;
	uint32_t *label;
	size_t nr_row;
};

/* The tree must outlive it; it has at least the box of everything. */
void graph_init(struct graph *g, const struct tree *t, enum tree_order order);
void graph_release(struct graph *g);

static inline const struct box *graph_box(const struct graph *g, uint32_t box)
{
	return &g->layout.box[box];
}

/* The box of everything. */
uint32_t graph_root(const struct graph *g);

/* The place in `order` of the first box of a row that ends behind `at`; the row's end when there is none. */
size_t graph_from(const struct graph *g, size_t row, weight_sum at);

/* The same, where one is there already or before it: near places are found at once. */
size_t graph_on(const struct graph *g, size_t row, size_t place, double at);

/* The box of a row that has this place in it; or GRAPH_NONE. */
uint32_t graph_find(const struct graph *g, size_t row, weight_sum at);

uint32_t graph_caller(const struct graph *g, uint32_t box);

/* The widest of those that it calls; or GRAPH_NONE. */
uint32_t graph_callee(const struct graph *g, uint32_t box);

/* The next one to the left or the right in its row; or GRAPH_NONE. */
enum graph_side { GRAPH_LEFT, GRAPH_RIGHT };
uint32_t graph_beside(const struct graph *g, uint32_t box, enum graph_side side);

/* Of `in`, the box of that label that is called from it; or GRAPH_NONE. */
uint32_t graph_callee_of(const struct graph *g, uint32_t in, uint32_t label);

/* What all boxes with such labels come to; those within others count once. */
weight_sum graph_sum(const struct graph *g, const bool *label);

#endif
