/*
 * Visits a tree in the order of its printed lines without printing them first. "a;z" sorts after "a b;c", though
 * "a" sorts before "a b": the name of a node with children counts as ending in `;`.  So every name has two places
 * in the order, one where a line ends and one where it continues.
 */
#include "fold/walk.h"

#include "base/alloc.h"
#include "base/rank.h"
#include "base/sort.h"
#include "base/sort_text.h"

#include <stdlib.h>

/* The labels that are compared, sorted by name. */
static struct sort_text *sort_labels(const struct labels *l, const bool *compared, uint32_t *nr)
{
	struct sort_text *name = NULL;
	size_t cap = 0;

	*nr = 0;
	for (uint32_t i = 0; i < l->nr; i++) {
		if (compared && !compared[i])
			continue;
		GROW(name, *nr, cap);
		name[(*nr)++] = sort_text(labels_peek(l, i), i);
	}
	sort_texts(name, *nr, 1);
	return name;
}

static bool same_text(const struct sort_text *a, const struct sort_text *b)
{
	return a->size == b->size && !memcmp(a->at, b->at, a->size);
}

/* Does a name still sort before another one that follows it, if a `;` is appended?  Neither contains a `;`. */
static bool goes_on_before(const struct sort_text *a, const struct sort_text *b)
{
	return a->size > b->size || memcmp(a->at, b->at, a->size) != 0 ||
	       (a->size < b->size && (unsigned char)b->at[a->size] > ';');
}

/* Names whose places with a `;` are not known yet: each is a prefix of the next, or equals it. */
struct open_names {
	const struct sort_text **at;
	size_t nr, cap;
};

/* Gives places to those that come before the next name; NULL: to all. */
static void close_names(struct open_names *o, const struct sort_text *next, uint32_t *place,
			uint32_t *nr_place)
{
	while (o->nr && (!next || goes_on_before(o->at[o->nr - 1], next))) {
		size_t first = o->nr - 1;

		/* Equal names, such as a thread's and a function's, are in the order of labels. */
		while (first && same_text(o->at[first - 1], o->at[o->nr - 1]))
			first--;
		for (size_t k = first; k < o->nr; k++)
			place[2 * (size_t)o->at[k]->what + 1] = (*nr_place)++;
		o->nr = first;
	}
}

/* A name with a `;` sorts after names that begin with it, if their next byte is smaller. */
static void places_of_sorted(const struct sort_text *name, uint32_t nr, uint32_t *place)
{
	uint32_t nr_place = 0;
	struct open_names open = { 0 };

	for (uint32_t i = 0; i < nr; i++) {
		close_names(&open, &name[i], place, &nr_place);
		place[2 * (size_t)name[i].what] = nr_place++;
		GROW(open.at, open.nr, open.cap);
		open.at[open.nr++] = &name[i];
	}
	close_names(&open, NULL, place, &nr_place);
	free(open.at);
}

/* The same if names contain a `;`: sorts all names without and with a `;` appended. */
static uint32_t *places_of_all(const struct labels *l)
{
	uint32_t nr = 2 * l->nr;
	struct sort_text *name = xcalloc(nr, sizeof(*name));
	uint32_t *place = xcalloc(nr, sizeof(*place));
	struct arena copies = { 0 };

	for (uint32_t i = 0; i < nr; i++) {
		struct span text = labels_peek(l, i / 2);
		char *copy;

		if (i & 1) {
			copy = arena_take(&copies, text.size + 1);
			if (text.size)
				memcpy(copy, text.at, text.size);
			copy[text.size++] = ';';
			text.at = copy;
		}
		name[i] = sort_text(text, i);
	}
	sort_texts(name, nr, 1);
	for (uint32_t i = 0; i < nr; i++)
		place[name[i].what] = i;
	arena_release(&copies);
	free(name);
	return place;
}

uint32_t *tree_places(const struct tree *t, const bool *compared)
{
	const struct labels *l = &t->labels;
	uint32_t nr, *place;
	struct sort_text *name = sort_labels(l, compared, &nr);

	for (uint32_t i = 0; i < nr; i++)
		if (memchr(name[i].at, ';', name[i].size)) {
			free(name);
			return places_of_all(l);
		}
	place = xcalloc(2 * (size_t)l->nr, sizeof(*place));
	places_of_sorted(name, nr, place);
	free(name);
	return place;
}

enum { AHEAD = 8 }; /* nodes that are fetched before they are visited */

