/*
 * A call graph: the self cost of functions, and the cost of each caller-callee pair.  It has no
 * stacks.  They are derived: the cost of a function is distributed over the paths to it, in
 * proportion to the cost of the calls on these paths, as if it did the same for all of its callers.
 *
 * The self cost of each function stays exact.
 */
#ifndef WICK_READ_CALL_GRAPH_CALL_GRAPH_H
#define WICK_READ_CALL_GRAPH_CALL_GRAPH_H

#include "base/intern.h"
#include "read/build.h"

enum {
	CALL_EVENTS_MAX = 32,
	/*
	 * There are many more paths than calls: only this many are followed, the most expensive first.
	 */
	CALL_PATHS_MAX = 128 * 1024,
	/* … and this deep. */
	CALL_DEPTH_MAX = 1000,
};

struct call_graph {
	struct build *b;
	size_t nr_event;
	uint32_t event[CALL_EVENTS_MAX];  /* of the profile */
	uint64_t period[CALL_EVENTS_MAX]; /* weight of a sample; 0: unknown */
	/* Functions */
	frame_id *frame;
	uint32_t *first; /* 1 + its first call; 0: it has no callees */
	uint64_t *self;	 /* by event */
	size_t nr, cap;
	/* Calls; those of one pair of functions are merged */
	struct intern pairs;
	struct call {
		uint32_t callee, next; /* next: 1 + the next call of the same caller; 0: the last */
	} * call;
	uint64_t *cost; /* by event: including everything called from there */
	size_t nr_call, cap_call;
};

/* Removes all functions; the events stay. */
void call_graph_release(struct call_graph *g);

/* Adds a function.  The events must be known. */
uint32_t call_graph_function(struct call_graph *g, frame_id frame);

/* Add the self cost of a function, and the cost of a call; -1: overflow. */
int call_graph_self(struct call_graph *g, uint32_t function, const uint64_t *cost);
int call_graph_call(struct call_graph *g, uint32_t caller, uint32_t callee, const uint64_t *cost);

/* call_cycles.c: marks the recursive calls, which return to a function that is still running; returns their number. */
uint64_t call_graph_cut(const struct call_graph *g, bool *cut);

/* call_paths.c: counts everything, as derived stacks. */
int call_graph_count(struct call_graph *g, struct error *e);

#endif
