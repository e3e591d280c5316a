#include "fold/around.h"

#include "base/alloc.h"
#include "fold/node_table.h"

#include <stdlib.h>

struct sums {
	weight_sum column[TREE_COLUMNS];
};

struct builder {
	struct tree *t;
	struct node_table nodes;
	struct sums *sum; /* by node: self */
	size_t nr_sum, cap_sum;
	uint32_t *path; /* labels, the leaf's first */
	size_t nr, cap;
};

static uint32_t child(struct builder *b, uint32_t parent, uint32_t label)
{
	return node_table_child(&b->nodes, b->t, parent, label);
}

static void add_label(struct builder *b, uint32_t label)
{
	GROW(b->path, b->nr, b->cap);
	b->path[b->nr++] = label;
}

/* Fills b->path with a line's labels; returns where in it the outermost wanted one is, or b->nr. */
static size_t find_path(struct builder *b, const struct tree *from, uint32_t node,
			const bool *label)
{
	size_t at = SIZE_MAX;

	b->nr = 0;
	for (uint32_t n = node; n; n = tree_parent(from, n))
		add_label(b, tree_label(from, n));
	if (from->root)
		add_label(b, from->root - 1);
	for (size_t i = 0; i < b->nr; i++)
		if (label[b->path[i]])
			at = i;
	return at == SIZE_MAX ? b->nr : at;
}

static void add_line(struct builder *b, const struct tree_line *line, size_t at, enum around what)
{
	uint32_t node = 0;

	if (what == AROUND_CALLERS)
		for (size_t i = at; i < b->nr; i++)
			node = child(b, node, b->path[i]);
	else
		for (size_t i = at + 1; i-- > 0;)
			node = child(b, node, b->path[i]);
	while (b->nr_sum < b->t->nr_node) {
		GROW(b->sum, b->nr_sum, b->cap_sum);
		b->sum[b->nr_sum++] = (struct sums){ 0 };
	}
	for (size_t k = 0; k < b->t->nr_column; k++)
		b->sum[node].column[k] += line->sum[k];
}

static void add_lines(struct builder *b)
{
	struct tree *t = b->t;

	tree_reserve_lines(t, t->nr_node);
	for (uint32_t n = 0; n < b->nr_sum; n++) {
		struct tree_line line = { .node = n };
		bool any = false;

		for (size_t k = 0; k < t->nr_column; k++) {
			line.sum[k] = b->sum[n].column[k];
			any |= line.sum[k] != 0;
		}
		if (any)
			tree_add_line(t, &line);
	}
}

void around_build(struct tree *t, const struct tree *from, const bool *label, enum around what)
{
	struct builder b = { .t = t };

	*t = (struct tree){ .labels = from->labels,
			    .nr_column = from->nr_column,
			    .scale = from->scale };
	node_table_add(t, 0, 0);
	for (size_t i = 0; i < from->nr_line; i++) {
		struct tree_line line = tree_line(from, i);
		size_t at = find_path(&b, from, line.node, label);

		if (at < b.nr)
			add_line(&b, &line, at, what);
	}
	add_lines(&b);
	node_table_release(&b.nodes);
	free(b.sum);
	free(b.path);
}

void around_release(struct tree *t)
{
	free(t->node);
	free(t->line_node);
	free(t->narrow);
	free(t->wide);
	*t = (struct tree){ 0 };
}
