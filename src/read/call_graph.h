/*
 * A call graph: what functions cost themselves, and what each cost that
 * another one called.  There are no stacks in it.  They are derived: what a
 * function costs is shared out among the ways to it, in proportion to what the
 * calls on these ways cost, as if it did the same for all of its callers.
 *
 * What each function costs itself stays exact.
 */
#ifndef WICK_READ_CALL_GRAPH_H
#define WICK_READ_CALL_GRAPH_H

#include "base/intern.h"
#include "read/build.h"

enum {
	CALL_EVENTS_MAX = 32,
	/* Ways are many more than calls: those that cost most are followed, up to this many. */
	CALL_WAYS_MAX = 128 * 1024,
	/* … and this deep. */
	CALL_DEPTH_MAX = 1000,
};

struct call_graph {
	struct build *b;
	size_t nr_event;
	uint32_t event[CALL_EVENTS_MAX]; /* of the profile */
	/* Functions */
	frame_id *frame;
	uint32_t *first; /* of its calls, +1; 0: it calls nobody */
	uint64_t *self;	 /* by event */
	size_t nr, cap;
	/* Calls, those of one pair of functions together */
	struct intern pairs;
	struct call {
		uint32_t callee, next; /* next: of the same caller, as `first` */
	} * call;
	uint64_t *cost; /* by event: with all that was called from there */
	size_t nr_call, cap_call;
};

/* Forgets all functions; the events stay. */
void call_graph_release(struct call_graph *g);

/* One more function.  The events must be known. */
uint32_t call_graph_function(struct call_graph *g, frame_id frame);

/* What a function cost itself, and one that it called; -1: more than can be added up. */
int call_graph_self(struct call_graph *g, uint32_t function, const uint64_t *cost);
int call_graph_call(struct call_graph *g, uint32_t caller, uint32_t callee, const uint64_t *cost);

/* call_cycles.c: which calls come back to a function that is still running, and how many. */
uint64_t call_graph_cut(const struct call_graph *g, bool *cut);

/* call_ways.c: counts it all, as stacks that are derived. */
int call_graph_count(struct call_graph *g, struct error *e);

#endif
