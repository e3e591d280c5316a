#include "fold/tree.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "fold/node_table.h"

#include <math.h>
#include <stdlib.h>

enum { FACTOR_DIGITS = 6 }; /* decimals that are kept when a count is multiplied by a factor */

int tree_scale(const struct profile *p, const bool *in)
{
	int scale = 0;

	for (size_t i = 0; i < p->nr_event; i++)
		if (in[i] && p->event[i].scale < scale)
			scale = p->event[i].scale;
	return scale;
}

int tree_opts_scale(const struct profile *p, const struct tree_opts *o)
{
	int scale = 0;

	for (size_t k = 0; k < o->nr_column && !o->samples; k++) {
		int column = tree_scale(p, o->in[k]);

		scale = column < scale ? column : scale;
	}
	return o->factor > 0 ? scale - FACTOR_DIGITS : scale;
}

weight_sum tree_weight(const struct profile *p, uint32_t event, int64_t weight, int scale)
{
	weight_sum w = weight;

	for (int s = p->event[event].scale; s > scale; s--)
		w *= 10;
	return w;
}

/* Temporary data while the tree is built. */
struct builder {
	struct tree *t;
	const struct profile *p;
	const struct tree_opts *o;
	uint32_t *node_of;   /* by stack: its node below one root */
	uint32_t *node_root; /* by stack: the root that node_of is of, + 1 */
	bool distinct;	     /* see has_distinct_nodes() */
	struct node_table nodes;
	stack_id *path; /* from a stack to its callers, as far as they have no node yet */
	size_t cap_path;
};

/* Finds or adds a child; with `distinct`, it is always new. */
static uint32_t child(struct builder *b, uint32_t parent, uint32_t label)
{
	return b->distinct ? node_table_add(b->t, parent, label)
			   : node_table_child(&b->nodes, b->t, parent, label);
}

/* The node of a stack below a root, which itself is the node `base`. */
static uint32_t node_of(struct builder *b, uint32_t root, uint32_t base, stack_id stack)
{
	const struct stack *s = b->p->stack;
	uint32_t node = base;
	size_t nr = 0;

	while (stack.i && b->node_root[stack.i] != root + 1) {
		if (nr == b->cap_path) {
			b->cap_path = b->cap_path ? b->cap_path * 2 : 256;
			b->path = xreallocarray(b->path, b->cap_path, sizeof(*b->path));
		}
		b->path[nr++] = stack;
		stack = s[stack.i].caller;
	}
	if (stack.i)
		node = b->node_of[stack.i];
	while (nr-- > 0) {
		uint32_t f = s[b->path[nr].i].frame.i;

		for (uint32_t k = b->t->labels.first[f]; k < b->t->labels.first[f + 1]; k++)
			node = child(b, node, b->t->labels.of_frame[k]);
		b->node_of[b->path[nr].i] = node;
		b->node_root[b->path[nr].i] = root + 1;
	}
	return node;
}

static bool is_shown(const struct builder *b, const struct count *c)
{
	for (size_t k = 0; k < b->o->nr_column; k++)
		if (b->o->in[k][c->event])
			return true;
	return false;
}

/* The counts of the chosen events, as sort keys by root. */
static uint64_t *shown_counts(const struct builder *b, size_t *nr)
{
	const struct profile *p = b->p;
	uint64_t *key = xcalloc(p->nr_count, sizeof(*key));

	*nr = 0;
	for (size_t i = 0; i < p->nr_count; i++)
		if (is_shown(b, &p->count[i]))
			key[(*nr)++] = sort_key(b->t->labels.of_thread[p->count[i].thread.i], i);
	sort_keys(key, *nr);
	return key;
}

static weight_sum count_weight(const struct builder *b, const struct count *c, size_t column)
{
	weight_sum weight = (weight_sum)c->nr;

	if (!b->o->samples)
		weight = tree_weight(b->p, c->event, c->weight, b->t->scale);
	else
		for (int s = b->t->scale; s < 0; s++)
			weight *= 10;
	if (column || b->o->factor <= 0)
		return weight;
	return (weight_sum)roundl((long double)weight * (long double)b->o->factor);
}

