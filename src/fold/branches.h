/* The nodes of a tree with what they and all below them weigh, and what is below each, heaviest first. */
#ifndef WICK_FOLD_BRANCHES_H
#define WICK_FOLD_BRANCHES_H

#include "fold/tree.h"

struct branches {
	const struct tree *t;
	weight_sum *self, *total; /* by node, of the last column */
	uint32_t *first;	  /* child[first[n]] up to first[n + 1] are below n */
	uint32_t *child;
};

/* The tree must outlive it. */
void branches_init(struct branches *b, const struct tree *t);
void branches_release(struct branches *b);

#endif
