/*
 * The ways through a call graph, each a stack.  A function that nobody calls
 * begins one.  From there on the way that costs most is always followed next:
 * where there are too many, those that are given up cost least.
 *
 * `share` is how much of its function a way is about, by event: all ways to a
 * function together are 1, but for those that were given up.  So what a
 * function cost itself is shared out in proportion, and is whole again.
 */
#include "base/alloc.h"
#include "read/call_graph/call_graph.h"

#include <assert.h>
#include <stdlib.h>

#define NO_WAY UINT32_MAX

struct way {
	uint32_t function, caller; /* caller: a way; NO_WAY: none */
	uint32_t depth;
	uint32_t next; /* way to the same function, +1; 0: none */
	stack_id stack;
	double cost; /* of the event that it matters most to, as a part of all of it */
};

struct prefix_cache {
	struct call_graph *g;
	struct way *way;
	double *share; /* by way and event */
	size_t nr, cap;
	uint32_t *heap; /* of ways that were not followed yet: the one that costs most first */
	size_t nr_heap, cap_heap;
	uint32_t *first, *last; /* way to each function, +1 */
	double *called;		/* by function and event: what all calls of it cost */
	double total[CALL_EVENTS_MAX];
	bool *cut; /* by call: it is not followed */
	uint64_t nr_given_up, nr_cut;
};

/* Heap */

static bool heap_before(const struct prefix_cache *w, uint32_t a, uint32_t b)
{
	if (w->way[a].cost != w->way[b].cost)
		return w->way[a].cost > w->way[b].cost;
	return a < b;
}

