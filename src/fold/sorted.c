/*
 * Walking a tree in the order of its printed lines without printing them
 * first.  "a;z" sorts behind "a b;c", though "a" sorts before "a b": the name
 * of a node with something below it counts as ending in `;`.  So every name
 * has two places in the order, one where a line ends and one where it goes on.
 */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "fold/tree.h"

#include <stdlib.h>

struct name {
	struct span text;
	uint32_t label;
	bool goes_on;
};

/* The byte at i as sorting sees it: -1 behind the end of a line. */
static int byte_at(const struct name *n, size_t i)
{
	if (i < n->text.size)
		return (unsigned char)n->text.at[i];
	return n->goes_on && i == n->text.size ? ';' : -1;
}

static int by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	size_t shorter = x->text.size < y->text.size ? x->text.size : y->text.size;
	int order = shorter ? memcmp(x->text.at, y->text.at, shorter) : 0;

	for (size_t i = shorter; !order && i <= shorter + 1; i++)
		order = byte_at(x, i) - byte_at(y, i);
	return order;
}

/* place[2 * label] where a line ends with it, place[2 * label + 1] where it goes on. */
static uint32_t *sort_names(const struct tree *t)
{
	size_t nr = 2 * (size_t)t->labels.nr;
	struct name *name = xcalloc(nr, sizeof(*name));
	uint32_t *place = xcalloc(nr, sizeof(*place));

	for (size_t i = 0; i < nr; i++)
		name[i] = (struct name){ .text = intern_peek(&t->labels, (uint32_t)(i / 2)),
					 .label = (uint32_t)(i / 2),
					 .goes_on = i & 1 };
	if (nr)
		qsort(name, nr, sizeof(*name), by_text);
	for (size_t i = 0; i < nr; i++)
		place[2 * name[i].label + name[i].goes_on] = (uint32_t)i;
	free(name);
	return place;
}

/* Something still to be visited: a node's own line, or what is below it. */
struct pending {
	uint32_t place;
	uint32_t node;
	uint32_t depth;
	bool goes_on;
};

struct walk {
	const struct tree *t;
	uint32_t *place;
	uint32_t *first; /* children of node n: child[first[n]] up to child[first[n + 1]] */
	uint32_t *child;
	struct pending *pending;
	size_t nr, cap;
	struct strbuf path;
	size_t *end; /* by depth: how long the path to there is */
	size_t cap_end;
};

static void list_children(struct walk *w)
{
	const struct tree *t = w->t;

	w->first = xcalloc(t->nr_node + 2, sizeof(*w->first));
	w->child = xcalloc(t->nr_node, sizeof(*w->child));
	for (size_t n = 1; n < t->nr_node; n++)
		w->first[t->node[n].parent + 2]++;
	for (size_t n = 2; n < t->nr_node + 2; n++)
		w->first[n] += w->first[n - 1];
	for (size_t n = 1; n < t->nr_node; n++)
		w->child[w->first[t->node[n].parent + 1]++] = (uint32_t)n;
}

/* The last to be visited first, since the newest is taken first. */
static int by_place(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	return x->place < y->place ? 1 : x->place > y->place ? -1 : 0;
}

static void add_pending(struct walk *w, uint32_t node, uint32_t depth, bool goes_on)
{
	GROW(w->pending, w->nr, w->cap);
	w->pending[w->nr++] = (struct pending){
		.place = w->place[2 * w->t->node[node].label + goes_on],
		.node = node,
		.depth = depth,
		.goes_on = goes_on,
	};
}

static void add_children(struct walk *w, uint32_t node, uint32_t depth)
{
	size_t begin = w->nr;

	for (uint32_t i = w->first[node]; i < w->first[node + 1]; i++) {
		uint32_t n = w->child[i];

		if (w->t->node[n].line)
			add_pending(w, n, depth, false);
		if (w->first[n] < w->first[n + 1])
			add_pending(w, n, depth, true);
	}
	if (w->nr - begin > 1)
		qsort(w->pending + begin, w->nr - begin, sizeof(*w->pending), by_place);
}

/* Makes the path that of a node at some depth: what is above it is there already. */
static void set_path(struct walk *w, uint32_t node, uint32_t depth)
{
	if (depth + 1 >= w->cap_end) {
		w->cap_end = w->cap_end ? w->cap_end * 2 : 256;
		w->end = xreallocarray(w->end, w->cap_end, sizeof(*w->end));
	}
	w->path.size = depth ? w->end[depth - 1] : 0;
	if (depth)
		strbuf_addch(&w->path, ';');
	strbuf_add(&w->path, intern_peek(&w->t->labels, w->t->node[node].label));
	w->end[depth] = w->path.size;
}

/* Most of a tree is branches without forks: they need no order. */
static bool is_only_child(const struct walk *w, uint32_t node)
{
	return w->first[node + 1] - w->first[node] == 1 &&
	       w->first[w->child[w->first[node]]] < w->first[w->child[w->first[node]] + 1] &&
	       !w->t->node[w->child[w->first[node]]].line;
}

static void walk_below(struct walk *w, uint32_t node, uint32_t depth)
{
	while (is_only_child(w, node)) {
		node = w->child[w->first[node]];
		set_path(w, node, depth++);
	}
	add_children(w, node, depth);
}

void tree_walk_sorted(const struct tree *t, tree_visitor *visit, void *arg)
{
	struct walk w = { .t = t, .place = sort_names(t) };

	list_children(&w);
	/* Samples without any frame: a line without a path. */
	if (t->node[0].line)
		visit(arg, SPAN(""), &t->line[t->node[0].line - 1]);
	walk_below(&w, 0, 0);
	while (w.nr) {
		struct pending at = w.pending[--w.nr];

		set_path(&w, at.node, at.depth);
		if (at.goes_on)
			walk_below(&w, at.node, at.depth + 1);
		else
			visit(arg, strbuf_peek(&w.path), &t->line[t->node[at.node].line - 1]);
	}
	free(w.place);
	free(w.first);
	free(w.child);
	free(w.pending);
	free(w.end);
	strbuf_release(&w.path);
}
