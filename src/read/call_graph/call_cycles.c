/*
 * Recursive calls: back edges to a function that is still running.  Without
 * them, the graph has no cycles.  A depth-first search from the functions
 * without callers, in file order, finds them.
 */
#include "base/alloc.h"
#include "read/call_graph/call_graph.h"

#include <stdlib.h>

enum walked { WALKED_NOT, WALKED_NOW, WALKED_DONE };

struct walk {
	const struct call_graph *g;
	bool *cut;
	unsigned char *state; /* by function: enum walked */
	uint32_t *at;	      /* by function: 1 + the next call to follow */
	uint32_t *path;	      /* instead of recursion, because the input decides the depth */
	size_t nr_path;
	uint64_t nr_cut;
};

static void enter(struct walk *w, uint32_t function)
{
	w->state[function] = WALKED_NOW;
	w->at[function] = w->g->first[function];
	w->path[w->nr_path++] = function;
}

static void walk_from(struct walk *w, uint32_t function)
{
	if (w->state[function] == WALKED_NOT)
		enter(w, function);
	while (w->nr_path) {
		uint32_t here = w->path[w->nr_path - 1], i = w->at[here], callee;

		if (!i) {
			w->state[here] = WALKED_DONE;
			w->nr_path--;
			continue;
		}
		callee = w->g->call[i - 1].callee;
		w->at[here] = w->g->call[i - 1].next;
		if (w->state[callee] == WALKED_NOT) {
			enter(w, callee);
		} else if (w->state[callee] == WALKED_NOW) {
			w->cut[i - 1] = true;
			w->nr_cut++;
		}
	}
}

uint64_t call_graph_cut(const struct call_graph *g, bool *cut)
{
	struct walk w = { .g = g, .cut = cut };
	bool *called = xcalloc(g->nr + 1, sizeof(*called));

	w.state = xcalloc(g->nr + 1, sizeof(*w.state));
	w.at = xcalloc(g->nr + 1, sizeof(*w.at));
	w.path = xcalloc(g->nr + 1, sizeof(*w.path));
	for (uint32_t i = 0; i < g->nr; i++)
		for (uint32_t next = g->first[i]; next; next = g->call[next - 1].next)
			called[g->call[next - 1].callee] |= g->call[next - 1].callee != i;
	for (uint32_t i = 0; i < g->nr; i++)
		if (!called[i])
			walk_from(&w, i);
	/* Functions without a path from those are only called in cycles: begin with any of them. */
	for (uint32_t i = 0; i < g->nr; i++)
		walk_from(&w, i);
	free(called);
	free(w.state);
	free(w.at);
	free(w.path);
	return w.nr_cut;
}
