/*
 * Where every frame of a flame graph is: a box of a depth, a begin and an end
 * in weight.  One layout serves every picture.
 */
#ifndef WICK_RENDER_LAYOUT_H
#define WICK_RENDER_LAYOUT_H

#include "fold/tree.h"
#include "fold/walk.h"
#include "profile/profile.h"

/* The label of the box at the root, which stands for everything. */
#define LAYOUT_ALL UINT32_MAX
/* Of a box that stands for neighbors which are too narrow, each for itself, to be kept. */
#define LAYOUT_MORE (UINT32_MAX - 1)

struct box {
	uint32_t label; /* of the tree's or chart's labels, or LAYOUT_ALL */
	uint32_t depth; /* 0: all */
	uint32_t node;	/* of the tree; of a chart, 0 */
	weight_sum begin, end;
	weight_sum self;	      /* of its width, what ends in this very frame */
	weight_sum delta;	      /* after less before, of what ends in this very frame */
	weight_sum sum[TREE_COLUMNS]; /* of everything in it, by column */
	bool has_delta;
};

struct layout {
	struct box *
		box; /* in the order in which they end, callers before callees where that is one place */
	size_t nr, cap;
	weight_sum total;
	weight_sum sum[TREE_COLUMNS]; /* of everything, by column */
	weight_sum max_delta; /* the largest change either way, at least what 1 is in this scale */
	size_t depth;	      /* of the deepest box that is kept */
	int scale;	      /* weights are multiples of 10^scale */
	/* While it is made */
	weight_sum narrowest; /* boxes below this are left out */
	bool more;	      /* what is left out beside each other is a box of its own */
};

/* Which boxes are too narrow to be kept: those with less than this share of the whole. */
struct layout_least {
	double share;
	double whole; /* what the share is of, when it is more than there is */
	bool either;  /* the wider column of a comparison counts, not the last */
	bool more;    /* neighbors that together are wide enough become one box */
};

void layout_tree(struct layout *l, const struct tree *t, enum tree_order order,
		 struct layout_least least);

enum chart_direction { CHART_FORWARD, CHART_BACKWARD };

/*
 * Thread by thread in the order of the samples, or as the lines are where these have no times;
 * nothing merged but neighbors.  The profile must have ticks.
 */
void layout_chart(struct layout *l, const struct profile *p, const struct labels *labels,
		  const struct tree_opts *o, enum chart_direction direction,
		  struct layout_least least);

void layout_release(struct layout *l);

#endif
