/*
 * The position of every frame of a flame graph: a box with a depth, a begin and an end, the last
 * two in units of weight.  All pictures are drawn from such a layout.
 */
#ifndef WICK_RENDER_LAYOUT_H
#define WICK_RENDER_LAYOUT_H

#include "fold/tree.h"
#include "fold/walk.h"
#include "profile/profile.h"

/* The label of the box of everything, at depth 0. */
#define LAYOUT_ALL UINT32_MAX
/* The label of a box for neighbors that are too narrow to be separate. */
#define LAYOUT_MORE (UINT32_MAX - 1)

struct box {
	uint32_t label;		      /* of the tree or chart; or LAYOUT_ALL, LAYOUT_MORE */
	uint32_t depth;		      /* 0: everything */
	uint32_t node;		      /* of the tree; in a chart, 0 */
	weight_sum begin, end;	      /* their difference is the width */
	weight_sum self;	      /* the part of its width that is self */
	weight_sum delta;	      /* of self: after minus before */
	weight_sum sum[TREE_COLUMNS]; /* its total, by column */
	bool has_delta;		      /* it is of a comparison */
};

struct layout {
	struct box *box; /* by end, then by depth */
	size_t nr, cap;
	weight_sum total;	      /* the width of everything */
	weight_sum sum[TREE_COLUMNS]; /* of everything, by column */
	weight_sum max_delta;	      /* the largest delta either way, at least 10^-scale: a 1 */
	size_t depth;		      /* of the deepest box */
	int scale;		      /* weights are multiples of 10^scale */
	/* During construction */
	weight_sum narrowest; /* narrower boxes are dropped */
	bool more;	      /* as layout_least.more */
};

/* Which boxes are kept, and how wide they are. */
struct layout_least {
	double share; /* narrower boxes are dropped: a share of the whole */
	double whole; /* the whole, if it exceeds the sum of the samples; else 0 */
	bool either;  /* of a comparison: the wider column determines the width, not the last one */
	bool more;    /* dropped neighbors become a LAYOUT_MORE box */
};

/* Every layout must be released with layout_release(). */
void layout_tree(struct layout *l, const struct tree *t, enum tree_order order,
		 struct layout_least least);

enum chart_direction { CHART_FORWARD, CHART_BACKWARD };

/*
 * A flame chart: samples in order of time, thread by thread; without times, in input order.  Only
 * equal neighbors are merged.  The profile must have ticks.
 */
void layout_chart(struct layout *l, const struct profile *p, const struct labels *labels,
		  const struct tree_opts *o, enum chart_direction direction,
		  struct layout_least least);

void layout_release(struct layout *l);

#endif
