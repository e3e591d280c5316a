/* Self and total of each node of a tree, and its children, heaviest first. */
#ifndef WICK_FOLD_BRANCHES_H
#define WICK_FOLD_BRANCHES_H

#include "fold/tree.h"

struct branches {
	const struct tree *t;
	weight_sum *self, *total; /* by node, of the last column */
	uint32_t *first;	  /* n's children are child[first[n]] up to child[first[n + 1]] */
	uint32_t *child;
};

/* The tree must outlive it. */
void branches_init(struct branches *b, const struct tree *t);
void branches_release(struct branches *b);

#endif
