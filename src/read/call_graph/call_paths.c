/*
 * The paths through a call graph, each of which becomes a stack.  They begin at
 * functions without callers.  The most expensive path is always followed next,
 * so that at the limit, only the cheapest ones are dropped.
 *
 * `share` is the part of its function's cost that a path represents, by event.
 * The shares of all paths to a function add up to 1, except for dropped paths.
 * Self costs are distributed in proportion to shares, and stay exact.
 */
#include "base/alloc.h"
#include "read/call_graph/call_graph.h"

#include <assert.h>
#include <stdlib.h>

#define NO_PATH UINT32_MAX

struct call_path {
	uint32_t function, caller; /* caller: a path; NO_PATH: none */
	uint32_t depth;
	uint32_t next; /* 1 + the next path to the same function; 0: none */
	stack_id stack;
	double cost; /* as a share of the event's total; the largest of all events */
};

struct call_paths {
	struct call_graph *g;
	struct call_path *path;
	double *share; /* by path and event */
	size_t nr, cap;
	uint32_t *heap; /* of paths that were not followed yet: the most expensive first */
	size_t nr_heap, cap_heap;
	uint32_t *first, *last; /* by function: 1 + the first and last path to it */
	double *called;		/* by function and event: the cost of all calls of it */
	double total[CALL_EVENTS_MAX];
	bool *cut; /* by call: it is recursive, and not followed */
	uint64_t nr_given_up, nr_cut;
};

/* Heap */

static bool heap_before(const struct call_paths *c, uint32_t a, uint32_t b)
{
	if (c->path[a].cost != c->path[b].cost)
		return c->path[a].cost > c->path[b].cost;
	return a < b;
}

static void heap_push(struct call_paths *c, uint32_t path)
{
	size_t i = c->nr_heap++;

	if (i == c->cap_heap) {
		c->cap_heap = c->cap_heap ? c->cap_heap * 2 : 64;
		c->heap = xreallocarray(c->heap, c->cap_heap, sizeof(*c->heap));
	}
	for (; i && heap_before(c, path, c->heap[(i - 1) / 2]); i = (i - 1) / 2)
		c->heap[i] = c->heap[(i - 1) / 2];
	c->heap[i] = path;
}

static uint32_t heap_pop(struct call_paths *c)
{
	uint32_t top = c->heap[0], last = c->heap[--c->nr_heap];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < c->nr_heap) {
		if (child + 1 < c->nr_heap && heap_before(c, c->heap[child + 1], c->heap[child]))
			child++;
		if (!heap_before(c, c->heap[child], last))
			break;
		c->heap[i] = c->heap[child];
		i = child;
	}
	c->heap[i] = last;
	return top;
}

/* Paths */

static void add_path(struct call_paths *c, uint32_t function, uint32_t caller, const double *share,
		     double cost)
{
	struct profile *p = c->g->b->p;
	size_t nr_event = c->g->nr_event, i = c->nr;
	struct call_path path = { .function = function, .caller = caller, .cost = cost };

	if (i == c->cap) {
		c->cap = c->cap ? c->cap * 2 : 64;
		c->path = xreallocarray(c->path, c->cap, sizeof(*c->path));
		c->share = xreallocarray(c->share, c->cap, nr_event * sizeof(*c->share));
	}
	if (caller != NO_PATH) {
		path.depth = c->path[caller].depth + 1;
		path.stack = c->path[caller].stack;
	}
	path.stack = profile_push(p, path.stack, c->g->frame[function]);
	c->path[c->nr++] = path;
	memcpy(&c->share[i * nr_event], share, nr_event * sizeof(*share));
	if (c->last[function])
		c->path[c->last[function] - 1].next = (uint32_t)i + 1;
	else
		c->first[function] = (uint32_t)i + 1;
	c->last[function] = (uint32_t)i + 1;
	heap_push(c, (uint32_t)i);
}

/* Begins a path at a function without callers, with all of its cost. */
static void begin_path(struct call_paths *c, uint32_t function)
{
	double share[CALL_EVENTS_MAX];

	for (size_t i = 0; i < c->g->nr_event; i++)
		share[i] = 1;
	add_path(c, function, NO_PATH, share, 1);
}

/* The share of the callee's cost that is due to this path; false: it rounds to 0 for all events. */
static bool find_share(const struct call_paths *c, uint32_t path, uint32_t call, double *share,
		       double *cost)
{
	size_t nr_event = c->g->nr_event;
	uint32_t callee = c->g->call[call].callee;
	bool matters = false;

	*cost = 0;
	for (size_t i = 0; i < nr_event; i++) {
		double called = c->called[callee * nr_event + i], due;

		share[i] = 0;
		if (called > 0)
			share[i] = c->share[path * nr_event + i] *
				   (double)c->g->cost[call * nr_event + i] / called;
		due = share[i] * called;
		matters |= due >= 0.5;
		if (c->total[i] > 0 && due / c->total[i] > *cost)
			*cost = due / c->total[i];
	}
	return matters;
}

