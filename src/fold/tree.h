/*
 * The tree of what is shown: stacks merged by the names of their frames, the
 * thread's name at the root when it is spelled.  Two frames that are spelled
 * alike (memcpy of two libraries) are one node here, though the profile keeps
 * them apart.
 */
#ifndef WICK_FOLD_TREE_H
#define WICK_FOLD_TREE_H

#include "base/intern.h"
#include "profile/profile.h"

/* Sums are wider than weights: adding up what fits never overflows. */
__extension__ typedef __int128 weight_sum;

enum { TREE_COLUMNS = 2 };

struct tree_opts {
	unsigned spelling;
	bool samples;		      /* count samples, not their weight */
	size_t nr_column;	      /* 1, or 2: before and after */
	const bool *in[TREE_COLUMNS]; /* by event: does it count in this column? */
};

struct tree_node {
	uint32_t parent; /* smaller than the node itself; 0 is the root, which has no name */
	uint32_t label;	 /* in labels */
	uint32_t line;	 /* 1 + index in line, 0 when no stack ends here */
};

/* What ends at a node. */
struct tree_line {
	weight_sum sum[TREE_COLUMNS];
};

struct tree {
	struct intern labels;
	struct tree_node *node;
	struct tree_line *line;
	size_t nr_node, cap_node, nr_line, cap_line, nr_column;
	int scale[TREE_COLUMNS]; /* by column: its sums are multiples of 10^scale */
};

/* The scale in which weights of these events can be added up: the finest of theirs, at most 0. */
int tree_scale(const struct profile *p, const bool *in);

/* A weight of an event as a multiple of 10^scale, which is no coarser than the event's own. */
weight_sum tree_weight(const struct profile *p, uint32_t event, int64_t weight, int scale);

void tree_build(struct tree *t, const struct profile *p, const struct tree_opts *o);
void tree_release(struct tree *t);

/* Names from the root joined by `;`, and what ends there. */
typedef void tree_visitor(void *arg, struct span path, const struct tree_line *line);

/* Every line, in the bytewise order of its path: what `LC_ALL=C sort` gives. */
void tree_walk_sorted(const struct tree *t, tree_visitor *visit, void *arg);

#endif
