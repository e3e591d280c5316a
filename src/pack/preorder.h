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
	uint32_t at, depth; /* of the stack that came last */
};

/* name: by frame, its place in the order. */
void preorder_init(struct preorder *o, const struct profile *p, const uint32_t *name);
void preorder_release(struct preorder *o);

/* Stacks that follow each other in the profile's table and in the walk: each calls the next. */
struct preorder_run {
	uint32_t first, nr;
	uint32_t depth; /* of the first, from 1 on */
};

/* The next of them; false at the end. */
bool preorder_next(struct preorder *o, struct preorder_run *run);

#endif