/* What to visit of a node: its own line, its children, or both. */
enum part { PART_LINE = 1, PART_BELOW = 2 };

struct pending {
	weight_sum weight; /* for TREE_WIDTH, else 0 */
	uint32_t place;	   /* of its label: see tree_places() */
	uint32_t node;
	uint32_t depth;
	unsigned parts;
};

struct walk {
	const struct tree *t;
	uint32_t *place;
	/*
	 * Stacks are made from the root, so most nodes are followed by their only
	 * child.  Just the other children are listed: those of node n from
	 * first[rank of n] on, for the nodes in `forks`.
	 */
	struct rank forks;
	uint64_t *child; /* sort keys by parent */
	uint32_t *first;
	struct rank ends;	 /* nodes where a line ends: its rank is the number of the line */
	struct pending *pending; /* a stack: the last is visited next */
	size_t nr, cap;
	enum tree_order order;
	weight_sum *total; /* by node, for TREE_WIDTH */
	uint32_t *path;	   /* labels from the root, by depth */
	size_t cap_path;
	size_t shared; /* how many labels of `path` are the same as for the last visited line */
};

static void list_children(struct walk *w)
{
	const struct tree *t = w->t;
	size_t nr = 0, cap = 0, nr_fork = 0;

	rank_init(&w->forks, t->nr_node);
	for (uint32_t n = 1; n < t->nr_node; n++) {
		uint32_t parent = tree_parent(t, n);

		if (parent == n - 1)
			continue;
		GROW(w->child, nr, cap);
		w->child[nr++] = sort_key(parent, n);
		nr_fork += !rank_has(&w->forks, parent);
		rank_add(&w->forks, parent);
	}
	sort_keys(w->child, nr);
	rank_count(&w->forks, t->nr_node);
	w->first = xcalloc(nr_fork + 1, sizeof(*w->first));
	for (size_t i = nr; i-- > 0;)
		w->first[rank_of(&w->forks, sort_by(w->child[i]))] = (uint32_t)i;
	w->first[nr_fork] = (uint32_t)nr;
}

static void list_ends(struct walk *w)
{
	rank_init(&w->ends, w->t->nr_node);
	for (size_t i = 0; i < w->t->nr_line; i++)
		rank_add(&w->ends, w->t->line_node[i]);
	rank_count(&w->ends, w->t->nr_node);
}

static bool child_follows(const struct walk *w, uint32_t node)
{
	return node + 1 < w->t->nr_node && tree_parent(w->t, node + 1) == node;
}

static bool has_children(const struct walk *w, uint32_t node)
{
	return child_follows(w, node) || rank_has(&w->forks, node);
}

/*
 * By label: is its place ever needed?  Not if all its nodes are only children: hardly any of the many names that
 * occur once is sorted.
 */
static bool *compared_labels(const struct walk *w)
{
	const struct tree *t = w->t;
	bool *compared = xcalloc(t->labels.nr, sizeof(*compared));

	for (uint32_t n = 1; n < t->nr_node; n++) {
		uint32_t parent = tree_parent(t, n);

		/* A line that ends in the node is separate from the lines below it. */
		if (parent != n - 1 || rank_has(&w->forks, parent) || rank_has(&w->ends, n))
			compared[tree_label(t, n)] = true;
	}
	return compared;
}

/* The total of each node, in the last column. */
static weight_sum *sum_up(const struct tree *t)
{
	weight_sum *total = xcalloc(t->nr_node, sizeof(*total));

	for (size_t i = 0; i < t->nr_line; i++)
		total[t->line_node[i]] += tree_line(t, i).sum[t->nr_column - 1];
	for (uint32_t n = (uint32_t)t->nr_node; n-- > 1;)
		total[tree_parent(t, n)] += total[n];
	return total;
}

/* In reverse, since the last of the stack is visited first. */
static int by_turn(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? 1 : -1;
	return x->place < y->place ? 1 : x->place > y->place ? -1 : 0;
}

static void add_pending(struct walk *w, uint32_t node, uint32_t depth, unsigned parts)
{
	GROW(w->pending, w->nr, w->cap);
	w->pending[w->nr++] = (struct pending){
		.weight = w->total ? w->total[node] : 0,
		.place = w->place[2 * tree_label(w->t, node) + !(parts & PART_LINE)],
		.node = node,
		.depth = depth,
		.parts = parts,
	};
}

