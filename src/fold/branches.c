#include "fold/branches.h"

#include "base/alloc.h"

#include <stdlib.h>

/* A parent has a smaller number than its children: one pass backwards adds up the totals. */
static void sum_up(struct branches *b)
{
	const struct tree *t = b->t;

	b->self = xcalloc(t->nr_node, sizeof(*b->self));
	b->total = xcalloc(t->nr_node, sizeof(*b->total));
	for (size_t i = 0; i < t->nr_line; i++)
		b->self[t->line_node[i]] += tree_line(t, i).sum[t->nr_column - 1];
	memcpy(b->total, b->self, t->nr_node * sizeof(*b->total));
	for (uint32_t n = (uint32_t)t->nr_node; n-- > 1;)
		b->total[tree_parent(t, n)] += b->total[n];
}

/* Groups the nodes by parent with a counting sort. */
static void list_children(struct branches *b)
{
	const struct tree *t = b->t;
	uint32_t *next = xcalloc(t->nr_node + 1, sizeof(*next));

	b->first = xcalloc(t->nr_node + 1, sizeof(*b->first));
	b->child = xcalloc(t->nr_node, sizeof(*b->child));
	for (uint32_t n = 1; n < t->nr_node; n++)
		b->first[tree_parent(t, n) + 1]++;
	for (size_t n = 0; n < t->nr_node; n++) {
		b->first[n + 1] += b->first[n];
		next[n] = b->first[n];
	}
	for (uint32_t n = 1; n < t->nr_node; n++)
		b->child[next[tree_parent(t, n)]++] = n;
	free(next);
}

static int by_weight(const void *x, const void *y, void *arg)
{
	const struct branches *b = arg;
	uint32_t m = *(const uint32_t *)x, n = *(const uint32_t *)y;

	if (b->total[m] != b->total[n])
		return b->total[m] < b->total[n] ? 1 : -1;
	return span_compare(labels_peek(&b->t->labels, tree_label(b->t, m)),
			    labels_peek(&b->t->labels, tree_label(b->t, n)));
}

void branches_init(struct branches *b, const struct tree *t)
{
	*b = (struct branches){ .t = t };
	sum_up(b);
	list_children(b);
	for (size_t n = 0; n < t->nr_node; n++)
		if (b->first[n + 1] - b->first[n] > 1)
			qsort_r(b->child + b->first[n], b->first[n + 1] - b->first[n],
				sizeof(*b->child), by_weight, b);
}

void branches_release(struct branches *b)
{
	free(b->self);
	free(b->total);
	free(b->first);
	free(b->child);
	*b = (struct branches){ 0 };
}