static void heap_push(struct prefix_cache *w, uint32_t way)
{
	size_t i = w->nr_heap++;

	if (i == w->cap_heap) {
		w->cap_heap = w->cap_heap ? w->cap_heap * 2 : 64;
		w->heap = xreallocarray(w->heap, w->cap_heap, sizeof(*w->heap));
	}
	for (; i && heap_before(w, way, w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = way;
}

static uint32_t heap_pop(struct prefix_cache *w)
{
	uint32_t top = w->heap[0], last = w->heap[--w->nr_heap];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->nr_heap) {
		if (child + 1 < w->nr_heap && heap_before(w, w->heap[child + 1], w->heap[child]))
			child++;
		if (!heap_before(w, w->heap[child], last))
			break;
		w->heap[i] = w->heap[child];
		i = child;
	}
	w->heap[i] = last;
	return top;
}

/* Ways */

static void add_way(struct prefix_cache *w, uint32_t function, uint32_t caller, const double *share,
		    double cost)
{
	struct profile *p = w->g->b->p;
	size_t nr_event = w->g->nr_event, i = w->nr;
	struct way way = { .function = function, .caller = caller, .cost = cost };

	if (i == w->cap) {
		w->cap = w->cap ? w->cap * 2 : 64;
		w->way = xreallocarray(w->way, w->cap, sizeof(*w->way));
		w->share = xreallocarray(w->share, w->cap, nr_event * sizeof(*w->share));
	}
	if (caller != NO_WAY) {
		way.depth = w->way[caller].depth + 1;
		way.stack = w->way[caller].stack;
	}
	way.stack = profile_push(p, way.stack, w->g->frame[function]);
	w->way[w->nr++] = way;
	memcpy(&w->share[i * nr_event], share, nr_event * sizeof(*share));
	if (w->last[function])
		w->way[w->last[function] - 1].next = (uint32_t)i + 1;
	else
		w->first[function] = (uint32_t)i + 1;
	w->last[function] = (uint32_t)i + 1;
	heap_push(w, (uint32_t)i);
}

/* A way that nobody calls: all of the function. */
static void begin_way(struct prefix_cache *w, uint32_t function)
{
	double share[CALL_EVENTS_MAX];

	for (size_t i = 0; i < w->g->nr_event; i++)
		share[i] = 1;
	add_way(w, function, NO_WAY, share, 1);
}

/* What of the callee is due to this way; false: less than one of anything. */
static bool find_share(const struct prefix_cache *w, uint32_t way, uint32_t call, double *share,
		       double *cost)
{
	size_t nr_event = w->g->nr_event;
	uint32_t callee = w->g->call[call].callee;
	bool matters = false;

	*cost = 0;
	for (size_t i = 0; i < nr_event; i++) {
		double called = w->called[callee * nr_event + i], due;

		share[i] = 0;
		if (called > 0)
			share[i] = w->share[way * nr_event + i] *
				   (double)w->g->cost[call * nr_event + i] / called;
		due = share[i] * called;
		matters |= due >= 0.5;
		if (w->total[i] > 0 && due / w->total[i] > *cost)
			*cost = due / w->total[i];
	}
	return matters;
}

static void follow(struct prefix_cache *w, uint32_t way)
{
	const struct call_graph *g = w->g;

	for (uint32_t next = g->first[w->way[way].function]; next; next = g->call[next - 1].next) {
		uint32_t callee = g->call[next - 1].callee;
		double share[CALL_EVENTS_MAX], cost;

		if (w->cut[next - 1] ||
		    (!find_share(w, way, next - 1, share, &cost) && w->first[callee]))
			continue;
		if (w->nr >= CALL_WAYS_MAX || w->way[way].depth >= CALL_DEPTH_MAX)
			w->nr_given_up++;
		else
			add_way(w, callee, way, share, cost);
	}
}

static void follow_all(struct prefix_cache *w)
{
	while (w->nr_heap)
		follow(w, heap_pop(w));
}

/* Those that nobody calls come first.  What has no way then was given up, and begins one. */
static void find_ways(struct prefix_cache *w)
{
	const struct call_graph *g = w->g;
	bool *called = xcalloc(g->nr + 1, sizeof(*called));

	for (size_t i = 0; i < g->nr_call; i++)
		called[g->call[i].callee] |= !w->cut[i];
	for (uint32_t i = 0; i < g->nr; i++)
		if (!called[i])
			begin_way(w, i);
	follow_all(w);
	for (uint32_t i = 0; i < g->nr; i++)
		if (!w->first[i]) {
			begin_way(w, i);
			follow_all(w);
		}
	free(called);
}

static void add_up(struct prefix_cache *w)
{
	const struct call_graph *g = w->g;
	size_t nr_event = g->nr_event;

	for (size_t call = 0; call < g->nr_call; call++)
		for (size_t i = 0; i < nr_event && !w->cut[call]; i++)
			w->called[g->call[call].callee * nr_event + i] +=
				(double)g->cost[call * nr_event + i];
	for (size_t i = 0; i < g->nr * nr_event; i++)
		w->total[i % nr_event] += (double)g->self[i];
}

/* Counting */

static int count_at(struct prefix_cache *w, uint32_t way, size_t event, uint64_t cost,
		    struct error *e)
{
	if (!cost)
		return 0;
	w->g->b->event = w->g->event[event];
	return build_add(w->g->b, w->way[way].stack, (int64_t)cost, 1, e);
}

/* The ways get what they have come to together, so the last one makes it whole. */
static int count_function(struct prefix_cache *w, uint32_t function, size_t event, struct error *e)
{
	size_t nr_event = w->g->nr_event;
	uint64_t self = w->g->self[function * nr_event + event], given = 0;
	double all = 0, sum = 0;

	/* Without its cycles, a graph has a function that nobody calls. */
	assert(w->share);
	for (uint32_t way = w->first[function]; way; way = w->way[way - 1].next)
		all += w->share[(way - 1) * nr_event + event];
	for (uint32_t way = w->first[function]; way; way = w->way[way - 1].next) {
		uint64_t due = self;

		sum += w->share[(way - 1) * nr_event + event];
		if (w->way[way - 1].next && all > 0 && sum < all)
			due = (uint64_t)((double)self * (sum / all) + 0.5);
		if (due > self || due < given)
			due = due < given ? given : self;
		if (count_at(w, way - 1, event, due - given, e))
			return -1;
		given = due;
	}
	return 0;
}

static void tell(const struct prefix_cache *w)
{
	struct notes *notes = &w->g->b->p->notes;

	notes_add(notes, NOTE_DERIVED, 1, 0, SPAN(""));
	if (w->nr_cut)
		notes_add(notes, NOTE_CYCLE, w->nr_cut, 0, SPAN(""));
	if (w->nr_given_up)
		notes_add(notes, NOTE_GIVEN_UP, w->nr_given_up, 0, SPAN(""));
}

int call_graph_count(struct call_graph *g, struct error *e)
{
	struct prefix_cache w = { .g = g };
	int ret = 0;

	if (!g->nr)
		return 0;
	w.first = xcalloc(g->nr, sizeof(*w.first));
	w.last = xcalloc(g->nr, sizeof(*w.last));
	w.cut = xcalloc(g->nr_call + 1, sizeof(*w.cut));
	w.called = xcalloc(g->nr * g->nr_event, sizeof(*w.called));
	w.nr_cut = call_graph_cut(g, w.cut);
	add_up(&w);
	find_ways(&w);
	for (uint32_t i = 0; i < g->nr && !ret; i++)
		for (size_t event = 0; event < g->nr_event && !ret; event++)
			ret = count_function(&w, i, event, e);
	tell(&w);
	free(w.way);
	free(w.share);
	free(w.heap);
	free(w.first);
	free(w.last);
	free(w.cut);
	free(w.called);
	return ret;
}
