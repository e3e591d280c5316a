#include "fold/node_table.h"

#include "base/alloc.h"

#include <stdlib.h>

uint32_t node_table_add(struct tree *t, uint32_t parent, uint32_t label)
{
	GROW(t->node, t->nr_node, t->cap_node);
	t->node[t->nr_node] = (struct tree_node){ .parent = parent, .label = label };
	return (uint32_t)t->nr_node++;
}

static uint32_t place_of(const struct node_table *n, uint32_t parent, uint32_t label)
{
	uint64_t h = ((uint64_t)parent << 32 | label) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(h >> 32) & n->mask;
}

static void grow(struct node_table *n, const struct tree *t)
{
	uint32_t nr_slot = n->slot ? (n->mask + 1) * 2 : 1024;

	free(n->slot);
	n->slot = xcalloc(nr_slot, sizeof(*n->slot));
	n->mask = nr_slot - 1;
	for (uint32_t k = 1; k < t->nr_node; k++) {
		uint32_t i = place_of(n, t->node[k].parent, t->node[k].label);

		while (n->slot[i])
			i = (i + 1) & n->mask;
		n->slot[i] = k;
	}
}

uint32_t node_table_child(struct node_table *n, struct tree *t, uint32_t parent, uint32_t label)
{
	uint32_t i;

	if (!n->slot || t->nr_node >= n->mask / 2)
		grow(n, t);
	for (i = place_of(n, parent, label); n->slot[i]; i = (i + 1) & n->mask) {
		const struct tree_node *node = &t->node[n->slot[i]];

		if (node->parent == parent && node->label == label)
			return n->slot[i];
	}
	n->slot[i] = (uint32_t)t->nr_node;
	return node_table_add(t, parent, label);
}

void node_table_release(struct node_table *n)
{
	free(n->slot);
	*n = (struct node_table){ 0 };
}
