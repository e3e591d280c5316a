/* Visits the lines of a tree in the order in which they are to be shown. */
#ifndef WICK_FOLD_WALK_H
#define WICK_FOLD_WALK_H

#include "fold/tree.h"

enum tree_order {
	TREE_TEXT,  /* as `LC_ALL=C sort` sorts the printed lines */
	TREE_NAME,  /* a node's own line first, then its children by name */
	TREE_WIDTH, /* likewise, the child with the largest total first */
};

/*
 * The two places of each label in the order of printed lines: [2 * label] where it is the last name
 * of a line, [2 * label + 1] where others follow.  The caller frees the array.
 */
uint32_t *tree_places(const struct tree *t);

/* The path from the root to a line's node; good during the visit only. */
struct tree_way {
	const uint32_t *label;
	size_t nr;
	size_t shared; /* so many labels are the same as those of the line visited before */
};

typedef void tree_visitor(void *arg, const struct tree_way *way, const struct tree_line *line);

void tree_walk(const struct tree *t, enum tree_order order, tree_visitor *visit, void *arg);

#endif
