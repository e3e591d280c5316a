/*
 * The layout of a tree.  A large tree has far more nodes than are wide enough to be drawn, so
 * narrow nodes are skipped without visiting each of them.
 *
 * Stacks are built from the root, so most nodes are followed by their only child.  Nodes that
 * follow each other like that are a run.  A run hangs on the parent of its first node.  Totals are
 * computed for whole runs, from the last to the first, and only runs that are wide enough are then
 * laid out node by node.
 */
#include "base/alloc.h"
#include "base/sort.h"
#include "render/box.h"

#include <assert.h>
#include <stdlib.h>

/* The total of a node. */
struct sums {
	weight_sum width;
	weight_sum sum[TREE_COLUMNS];
};

struct run {
	uint32_t head; /* its first node */
	uint32_t line; /* the first line of this node or of a later one */
	uint32_t hang; /* the first of run_tree.hangs on this node or on a later one */
};

struct run_tree {
	const struct tree *t;
	struct layout *l;
	bool either;
	enum tree_order order;
	uint32_t *place; /* of labels, see tree_places() */
	struct run *run; /* and a sentinel, whose head is the number of nodes */
	uint64_t *hangs; /* sort keys: all runs but the first, by the node they hang on */
	/*
	 * By run, the total of its first node: width and sums, `stride` numbers.  There may be millions
	 * of runs, so they are in 64 bits wherever they fit, and a width that is the only sum is stored
	 * once.
	 */
	int64_t *narrow;
	weight_sum *wide;
	size_t stride;
	size_t nr;		 /* runs */
	struct pending *pending; /* a stack of nodes to be laid out, the next one last */
	size_t nr_pending, cap_pending;
};

/* A node to be laid out, and where. */
struct pending {
	struct sums sum;
	weight_sum begin;
	uint32_t node, run, depth;
	uint32_t line, hang; /* as in struct run */
	uint32_t place;	     /* of its label, for the order among siblings */
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

/* Do all totals fit into 64 bits?  Sets *negative if a sum is negative. */
static bool all_fit(const struct run_tree *r, bool *negative)
{
	weight_sum size = 0;

	*negative = false;

	for (size_t i = 0; i < r->t->nr_line; i++) {
		const struct tree_line line = tree_line(r->t, i);

		for (size_t k = 0; k < r->t->nr_column; k++) {
			weight_sum sum = line.sum[k];

			size += sum < 0 ? -sum : sum;
			*negative |= sum < 0;
		}
	}
	return size <= INT64_MAX;
}

static void set_total(struct run_tree *r, size_t run, const struct sums *s)
{
	assert(r->narrow || r->wide);
	for (size_t k = 0; k < r->stride; k++) {
		weight_sum value = k ? s->sum[k - 1] : s->width;

		if (r->narrow)
			r->narrow[run * r->stride + k] = (int64_t)value;
		else
			r->wide[run * r->stride + k] = value;
	}
}

static struct sums total_of(const struct run_tree *r, size_t run)
{
	struct sums s = { 0 };

