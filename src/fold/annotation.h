/*
 * One function from the inside: what each of its lines and each of its
 * addresses took.  Code that was inlined into it has lines of its own, which
 * are the inlined function's.
 */
#ifndef WICK_FOLD_ANNOTATION_H
#define WICK_FOLD_ANNOTATION_H

#include "fold/tree.h"
#include "profile/profile.h"

struct annotation_opts {
	struct span function; /* as it is spelled */
	unsigned spelling;
	bool samples;	/* count samples, not their weight */
	const bool *in; /* by event: does it count? */
};

/* A line of the function, or of one that was inlined into it. */
struct annotation_line {
	str_id function, file;
	uint32_t line;		/* 0: it is not known */
	bool is_own;		/* of the function itself */
	weight_sum self, total; /* samples that ended here, and all that passed through */
};

/* A place in the file of a module, of code that is the function's, with all that is inlined. */
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
	weight_sum all;	  /* of the whole profile */
	weight_sum self;  /* of the function itself, as a table of functions has it */
	weight_sum code;  /* of its code: that and what was inlined into it */
	weight_sum total; /* with all that it called */
	weight_sum placed_self, placed_total; /* of the last two, what has a place */
	int scale;
};

void annotation_init(struct annotation *a, const struct profile *p,
		     const struct annotation_opts *o);
void annotation_release(struct annotation *a);

#endif