static void follow(struct call_paths *c, uint32_t path)
{
	const struct call_graph *g = c->g;

	for (uint32_t next = g->first[c->path[path].function]; next;
	     next = g->call[next - 1].next) {
		uint32_t callee = g->call[next - 1].callee;
		double share[CALL_EVENTS_MAX], cost;

		if (c->cut[next - 1] ||
		    (!find_share(c, path, next - 1, share, &cost) && c->first[callee]))
			continue;
		if (c->nr >= CALL_PATHS_MAX || c->path[path].depth >= CALL_DEPTH_MAX)
			c->nr_given_up++;
		else
			add_path(c, callee, path, share, cost);
	}
}

static void follow_all(struct call_paths *c)
{
	while (c->nr_heap)
		follow(c, heap_pop(c));
}

/* Begins at functions without callers; then at functions that no path reached because of the limits. */
static void find_paths(struct call_paths *c)
{
	const struct call_graph *g = c->g;
	bool *called = xcalloc(g->nr + 1, sizeof(*called));

	for (size_t i = 0; i < g->nr_call; i++)
		called[g->call[i].callee] |= !c->cut[i];
	for (uint32_t i = 0; i < g->nr; i++)
		if (!called[i])
			begin_path(c, i);
	follow_all(c);
	for (uint32_t i = 0; i < g->nr; i++)
		if (!c->first[i]) {
			begin_path(c, i);
			follow_all(c);
		}
	free(called);
}

static void add_up(struct call_paths *c)
{
	const struct call_graph *g = c->g;
	size_t nr_event = g->nr_event;

	for (size_t call = 0; call < g->nr_call; call++)
		for (size_t i = 0; i < nr_event && !c->cut[call]; i++)
			c->called[g->call[call].callee * nr_event + i] +=
				(double)g->cost[call * nr_event + i];
	for (size_t i = 0; i < g->nr * nr_event; i++)
		c->total[i % nr_event] += (double)g->self[i];
}

/* Counting */

static int count_at(struct call_paths *c, uint32_t path, size_t event, uint64_t cost,
		    struct error *e)
{
	if (!cost)
		return 0;
	c->g->b->event = c->g->event[event];
	return build_add(c->g->b, c->path[path].stack, (int64_t)cost,
			 build_nr_of((int64_t)cost, c->g->period[event]), e);
}

/* Distributes the self cost over the paths by cumulative shares, so that rounding errors do not add up. */
static int count_function(struct call_paths *c, uint32_t function, size_t event, struct error *e)
{
	size_t nr_event = c->g->nr_event;
	uint64_t self = c->g->self[function * nr_event + event], given = 0;
	double all = 0, sum = 0;

	/* A graph without cycles has a function without callers, so there is a path. */
	assert(c->share);
	for (uint32_t path = c->first[function]; path; path = c->path[path - 1].next)
		all += c->share[(path - 1) * nr_event + event];
	for (uint32_t path = c->first[function]; path; path = c->path[path - 1].next) {
		uint64_t due = self;

		sum += c->share[(path - 1) * nr_event + event];
		if (c->path[path - 1].next && all > 0 && sum < all)
			due = (uint64_t)((double)self * (sum / all) + 0.5);
		if (due > self || due < given)
			due = due < given ? given : self;
		if (count_at(c, path - 1, event, due - given, e))
			return -1;
		given = due;
	}
	return 0;
}

static void add_notes(const struct call_paths *c)
{
	struct notes *notes = &c->g->b->p->notes;

	notes_add(notes, NOTE_DERIVED, 1, 0, SPAN(""));
	if (c->nr_cut)
		notes_add(notes, NOTE_CYCLE, c->nr_cut, 0, SPAN(""));
	if (c->nr_given_up)
		notes_add(notes, NOTE_GIVEN_UP, c->nr_given_up, 0, SPAN(""));
}

int call_graph_count(struct call_graph *g, struct error *e)
{
	struct call_paths c = { .g = g };
	int ret = 0;

	if (!g->nr)
		return 0;
	c.first = xcalloc(g->nr, sizeof(*c.first));
	c.last = xcalloc(g->nr, sizeof(*c.last));
	c.cut = xcalloc(g->nr_call + 1, sizeof(*c.cut));
	c.called = xcalloc(g->nr * g->nr_event, sizeof(*c.called));
	c.nr_cut = call_graph_cut(g, c.cut);
	add_up(&c);
	find_paths(&c);
	for (uint32_t i = 0; i < g->nr && !ret; i++)
		for (size_t event = 0; event < g->nr_event && !ret; event++)
			ret = count_function(&c, i, event, e);
	add_notes(&c);
	free(c.path);
	free(c.share);
	free(c.heap);
	free(c.first);
	free(c.last);
	free(c.cut);
	free(c.called);
	return ret;
}