static void add_child(struct walk *w, uint32_t node, uint32_t depth)
{
	unsigned parts = rank_has(&w->ends, node) ? PART_LINE : 0;

	if (has_children(w, node))
		parts |= PART_BELOW;
	/* Printed, the line of "a" and the lines of "a;b" may have "a c" between them. */
	if (w->order == TREE_TEXT && parts == (PART_LINE | PART_BELOW)) {
		add_pending(w, node, depth, PART_LINE);
		parts = PART_BELOW;
	}
	if (parts)
		add_pending(w, node, depth, parts);
}

/*
 * Prefetches what a visit reads first: the nodes of one path are adjacent, but the next path may be anywhere.  The
 * next line from a node on is mostly that of the path through it.
 */
static void fetch(const struct walk *w, uint32_t node)
{
	enum { CACHE_LINE = 64, LINES = 4 };
	const char *at =
		w->t->node ? (const char *)&w->t->node[node] : (const char *)&w->t->stack[node];
	size_t line;

	for (size_t i = 0; i < LINES; i++)
		__builtin_prefetch(at + i * CACHE_LINE);
	__builtin_prefetch(&w->forks.bits[node / 64]);
	line = rank_of(&w->ends, node) * w->t->nr_column;
	__builtin_prefetch(w->t->narrow ? (const char *)&w->t->narrow[line]
					: (const char *)&w->t->wide[line]);
}

static void add_children(struct walk *w, uint32_t node, uint32_t depth)
{
	size_t begin = w->nr;

	if (child_follows(w, node))
		add_child(w, node + 1, depth);
	if (rank_has(&w->forks, node)) {
		size_t fork = rank_of(&w->forks, node);

		for (uint32_t i = w->first[fork]; i < w->first[fork + 1]; i++)
			add_child(w, sort_what(w->child[i]), depth);
	}
	if (w->nr - begin > 1)
		qsort(w->pending + begin, w->nr - begin, sizeof(*w->pending), by_turn);
	for (size_t i = w->nr; i > begin && w->nr - i < AHEAD; i--)
		fetch(w, w->pending[i - 1].node);
}

static void set_label(struct walk *w, uint32_t label, size_t depth)
{
	if (depth == w->cap_path) {
		w->cap_path = w->cap_path ? w->cap_path * 2 : 256;
		w->path = xreallocarray(w->path, w->cap_path, sizeof(*w->path));
	}
	w->path[depth] = label;
	if (depth < w->shared)
		w->shared = depth;
}

static void walk_below(struct walk *w, uint32_t node, uint32_t depth)
{
	/* Without a fork, there is nothing to sort. */
	while (child_follows(w, node) && !rank_has(&w->forks, node) &&
	       !rank_has(&w->ends, node + 1)) {
		node++;
		set_label(w, tree_label(w->t, node), depth++);
	}
	add_children(w, node, depth);
}

static void visit_line(struct walk *w, uint32_t node, size_t depth, tree_visitor *visit, void *arg)
{
	struct tree_path path = { .label = w->path, .nr = depth, .shared = w->shared };
	struct tree_line line = tree_line(w->t, rank_of(&w->ends, node));

	visit(arg, &path, &line);
	w->shared = depth;
}

void tree_walk(const struct tree *t, enum tree_order order, tree_visitor *visit, void *arg)
{
	struct walk w = { .t = t, .order = order };
	uint32_t depth = 0;
	bool *compared;

	list_children(&w);
	list_ends(&w);
	compared = compared_labels(&w);
	w.place = tree_places(t, compared);
	free(compared);
	if (order == TREE_WIDTH)
		w.total = sum_up(t);
	if (t->root)
		set_label(&w, t->root - 1, depth++);
	if (rank_has(&w.ends, 0))
		visit_line(&w, 0, depth, visit, arg);
	walk_below(&w, 0, depth);
	while (w.nr) {
		struct pending at = w.pending[--w.nr];

		if (w.nr > AHEAD)
			fetch(&w, w.pending[w.nr - AHEAD].node);
		set_label(&w, tree_label(t, at.node), at.depth);
		if (at.parts & PART_LINE)
			visit_line(&w, at.node, at.depth + 1, visit, arg);
		if (at.parts & PART_BELOW)
			walk_below(&w, at.node, at.depth + 1);
	}
	free(w.place);
	free(w.total);
	rank_release(&w.forks);
	rank_release(&w.ends);
	free(w.child);
	free(w.first);
	free(w.pending);
	free(w.path);
}
