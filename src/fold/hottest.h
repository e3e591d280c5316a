/* The most expensive functions. */
#ifndef WICK_FOLD_HOTTEST_H
#define WICK_FOLD_HOTTEST_H

#include "fold/tree.h"

struct top_row {
	uint32_t label;
	weight_sum self, total; /* of the last column; recursion counts once */
	weight_sum before;	/* the total of the first of two columns, else 0 */
};

/*
 * All functions with a sample, without thread names: by self, then total, then
 * before, all largest first, then by label.  The caller frees the array.
 */
struct top_row *top_list(const struct tree *t, size_t *nr);

#endif
