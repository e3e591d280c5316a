/*
 * A hash table of a tree's nodes by parent and label, needed while the tree is
 * built.  Starts as { 0 }.
 */
#ifndef WICK_FOLD_NODE_TABLE_H
#define WICK_FOLD_NODE_TABLE_H

#include "fold/tree.h"

struct node_table {
	uint32_t *slot; /* a node, or 0: free (the root is not a child) */
	uint32_t mask;	/* the number of slots, a power of 2, less 1 */
};

/* Appends a node without searching for an equal one: for the root. */
uint32_t node_table_add(struct tree *t, uint32_t parent, uint32_t label);

/* The child of `parent` with that label; it is added if there is none. */
uint32_t node_table_child(struct node_table *n, struct tree *t, uint32_t parent, uint32_t label);

void node_table_release(struct node_table *n);

#endif