static void add_count(const struct builder *b, struct tree_line *line, const struct count *c)
{
	for (size_t k = 0; k < b->o->nr_column; k++)
		if (b->o->in[k][c->event])
			line->sum[k] += count_weight(b, c, k);
}

void tree_reserve_lines(struct tree *t, size_t nr)
{
	t->line_node = xcalloc(nr, sizeof(*t->line_node));
	t->narrow = xcalloc(nr * t->nr_column, sizeof(*t->narrow));
	t->cap_line = nr;
}

static void widen(struct tree *t)
{
	t->wide = xcalloc(t->cap_line * t->nr_column, sizeof(*t->wide));
	for (size_t i = 0; i < t->nr_line * t->nr_column; i++)
		t->wide[i] = t->narrow[i];
	free(t->narrow);
	t->narrow = NULL;
}

void tree_add_line(struct tree *t, const struct tree_line *line)
{
	size_t at = t->nr_line * t->nr_column;

	for (size_t k = 0; k < t->nr_column && t->narrow; k++)
		if (line->sum[k] != (int64_t)line->sum[k])
			widen(t);
	for (size_t k = 0; k < t->nr_column; k++)
		if (t->narrow)
			t->narrow[at + k] = (int64_t)line->sum[k];
		else
			t->wide[at + k] = line->sum[k];
	t->line_node[t->nr_line++] = line->node;
}

/* Makes a line of all counts that end in one node; the keys are by node. */
static void add_lines(struct builder *b, uint64_t *key, size_t nr)
{
	struct tree *t = b->t;

	sort_keys(key, nr);
	tree_reserve_lines(t, nr);
	if (b->o->keep_nodes) {
		t->node_of = xcalloc(b->p->nr_count, sizeof(*t->node_of));
		memset(t->node_of, 0xff, b->p->nr_count * sizeof(*t->node_of));
		for (size_t i = 0; i < nr; i++)
			t->node_of[sort_what(key[i])] = sort_by(key[i]);
	}
	for (size_t begin = 0, end; begin < nr; begin = end) {
		struct tree_line line = { .node = sort_by(key[begin]) };

		for (end = begin; end < nr && sort_by(key[end]) == line.node; end++)
			add_count(b, &line, &b->p->count[sort_what(key[end])]);
		tree_add_line(t, &line);
	}
}

/*
 * Is every node new?  If no two frames are spelled alike, a stack is one node below each root; and if
 * every root has one label, none of them is a root and a frame of another.
 */
static bool has_distinct_nodes(const struct labels *l, const uint64_t *key, size_t nr)
{
	bool distinct = l->distinct;

	for (size_t i = 0; i < nr && distinct; i++)
		distinct =
			l->first_of_root[sort_by(key[i]) + 1] - l->first_of_root[sort_by(key[i])] ==
			1;
	return distinct;
}

/* Turns keys by root into keys by node, making the nodes. */
static void merge_stacks(struct builder *b, uint64_t *key, size_t nr)
{
	const struct profile *p = b->p;
	const struct labels *l = &b->t->labels;
	uint32_t base = 0, root = UINT32_MAX;

	node_table_add(b->t, 0, 0);
	b->distinct = has_distinct_nodes(l, key, nr);
	b->node_of = xcalloc(p->nr_stack, sizeof(*b->node_of));
	b->node_root = xcalloc(p->nr_stack, sizeof(*b->node_root));
	for (size_t i = 0; i < nr; i++) {
		const struct count *c = &p->count[sort_what(key[i])];

		if (sort_by(key[i]) != root) {
			root = sort_by(key[i]);
			base = 0;
			for (uint32_t k = l->first_of_root[root]; k < l->first_of_root[root + 1];
			     k++)
				base = child(b, base, l->of_root[k]);
		}
		key[i] = sort_key(node_of(b, root, base, c->stack), sort_what(key[i]));
	}
}

