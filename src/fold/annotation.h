/*
 * One function from the inside: self and total of each of its source lines and
 * of each of its addresses.  Code that was inlined into it is listed under the
 * lines of the inlined function.
 */
#ifndef WICK_FOLD_ANNOTATION_H
#define WICK_FOLD_ANNOTATION_H

#include "fold/tree.h"
#include "profile/profile.h"

struct annotation_opts {
	struct span function; /* its name, in that spelling */
	unsigned spelling;    /* enum spelling */
	bool samples;	      /* count samples, not their weight */
	const bool *in;	      /* by event: does it count? */
};

/* A line of the function, or of one that was inlined into it. */
struct annotation_line {
	str_id function, file;
	uint32_t line;		/* 0: unknown */
	bool is_own;		/* of the function itself */
	weight_sum self, total; /* samples with this leaf, and all samples through it */
};

/* An address in a module's file, of the function's code or of code that was inlined into it. */
struct annotation_place {
	module_id module;
	uint64_t address; /* of the interrupted instruction, or inside the call */
	enum frame_kind kind;
	weight_sum self, total;
};

struct annotation {
	struct annotation_line *line; /* by function (its own first), file and line */
	size_t nr_line, cap_line;
	struct annotation_place *place; /* by module and address */
	size_t nr_place, cap_place;
	weight_sum all;		 /* of the whole profile */
	weight_sum self;	 /* of the function itself, as in a table of functions */
	weight_sum code;	 /* self, and the code inlined into it */
	weight_sum total;	 /* code, and its callees */
	weight_sum placed_self;	 /* of code: the part with an address */
	weight_sum placed_total; /* of total: the same */
	int scale;		 /* sums are multiples of 10^scale */
};

/* Strings stay the profile's, which must outlive the annotation. */
void annotation_init(struct annotation *a, const struct profile *p,
		     const struct annotation_opts *o);
void annotation_release(struct annotation *a);

#endif