	assert(r->narrow || r->wide);
	for (size_t k = 0; k < r->stride; k++) {
		weight_sum value =
			r->narrow ? r->narrow[run * r->stride + k] : r->wide[run * r->stride + k];

		if (k)
			s.sum[k - 1] = value;
		else
			s.width = value;
	}
	if (r->stride == 1)
		s.sum[0] = s.width;
	return s;
}

static weight_sum width_of(const struct run_tree *r, size_t run)
{
	return r->narrow ? r->narrow[run * r->stride] : r->wide[run * r->stride];
}

static void find_runs(struct run_tree *r)
{
	const struct tree *t = r->t;
	size_t cap = 0;

	for (uint32_t n = 0; n < t->nr_node; n++) {
		if (n && tree_parent(t, n) == n - 1)
			continue;
		GROW(r->run, r->nr, cap);
		r->run[r->nr++] = (struct run){ .head = n };
	}
	GROW(r->run, r->nr, cap);
	r->run[r->nr] = (struct run){ .head = (uint32_t)t->nr_node };
	r->hangs = xcalloc(r->nr, sizeof(*r->hangs));
	for (size_t i = 1; i < r->nr; i++)
		r->hangs[i - 1] = sort_key(tree_parent(t, r->run[i].head), i);
	sort_keys(r->hangs, r->nr - 1);
}

/*
 * Computes the totals.  Lines are sorted by node, and runs by the node that they hang on, so those
 * of a run are adjacent.
 */
static void sum_runs(struct run_tree *r)
{
	size_t line = r->t->nr_line, hang = r->nr - 1;
	bool fits, negative;

	fits = all_fit(r, &negative);
	r->stride = r->t->nr_column > 1 || negative ? 1 + r->t->nr_column : 1;
	if (fits)
		r->narrow = xcalloc(r->nr * r->stride, sizeof(*r->narrow));
	else
		r->wide = xcalloc(r->nr * r->stride, sizeof(*r->wide));
	for (size_t i = r->nr; i-- > 0;) {
		struct sums total = { 0 };

		while (line > 0 && r->t->line_node[line - 1] >= r->run[i].head) {
			const struct tree_line at = tree_line(r->t, --line);
			struct sums s = sums_of_line(r, &at);

			add_sums(&total, &s);
		}
		while (hang > 0 && sort_by(r->hangs[hang - 1]) >= r->run[i].head) {
			struct sums s = total_of(r, sort_what(r->hangs[--hang]));

			add_sums(&total, &s);
		}
		set_total(r, i, &total);
		r->run[i].line = (uint32_t)line;
		r->run[i].hang = (uint32_t)hang;
	}
}

/* Does a stack end in this node?  `line` is the first line of the node or of a later one. */
static bool ends_in(const struct tree *t, uint32_t node, uint32_t line)
{
	return line < t->nr_line && t->line_node[line] == node;
}

static void add_pending(struct run_tree *r, const struct pending *p)
{
	GROW(r->pending, r->nr_pending, r->cap_pending);
	r->pending[r->nr_pending++] = *p;
}

static void subtract_sums(struct sums *from, const struct sums *part)
{
	from->width -= part->width;
	for (size_t k = 0; k < TREE_COLUMNS; k++)
		from->sum[k] -= part->sum[k];
}

static bool hangs_on(const struct run_tree *r, uint32_t hang, uint32_t node)
{
	return hang < r->nr - 1 && sort_by(r->hangs[hang]) == node;
}

/* Does the run continue after this node? */
static bool goes_on(const struct run_tree *r, const struct pending *p)
{
	return p->node + 1 < r->run[p->run + 1].head;
}

/* Is one of the node's children, whose total width is `below`, wide enough? */
static bool has_wide_child(const struct run_tree *r, const struct pending *p, weight_sum below)
{
	for (uint32_t hang = p->hang; hangs_on(r, hang, p->node); hang++) {
		weight_sum width = width_of(r, sort_what(r->hangs[hang]));

		if (!boxes_too_narrow(r->l, width))
			return true;
		below -= width;
	}
	return goes_on(r, p) && !boxes_too_narrow(r->l, below);
}

/*
 * Adds the children of a node to the pending ones, unless all of them are too narrow; returns the
 * width that they have together.
 */
static weight_sum add_children(struct run_tree *r, const struct pending *p, uint32_t depth)
{
	bool ends = ends_in(r->t, p->node, p->line);
	/* The next node of the run, if any: its width is what the other children leave. */
	struct pending next = { .sum = p->sum,
				.node = p->node + 1,
				.run = p->run,
				.depth = depth,
				.line = p->line + (ends ? 1 : 0),
				.hang = p->hang };
	weight_sum below;

	if (ends) {
		const struct tree_line line = tree_line(r->t, p->line);
		struct sums own = sums_of_line(r, &line);

		subtract_sums(&next.sum, &own);
	}
	below = next.sum.width;
	if (!has_wide_child(r, p, below))
		return below;
	for (; hangs_on(r, next.hang, p->node); next.hang++) {
		uint32_t run = sort_what(r->hangs[next.hang]);
		struct pending child = { .sum = total_of(r, run),
					 .node = r->run[run].head,
					 .run = run,
					 .depth = depth,
					 .line = r->run[run].line,
					 .hang = r->run[run].hang };

		add_pending(r, &child);
		subtract_sums(&next.sum, &child.sum);
	}
	if (goes_on(r, p))
		add_pending(r, &next);
	return below;
}

/*
 * By label: is it the name of siblings that have to be sorted?  Of many labels, that is a small
 * part.
 */
static bool *compared_labels(struct run_tree *r, const struct pending *all)
{
	bool *compared = xcalloc(r->t->labels.nr, sizeof(*compared));

	add_pending(r, all);
	while (r->nr_pending) {
		struct pending p = r->pending[--r->nr_pending];
		size_t nr = r->nr_pending;

		add_children(r, &p, 0);
		for (size_t i = nr; i < r->nr_pending; i++) {
			compared[tree_label(r->t, r->pending[i].node)] = true;
			if (!boxes_too_narrow(r->l, r->pending[i].sum.width))
				r->pending[nr++] = r->pending[i];
		}
		r->nr_pending = nr;
	}
	return compared;
}

/* In reverse order, since pending nodes are taken from the end. */
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

/* Insertion sort for few siblings, the usual case: qsort() allocates memory. */
static void sort_siblings(struct pending *p, size_t nr, int (*by)(const void *, const void *))
{
	enum { FEW = 8 };

	if (nr > FEW) {
		qsort(p, nr, sizeof(*p), by);
		return;
	}
	for (size_t i = 1; i < nr; i++) {
		struct pending moved = p[i];
		size_t to = i;

		for (; to > 0 && by(&p[to - 1], &moved) > 0; to--)
			p[to] = p[to - 1];
		p[to] = moved;
	}
}

/* Sets the begins of the siblings from `first` on, the leftmost at x; drops those too narrow. */
static void place_siblings(struct run_tree *r, size_t first, weight_sum x)
{
	size_t nr = r->nr_pending - first, kept = r->nr_pending;
	weight_sum narrow = x; /* the begin of the siblings dropped since the last kept one */

	for (size_t i = first; i < r->nr_pending; i++) {
		struct pending *p = &r->pending[i];
		bool ends = ends_in(r->t, p->node, p->line);

		p->place = r->place[2 * tree_label(r->t, p->node) + !ends];
	}
	sort_siblings(r->pending + first, nr, r->order == TREE_WIDTH ? by_width : by_name);
	for (size_t i = r->nr_pending; i-- > first;) {
		struct pending *p = &r->pending[i];
		weight_sum begin = x;

		x += p->sum.width;
		if (boxes_too_narrow(r->l, p->sum.width))
			continue;
		boxes_add_more(r->l, p->depth, narrow, begin);
		narrow = x;
		p->begin = begin;
		/* Siblings to keep move to the end, over those that were visited already. */
		r->pending[--kept] = *p;
	}
	boxes_add_more(r->l, r->pending[first].depth, narrow, x);
	memmove(r->pending + first, r->pending + kept,
		(r->nr_pending - kept) * sizeof(*r->pending));
	r->nr_pending -= kept - first;
}

static void add_node(struct run_tree *r, const struct pending *p, bool ends)
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
	if (ends) {
		const struct tree_line line = tree_line(r->t, p->line);

		b.self = boxes_width(&line, r->t->nr_column, r->either);
		if (b.has_delta)
			b.delta = line.sum[1] - line.sum[0];
	}
	boxes_add(r->l, &b);
}