/* Removes the callers of the innermost base; false: the path has no base, or only its root is one. */
static bool cut_to_base(const struct builder *b, struct label_path *path, const bool *is_base)
{
	size_t at = path->nr;

	if (!b->o->nr_base)
		return true;
	/* A leaf does not count as a base. */
	while (at > 1 && !is_base[path->label[at - 2]])
		at--;
	if (at <= 2)
		return false;
	path->nr -= at - 2;
	memmove(path->label, path->label + at - 2, path->nr * sizeof(*path->label));
	return true;
}

/* By label: is it one of the names in tree_opts.base? */
static bool *list_bases(const struct builder *b)
{
	const struct labels *l = &b->t->labels;
	bool *is_base = xcalloc(l->nr, sizeof(*is_base));
	struct intern names = { 0 };

	for (size_t k = 0; k < b->o->nr_base; k++)
		intern(&names, span_of(b->o->base[k]));
	for (uint32_t i = 0; i < l->nr; i++) {
		struct span name = labels_peek(l, i);

		is_base[i] = intern_find(&names, name, intern_hash(name)) != INTERN_NONE;
	}
	intern_release(&names);
	return is_base;
}

/* The same for paths that begin at a base or are reversed; returns how many counts are left. */
static size_t change_stacks(struct builder *b, uint64_t *key, size_t nr)
{
	struct label_path path = { 0 };
	bool *is_base = list_bases(b);
	size_t kept = 0;

	node_table_add(b->t, 0, 0);
	for (size_t i = 0; i < nr; i++) {
		const struct count *c = &b->p->count[sort_what(key[i])];
		uint32_t node = 0;

		labels_path(&b->t->labels, b->p, c->thread, c->stack, &path);
		if (!cut_to_base(b, &path, is_base))
			continue;
		for (size_t k = 0; k < path.nr; k++)
			node = child(b, node, path.label[b->o->reverse ? path.nr - 1 - k : k]);
		key[kept++] = sort_key(node, sort_what(key[i]));
	}
	free(path.label);
	free(is_base);
	return kept;
}

/* Can the profile's table of stacks be the tree?  If all begin with the same name, or with none. */
static bool is_tree(const struct labels *l, const uint64_t *key, size_t nr)
{
	uint32_t root = nr ? sort_by(key[0]) : 0;

	return l->distinct && (!nr || root == sort_by(key[nr - 1])) &&
	       l->first_of_root[root + 1] - l->first_of_root[root] <= 1;
}

static void use_stacks(struct builder *b, uint64_t *key, size_t nr)
{
	const struct labels *l = &b->t->labels;
	uint32_t root = nr ? sort_by(key[0]) : 0;

	b->t->stack = b->p->stack;
	b->t->nr_node = b->p->nr_stack;
	b->t->root = root ? l->of_root[l->first_of_root[root]] + 1 : 0;
	for (size_t i = 0; i < nr; i++)
		key[i] = sort_key(b->p->count[sort_what(key[i])].stack.i, sort_what(key[i]));
}

void tree_build(struct tree *t, const struct profile *p, const struct tree_opts *o)
{
	struct builder b = { .t = t, .p = p, .o = o };
	uint64_t *key;
	size_t nr;

	*t = (struct tree){ .nr_column = o->nr_column };
	labels_init(&t->labels, p, o->spelling);
	t->scale = tree_opts_scale(p, o);
	key = shown_counts(&b, &nr);
	if (o->reverse || o->nr_base)
		nr = change_stacks(&b, key, nr);
	else if (is_tree(&t->labels, key, nr))
		use_stacks(&b, key, nr);
	else
		merge_stacks(&b, key, nr);
	add_lines(&b, key, nr);
	free(key);
	free(b.node_of);
	free(b.node_root);
	node_table_release(&b.nodes);
	free(b.path);
}

void tree_release(struct tree *t)
{
	labels_release(&t->labels);
	free(t->node);
	free(t->line_node);
	free(t->narrow);
	free(t->wide);
	free(t->node_of);
	*t = (struct tree){ 0 };
}
