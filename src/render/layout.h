/*
 * Where every frame of a flame graph is: a box of a depth, a begin and an end
 * in weight.  Lines come in the order they are to be shown; what a line shares
 * with the one before goes on, the rest begins a box.  One layout serves every
 * picture.
 */
#ifndef WICK_RENDER_LAYOUT_H
#define WICK_RENDER_LAYOUT_H

#include "fold/tree.h"
#include "fold/walk.h"
#include "profile/profile.h"

/* The label of the box at the root, which stands for everything. */
#define LAYOUT_ALL UINT32_MAX

struct box {
	uint32_t label; /* of the tree's or chart's labels, or LAYOUT_ALL */
	uint32_t depth; /* 0: all */
	weight_sum begin, end;
	weight_sum delta; /* after less before, of what ends in this very frame */
	bool has_delta;
};

struct layout {
	struct box *
		box; /* in the order in which they end, callers before callees where that is one place */
	size_t nr, cap;
	weight_sum total;
	weight_sum max_delta; /* the largest change either way, at least what 1 is in this scale */
	size_t depth;	      /* of the deepest box that is kept */
	int scale;	      /* weights are multiples of 10^scale */
	/* While it is made */
	weight_sum narrowest; /* boxes below this are left out */
	size_t nr_narrow;     /* how many were */
	struct box *open;
	size_t nr_open, cap_open;
};

/* Which boxes are too narrow to be kept: those with less than this share of the whole. */
struct layout_least {
	double share;
	double whole; /* what the share is of, when it is more than there is */
};

void layout_tree(struct layout *l, const struct tree *t, enum tree_order order,
		 struct layout_least least);

enum chart_direction { CHART_FORWARD, CHART_BACKWARD };

/* In the order of the samples, nothing merged but neighbors.  The profile must have ticks. */
void layout_chart(struct layout *l, const struct profile *p, const struct labels *labels,
		  const struct tree_opts *o, enum chart_direction direction,
		  struct layout_least least);

void layout_release(struct layout *l);

#endif
