/*
 * The layout of a tree.  A large tree has far more nodes than are wide enough to
 * be drawn, so the others are not looked at one by one.
 *
 * Stacks are made from the root, so most nodes are followed by their only child.
 * Nodes that follow each other like that are a run.  A run hangs on the parent of
 * its first node.  Totals are made for whole runs, from the last to the first, and
 * only runs that are wide enough are then laid out node by node.
 */
#include "base/alloc.h"
#include "base/sort.h"
#include "render/boxes.h"

#include <stdlib.h>

/* The total of a node. */
struct sums {
	weight_sum width;
	weight_sum sum[TREE_COLUMNS];
};

struct run_tree {
	const struct tree *t;
	struct layout *l;
	bool either;
	enum tree_order order;
	uint32_t *place;	 /* of labels, see tree_places() */
	uint32_t *head;		 /* by run: its first node; behind the last, the number of nodes */
	uint64_t *hangs;	 /* sort keys: all runs but the first, by the node they hang on */
	struct sums *sum;	 /* by run: the total of its first node */
	size_t nr;		 /* runs */
	struct pending *pending; /* a stack of nodes to be laid out, the next one last */
	size_t nr_pending, cap_pending;
};

/* A node to be laid out, and where. */
struct pending {
	struct sums sum;
	weight_sum begin;
	uint32_t node, run, depth;
	uint32_t place; /* of its label, for the order among siblings */
};

static void add_sums(struct sums *to, const struct sums *from)
{
	to->width += from->width;
	for (size_t k = 0; k < TREE_COLUMNS; k++)
		to->sum[k] += from->sum[k];
}

static struct sums sums_of_line(const struct run_tree *r, const struct tree_line *line)
{
	struct sums s = { .width = boxes_width(line, r->t->nr_column, r->either) };

	for (size_t k = 0; k < r->t->nr_column; k++)
		s.sum[k] = line->sum[k];
	return s;
}

static void find_runs(struct run_tree *r)
{
	const struct tree *t = r->t;
	size_t cap = 0;

	for (uint32_t n = 0; n < t->nr_node; n++) {
		if (n && tree_parent(t, n) == n - 1)
			continue;
		GROW(r->head, r->nr, cap);
		r->head[r->nr++] = n;
	}
	GROW(r->head, r->nr, cap);
	r->head[r->nr] = (uint32_t)t->nr_node;
	r->hangs = xcalloc(r->nr, sizeof(*r->hangs));
	for (size_t i = 1; i < r->nr; i++)
		r->hangs[i - 1] = sort_key(tree_parent(t, r->head[i]), i);
	sort_keys(r->hangs, r->nr - 1);
}

/* Lines, and runs by what they hang on, are sorted by node: those of a run are side by side. */
static void sum_runs(struct run_tree *r)
{
	size_t line = r->t->nr_line, hang = r->nr - 1;

	r->sum = xcalloc(r->nr, sizeof(*r->sum));
	for (size_t i = r->nr; i-- > 0;) {
		while (line > 0 && r->t->line[line - 1].node >= r->head[i]) {
			struct sums s = sums_of_line(r, &r->t->line[--line]);

			add_sums(&r->sum[i], &s);
		}
		while (hang > 0 && sort_by(r->hangs[hang - 1]) >= r->head[i])
			add_sums(&r->sum[i], &r->sum[sort_what(r->hangs[--hang])]);
	}
}

