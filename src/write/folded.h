/* A profile as folded stacks: `root;caller;callee 42`, one line per stack. */
#ifndef WICK_WRITE_FOLDED_H
#define WICK_WRITE_FOLDED_H

#include "base/error.h"
#include "base/output.h"
#include "profile/profile.h"

enum folded_order {
	FOLDED_SORTED, /* merged, sorted by bytes */
	FOLDED_INPUT,  /* in sample order: the profile must have kept its ticks */
	FOLDED_FIRST,  /* merged, in the order in which the stacks were first seen */
};

/* How a weight with a fraction is written. */
enum folded_number {
	FOLDED_SHORTEST, /* 3, 3.5 */
	FOLDED_POINT,	 /* 3.0, 3.5 */
	FOLDED_WHOLE,	 /* 3, 3; lines that become 0 are dropped */
	FOLDED_ROUNDED,	 /* 3, 4: rounded half to even, as printf does */
};

struct folded_opts {
	unsigned spelling; /* enum spelling */
	enum folded_order order;
	enum folded_number number;
	bool reverse; /* from the leaf to the root, when sorted */
	bool samples; /* write the number of samples, not their weight */
	/* By event: which counts are written; a second column for before and after. */
	size_t nr_column;
	const bool *in[2];
};

/* Returns the number of lines written. */
size_t folded_write(struct output *out, const struct profile *p, const struct folded_opts *o);

#endif
