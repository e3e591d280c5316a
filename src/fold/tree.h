/*
 * The displayed tree: stacks merged by the names of their frames, with the thread's name at the
 * root if it is spelled.  Two frames with equal spelling (memcpy of two libraries) are one node
 * here, though the profile keeps them separate.
 */
#ifndef WICK_FOLD_TREE_H
#define WICK_FOLD_TREE_H

#include "fold/frame_labels.h"
#include "profile/profile.h"

/* Sums are wider than weights: adding weights never overflows. */
__extension__ typedef __int128 weight_sum;

enum { TREE_COLUMNS = 2 };

struct tree_opts {
	unsigned spelling;
	bool samples;		      /* count samples, not their weight */
	size_t nr_column;	      /* 1, or 2: before and after */
	const bool *in[TREE_COLUMNS]; /* by event: does it count in this column? */
	double factor;		      /* the first column is multiplied by it; 0: it is not */
	bool reverse;		      /* leaf frames first, callers below them */
	bool keep_nodes;	      /* fill in tree.node_of */
	/* if any: paths begin at the innermost of these names that is neither leaf nor root */
	const char *const *base;
	size_t nr_base;
};

/* A parent has a smaller number than its children.  Node 0 is the root, which has no label. */
struct tree_node {
	uint32_t parent;
	uint32_t label;
};

/* A node where samples end, and their sum: its self. */
struct tree_line {
	uint32_t node;
	weight_sum sum[TREE_COLUMNS];
};

struct tree {
	struct labels labels;
	size_t nr_node;
	/*
	 * The nodes: a table of their own or, if no two frames are spelled alike but all threads
	 * are, the profile's table of stacks.  The profile must then outlive the tree.
	 */
	struct tree_node *node;
	size_t cap_node;
	const struct stack *stack;
	uint32_t root; /* 1 + the label that all paths begin with, or 0 */
	/*
	 * The lines, by node, ascending: tree_line() returns one.  There may be millions, so sums are
	 * in 64 bits wherever they fit.
	 */
	uint32_t *line_node;
	int64_t *narrow; /* nr_column sums of each line; or NULL, and they are in `wide` */
	weight_sum *wide;
	size_t nr_line, cap_line, nr_column;
	int scale;	   /* sums are multiples of 10^scale */
	uint32_t *node_of; /* by count of the profile, on request: its node, or TREE_NOWHERE */
};

#define TREE_NOWHERE UINT32_MAX

static inline uint32_t tree_parent(const struct tree *t, uint32_t node)
{
	return t->node ? t->node[node].parent : t->stack[node].caller.i;
}

static inline uint32_t tree_label(const struct tree *t, uint32_t node)
{
	return t->node ? t->node[node].label : t->labels.of_frame[t->stack[node].frame.i];
}

static inline struct tree_line tree_line(const struct tree *t, size_t i)
{
	struct tree_line line = { .node = t->line_node[i] };
	size_t at = i * t->nr_column;

	for (size_t k = 0; k < t->nr_column; k++)
		line.sum[k] = t->narrow ? t->narrow[at + k] : t->wide[at + k];
	return line;
}

/* For builders of trees: reserves memory for lines, which are then added in order of nodes. */
void tree_reserve_lines(struct tree *t, size_t nr);
void tree_add_line(struct tree *t, const struct tree_line *line);

/* The scale in which weights of these events are added up: their finest one, at most 0. */
int tree_scale(const struct profile *p, const bool *in);

/* The scale that a tree with these options has: the finest that any column needs. */
int tree_opts_scale(const struct profile *p, const struct tree_opts *o);

/* A weight of an event as a multiple of 10^scale, which is no coarser than the event's own. */
weight_sum tree_weight(const struct profile *p, uint32_t event, int64_t weight, int scale);

void tree_build(struct tree *t, const struct profile *p, const struct tree_opts *o);
void tree_release(struct tree *t);

#endif
