/* A profile as folded stacks: `root;caller;callee 42`, one line a stack. */
#ifndef WICK_EXPORT_FOLDED_H
#define WICK_EXPORT_FOLDED_H

#include "base/error.h"
#include "base/output.h"
#include "profile/profile.h"

enum folded_order {
	FOLDED_SORTED, /* merged, in the order of the bytes */
	FOLDED_INPUT,  /* as the samples came: the profile must have kept its ticks */
	FOLDED_FIRST,  /* merged, in the order in which the stacks were first seen */
};

/* How a weight with a fraction is written. */
enum folded_number {
	FOLDED_SHORTEST, /* 3, 3.5 */
	FOLDED_POINT,	 /* 3.0, 3.5 */
	FOLDED_WHOLE,	 /* 3, 3; and what comes to 0 is left out */
	FOLDED_ROUNDED,	 /* 3, 4: a half goes to the even side, as printf has it */
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

/* Returns how many lines were written. */
size_t folded_write(struct output *out, const struct profile *p, const struct folded_opts *o);

#endif
