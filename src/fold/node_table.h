/* The nodes of a tree by parent and label, while it is built. */
#ifndef WICK_FOLD_NODE_TABLE_H
#define WICK_FOLD_NODE_TABLE_H

#include "fold/tree.h"

struct node_table {
	uint32_t *slot;
	uint32_t mask;
};

/* A node that is not looked for. */
uint32_t node_table_add(struct tree *t, uint32_t parent, uint32_t label);

/* The node of that label below the parent, which is added where there is none. */
uint32_t node_table_child(struct node_table *n, struct tree *t, uint32_t parent, uint32_t label);

void node_table_release(struct node_table *n);

#endif
