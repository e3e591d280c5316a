/* The functions that cost most. */
#ifndef WICK_FOLD_TOP_H
#define WICK_FOLD_TOP_H

#include "fold/tree.h"

struct top_row {
	uint32_t label;
	weight_sum self, total; /* of the last column; what calls itself counts once */
	weight_sum before;	/* the total of the first of two columns, else 0 */
};

/*
 * All functions that cost anything, no threads: by self, then total, then what
 * they were before, then name.  To be freed.
 */
struct top_row *top_list(const struct tree *t, size_t *nr);

#endif
