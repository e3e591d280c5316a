/* Visits the lines of a tree in display order. */
#ifndef WICK_FOLD_WALK_H
#define WICK_FOLD_WALK_H

#include "fold/tree.h"

enum tree_order {
	TREE_TEXT,  /* as `LC_ALL=C sort` sorts the printed lines */
	TREE_NAME,  /* a node's own line first, then its children by name */
	TREE_WIDTH, /* likewise, the child with the largest total first */
};

/*
 * The two positions of each label in the order of printed lines: [2 * label] as the last name of a
 * line, [2 * label + 1] with others after it.  The caller frees the array.  If only some labels will be
 * compared, `compared` says which, by label; NULL: all.
 */
uint32_t *tree_places(const struct tree *t, const bool *compared);

/* The path from the root to a line's node; valid during the visit only. */
struct tree_path {
	const uint32_t *label;
	size_t nr;
	size_t shared; /* number of labels shared with the previous line */
};

typedef void tree_visitor(void *arg, const struct tree_path *path, const struct tree_line *line);

void tree_walk(const struct tree *t, enum tree_order order, tree_visitor *visit, void *arg);

#endif