/* The first line of this node or of a later one. */
static size_t line_from(const struct tree *t, uint32_t node)
{
	size_t low = 0, high = t->nr_line;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->line[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first of the runs that hang on this node or on a later one. */
static size_t hang_from(const struct run_tree *r, uint32_t node)
{
	size_t low = 0, high = r->nr - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sort_by(r->hangs[middle]) < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool ends_in(const struct tree *t, uint32_t node)
{
	size_t line = line_from(t, node);

	return line < t->nr_line && t->line[line].node == node;
}

static void add_pending(struct run_tree *r, uint32_t node, uint32_t run, uint32_t depth,
			const struct sums *sum)
{
	GROW(r->pending, r->nr_pending, r->cap_pending);
	r->pending[r->nr_pending++] = (struct pending){
		.sum = *sum,
		.node = node,
		.run = run,
		.depth = depth,
		.place = r->place[2 * tree_label(r->t, node) + !ends_in(r->t, node)],
	};
}

/* In reverse, since the last of the stack is laid out first. */
static int by_name(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	return x->place < y->place ? 1 : x->place > y->place ? -1 : 0;
}

static int by_width(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	if (x->sum.width != y->sum.width)
		return x->sum.width > y->sum.width ? 1 : -1;
	return by_name(a, b);
}

/* Sets the begins of the siblings from `first` on, the leftmost at x; drops those too narrow. */
static void place_siblings(struct run_tree *r, size_t first, weight_sum x)
{
	size_t nr = r->nr_pending - first, kept = r->nr_pending;
	weight_sum narrow = x; /* where the siblings began that were dropped since the last kept */

	if (!nr)
		return;
	if (nr > 1)
		qsort(r->pending + first, nr, sizeof(*r->pending),
		      r->order == TREE_WIDTH ? by_width : by_name);
	for (size_t i = r->nr_pending; i-- > first;) {
		struct pending *p = &r->pending[i];
		weight_sum begin = x;

		x += p->sum.width;
		if (boxes_too_narrow(r->l, p->sum.width))
			continue;
		boxes_add_more(r->l, p->depth, narrow, begin);
		narrow = x;
		p->begin = begin;
		/* Those that are kept move to the end, where all have been looked at already. */
		r->pending[--kept] = *p;
	}
	boxes_add_more(r->l, r->pending[first].depth, narrow, x);
	memmove(r->pending + first, r->pending + kept,
		(r->nr_pending - kept) * sizeof(*r->pending));
	r->nr_pending -= kept - first;
}

static void add_node(struct run_tree *r, const struct pending *p, const struct tree_line *line)
{
	struct box b = { .label = tree_label(r->t, p->node),
			 .depth = p->depth,
			 .node = p->node,
			 .begin = p->begin,
			 .end = p->begin + p->sum.width,
			 .has_delta = r->t->nr_column == 2 };

	if (!p->node)
		b.label = LAYOUT_ALL;
	for (size_t k = 0; k < TREE_COLUMNS; k++)
		b.sum[k] = p->sum.sum[k];
	if (line) {
		b.self = boxes_width(line, r->t->nr_column, r->either);
		if (b.has_delta)
			b.delta = line->sum[1] - line->sum[0];
	}
	boxes_add(r->l, &b);
}

/* All paths begin with the tree's root label: its box is between everything and the first nodes. */
static void add_root(struct run_tree *r, const struct pending *all, const struct tree_line *line)
{
	struct pending p = *all;

	add_node(r, &p, NULL);
	if (boxes_too_narrow(r->l, p.sum.width))
		return;
	p.depth = 1;
	add_node(r, &p, line);
	r->l->box[r->l->nr - 1].label = r->t->root - 1;
}

/* Adds the box of a node, and its children to the pending ones. */
static void lay_out_node(struct run_tree *r, struct pending p)
{
	const struct tree *t = r->t;
	size_t at = line_from(t, p.node), first = r->nr_pending;
	const struct tree_line *line =
		at < t->nr_line && t->line[at].node == p.node ? &t->line[at] : NULL;
	struct sums rest = p.sum;
	weight_sum x = p.begin;
	uint32_t depth = p.depth + 1;

	if (!p.node && t->root) {
		add_root(r, &p, line);
		depth++;
	} else {
		add_node(r, &p, line);
	}
	if (line) {
		struct sums own = sums_of_line(r, line);

		x += own.width;
		rest.width -= own.width;
		for (size_t k = 0; k < TREE_COLUMNS; k++)
			rest.sum[k] -= own.sum[k];
	}
	for (size_t i = hang_from(r, p.node); i < r->nr - 1 && sort_by(r->hangs[i]) == p.node;
	     i++) {
		uint32_t run = sort_what(r->hangs[i]);

		add_pending(r, r->head[run], run, depth, &r->sum[run]);
		rest.width -= r->sum[run].width;
		for (size_t k = 0; k < TREE_COLUMNS; k++)
			rest.sum[k] -= r->sum[run].sum[k];
	}
	if (p.node + 1 < r->head[p.run + 1])
		add_pending(r, p.node + 1, p.run, depth, &rest);
	place_siblings(r, first, x);
}

static int by_end(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The largest change of a node's self. */
static void find_max_delta(struct layout *l, const struct tree *t)
{
	for (size_t i = 0; i < t->nr_line && t->nr_column == 2; i++) {
		weight_sum delta = t->line[i].sum[1] - t->line[i].sum[0];
		weight_sum size = delta < 0 ? -delta : delta;

		/* Samples without a stack are in no frame. */
		if (size > l->max_delta && (t->line[i].node || t->root))
			l->max_delta = size;
	}
}

void layout_tree(struct layout *l, const struct tree *t, enum tree_order order,
		 struct layout_least least)
{
	struct run_tree r = { .t = t, .l = l, .either = least.either, .order = order };
	struct pending all = { 0 };

	r.place = tree_places(t);
	find_runs(&r);
	sum_runs(&r);
	all.sum = r.sum[0];
	boxes_begin(l, all.sum.width, t->scale, least);
	l->total = all.sum.width;
	for (size_t k = 0; k < TREE_COLUMNS; k++)
		l->sum[k] = all.sum.sum[k];
	find_max_delta(l, t);
	lay_out_node(&r, all);
	while (r.nr_pending)
		lay_out_node(&r, r.pending[--r.nr_pending]);
	qsort(l->box, l->nr, sizeof(*l->box), by_end);
	free(r.place);
	free(r.head);
	free(r.hangs);
	free(r.sum);
	free(r.pending);
}
