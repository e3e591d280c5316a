/* Visiting what ends in a tree, in the order it is to be shown. */
#ifndef WICK_FOLD_WALK_H
#define WICK_FOLD_WALK_H

#include "fold/tree.h"

enum tree_order {
	TREE_TEXT,  /* as `LC_ALL=C sort` sorts the printed lines */
	TREE_NAME,  /* what a function calls by name, behind what ends in it */
	TREE_WIDTH, /* the heaviest first */
};

/*
 * By label, its places in the order of the names: at 2 * label where something ends in it, behind
 * that where it only goes on.  To be freed.
 */
uint32_t *tree_places(const struct tree *t);

/* The way from the root to a line, and how much of it is the way to the line before. */
struct tree_way {
	const uint32_t *label;
	size_t nr, shared;
};

typedef void tree_visitor(void *arg, const struct tree_way *way, const struct tree_line *line);

void tree_walk(const struct tree *t, enum tree_order order, tree_visitor *visit, void *arg);

#endif