/*
 * All paths begin with the tree's root label: its box is between the box of the whole and the first
 * nodes.
 */
static void add_root(struct run_tree *r, const struct pending *all, bool ends)
{
	struct pending p = *all;

	add_node(r, &p, false);
	if (boxes_too_narrow(r->l, p.sum.width))
		return;
	p.depth = 1;
	add_node(r, &p, ends);
	r->l->box[r->l->nr - 1].label = r->t->root - 1;
}

/* Adds the box of a node, and its children to the pending ones. */
static void lay_out_node(struct run_tree *r, struct pending p)
{
	bool ends = ends_in(r->t, p.node, p.line);
	uint32_t depth = p.depth + 1;
	size_t first = r->nr_pending;
	weight_sum begin, below;

	if (!p.node && r->t->root) {
		add_root(r, &p, ends);
		depth++;
	} else {
		add_node(r, &p, ends);
	}
	below = add_children(r, &p, depth);
	/* The node's self weight is at its left. */
	begin = p.begin + p.sum.width - below;
	if (r->nr_pending > first)
		place_siblings(r, first, begin);
	else
		boxes_add_more(r->l, depth, begin, begin + below);
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

/* Sorts boxes by the upper bits of their ends, and compares only those that are equal in these. */
static void sort_boxes(struct layout *l)
{
	uint64_t *key = xcalloc(l->nr, sizeof(*key));
	struct box *box = xcalloc(l->nr, sizeof(*box));
	int shift = 0;

	while (l->total >> shift > UINT32_MAX)
		shift++;
	for (size_t i = 0; i < l->nr; i++)
		key[i] = sort_key((uint32_t)(l->box[i].end >> shift), i);
	sort_keys(key, l->nr);
	for (size_t i = 0; i < l->nr; i++)
		box[i] = l->box[sort_what(key[i])];
	for (size_t begin = 0, end; begin < l->nr; begin = end) {
		bool sorted = true;

		for (end = begin + 1; end < l->nr && sort_by(key[end]) == sort_by(key[begin]);
		     end++)
			sorted &= by_end(&box[end - 1], &box[end]) <= 0;
		if (!sorted)
			qsort(box + begin, end - begin, sizeof(*box), by_end);
	}
	free(key);
	free(l->box);
	l->box = box;
	l->cap = l->nr;
}

/* The largest change of a node's self. */
static void find_max_delta(struct layout *l, const struct tree *t)
{
	for (size_t i = 0; i < t->nr_line && t->nr_column == 2; i++) {
		const struct tree_line line = tree_line(t, i);
		weight_sum delta = line.sum[1] - line.sum[0];
		weight_sum size = delta < 0 ? -delta : delta;

		/* Samples without a stack are in no frame. */
		if (size > l->max_delta && (line.node || t->root))
			l->max_delta = size;
	}
}

void layout_tree(struct layout *l, const struct tree *t, enum tree_order order,
		 struct layout_least least)
{
	struct run_tree r = { .t = t, .l = l, .either = least.either, .order = order };
	struct pending all = { 0 };
	bool *compared;

	find_runs(&r);
	sum_runs(&r);
	all.sum = total_of(&r, 0);
	boxes_begin(l, all.sum.width, t->scale, least);
	l->total = all.sum.width;
	for (size_t k = 0; k < TREE_COLUMNS; k++)
		l->sum[k] = all.sum.sum[k];
	find_max_delta(l, t);
	compared = compared_labels(&r, &all);
	r.place = tree_places(t, compared);
	free(compared);
	lay_out_node(&r, all);
	while (r.nr_pending)
		lay_out_node(&r, r.pending[--r.nr_pending]);
	sort_boxes(l);
	free(r.place);
	free(r.run);
	free(r.hangs);
	free(r.narrow);
	free(r.wide);
	free(r.pending);
}
