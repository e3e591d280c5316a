/*
 * All stacks of a profile, each before what it calls, and that by name.
 *
 * Most stacks are followed by the only one they call, so only the others are
 * sorted: a fraction of the rows, and the walk runs through memory in order.
 */
#ifndef WICK_PACK_PREORDER_H
#define WICK_PACK_PREORDER_H

#include "base/rank.h"
#include "profile/profile.h"

struct preorder {
	const struct profile *p;
	struct rank forks; /* stacks whose callees are listed */
	uint64_t *callee;  /* keys by caller, in the order of the names */
	uint32_t *first;   /* by rank of the caller: where its callees begin */
	struct pending {
		uint32_t next, end; /* of `callee` */
		uint32_t depth;
	} * pending;
	size_t nr, cap;
	uint32_t at, depth;
};

/* name: by frame, its place in the order. */
void preorder_init(struct preorder *o, const struct profile *p, const uint32_t *name);
void preorder_release(struct preorder *o);

/* The next of the pending callees; 0: none is left. */
uint32_t preorder_turn(struct preorder *o);

/* The next stack and how deep it is, from 1 on; 0 at the end. */
static inline uint32_t preorder_next(struct preorder *o, uint32_t *depth)
{
	uint32_t next = o->at + 1;

	if (__builtin_expect(next < o->p->nr_stack && o->p->stack[next].caller.i == o->at &&
				     !rank_has(&o->forks, o->at),
			     1)) {
		o->at = next;
		o->depth++;
	} else {
		o->at = preorder_turn(o);
	}
	*depth = o->depth;
	return o->at;
}

#endif
