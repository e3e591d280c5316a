/*
 * A preorder walk over all stacks of a profile: callers before callees, siblings
 * sorted by name.
 *
 * Most stacks have one callee, which is the next row of the profile's table.
 * Only the callees of the others (forks) are listed and sorted: a fraction of
 * the rows, and the walk reads most of the memory in order.
 */
#ifndef WICK_PACK_PREORDER_H
#define WICK_PACK_PREORDER_H

#include "profile/profile.h"

struct preorder {
	const struct profile *p;
	/*
	 * One for each 64 stacks.  Bits and counts are side by side: one cache miss instead of
	 * three.
	 */
	struct preorder_word {
		uint64_t forks;	 /* stacks whose callees are listed */
		uint64_t ends;	 /* the last stacks of runs */
		uint32_t before; /* forks before these stacks */
	} * word;
	uint64_t *callee; /* sort keys by name, in the order of the forks that call them */
	uint32_t *first;  /* by rank of a fork: where in `callee` its callees begin */
	struct pending {
		uint32_t next, end; /* positions in `callee` */
		uint32_t depth;
	} * pending;
	size_t nr, cap;
	uint32_t at, depth; /* the last stack of the last run, and its depth */
};

/* name: by frame, its rank by name.  The profile must outlive it. */
void preorder_init(struct preorder *o, const struct profile *p, const uint32_t *name);
void preorder_release(struct preorder *o);

/* Rows `first` up to `first + nr` of the table of stacks, each of which calls the next. */
struct preorder_run {
	uint32_t first, nr;
	uint32_t depth; /* of the first; a callee of the root has 1 */
};

/* The next run; false at the end. */
bool preorder_next(struct preorder *o, struct preorder_run *run);

#endif
