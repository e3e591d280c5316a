/*
 * In which order the rows of a profile are written: one that does not depend on
 * how the profile came to be, so that equal profiles are equal bytes.
 */
#ifndef WICK_PACK_ORDER_H
#define WICK_PACK_ORDER_H

#include "profile/profile.h"

struct order {
	uint32_t *row;	  /* by number: which row of the profile */
	uint32_t *number; /* by row: under which number it is written */
	size_t nr;	  /* numbers; that of row 0 is 0 */
};

struct orders {
	/* The most often named first; strings that no row names are not written. */
	struct order strings, modules, frames, labels;
	struct order threads; /* by pid, tid, comm */
	uint32_t *text;	      /* by string: its place in the order of the bytes */
	uint32_t *name;	      /* by frame: its place among frames in the order of their names */
	/* By row, the labels of a set in the order of the bytes: in the profile it is any. */
	struct label_set *label_set;
	struct arena label;
};

void orders_init(struct orders *o, const struct profile *p);
void orders_release(struct orders *o);

#endif
