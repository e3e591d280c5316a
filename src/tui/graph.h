/*
 * A layout with its boxes sorted by row, so that drawing and navigation find boxes by binary
 * search.
 *
 * A box is identified by its index in the layout; its place is its index in `order`.
 */
#ifndef WICK_TUI_GRAPH_H
#define WICK_TUI_GRAPH_H

#include "render/layout.h"

#define GRAPH_NONE UINT32_MAX

struct graph {
	struct layout layout;
	uint32_t *order; /* boxes by row, and within a row from left to right */
	uint32_t *first; /* row d is order[first[d]] up to order[first[d + 1]] */
	/* Copies by place, for searches: smaller than boxes, and adjacent in memory. */
	double *begin, *end;
	uint32_t *label;
	size_t nr_row; /* rows: the deepest depth + 1 */
	/* Set by the caller: by node, color_states(); NULL: boxes are colored by label. */
	const uint8_t *state;
};

/* The tree must outlive it.  There is always at least the box of everything. */
void graph_init(struct graph *g, const struct tree *t, enum tree_order order);
void graph_release(struct graph *g);

static inline const struct box *graph_box(const struct graph *g, uint32_t box)
{
	return &g->layout.box[box];
}

/* The box of everything. */
uint32_t graph_root(const struct graph *g);

/* The place of the first box of a row that ends after `at`; the end of the row: there is none. */
size_t graph_from(const struct graph *g, size_t row, weight_sum at);

/* The same, searching from `place` to the right; takes few steps if the box is near. */
size_t graph_on(const struct graph *g, size_t row, size_t place, double at);

/* The box of a row that covers the position `at`; or GRAPH_NONE. */
uint32_t graph_find(const struct graph *g, size_t row, weight_sum at);

/* The box's caller; or GRAPH_NONE: it is the root. */
uint32_t graph_caller(const struct graph *g, uint32_t box);

/* The widest callee; or GRAPH_NONE. */
uint32_t graph_callee(const struct graph *g, uint32_t box);

/* The box to the left or to the right in the same row; or GRAPH_NONE. */
enum graph_side { GRAPH_LEFT, GRAPH_RIGHT };
uint32_t graph_beside(const struct graph *g, uint32_t box, enum graph_side side);

/* The callee of `in` with that label; or GRAPH_NONE. */
uint32_t graph_callee_of(const struct graph *g, uint32_t in, uint32_t label);

/* The width of all boxes with label[] true; of nested ones, only the outermost counts. */
weight_sum graph_sum(const struct graph *g, const bool *label);

#endif
