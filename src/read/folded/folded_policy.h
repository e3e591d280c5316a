/*
 * Differences between programs that write and read folded stacks; wick's own behavior is all false.
 */
#ifndef WICK_READ_FOLDED_FOLDED_POLICY_H
#define WICK_READ_FOLDED_FOLDED_POLICY_H

#include <stdbool.h>

struct folded_policy {
	bool single_count;  /* a number before the count is part of the name */
	bool whole_counts;  /* a count with a fraction is invalid */
	bool cut_fractions; /* fractions are dropped, and noted */
	bool trim_names;    /* a last name of only blanks is not a name */
	bool empty_leaf;    /* `a;b; 3` ends in a frame without a name */
	bool trim_leaf;	    /* blanks before the last name are not part of it */
	bool keep_indent;   /* blanks before the first name are part of it */
	bool dashed_wakers; /* frames after a frame `--` are those of the waker */
};

#endif
