/*
 * Differences between programs that fold call trees of rows (sample, VTune, Visual Studio,
 * pmcstat).
 */
#ifndef WICK_READ_TEXT_ROWS_POLICY_H
#define WICK_READ_TEXT_ROWS_POLICY_H

#include <stdbool.h>

struct rows_policy {
	bool last_counts;      /* of equal stacks only the last one counts */
	bool leaf_totals;      /* only rows without callees count, with their totals */
	bool any_header;       /* the first line is the header, whatever it says */
	bool two_words;	       /* sample: a name is a word, or two with a dot between them */
	bool whole_ms;	       /* VTune: the time of each row is rounded to milliseconds */
	bool optional_counts;  /* Visual Studio: a row without a count has no calls */
	bool quote_level;      /* Visual Studio: an invalid level is noted without its line */
	bool quote_line;       /* an invalid count is noted with its line */
	bool allocated_bytes;  /* VTune memory consumption: bytes, not allocations */
	const char *leave_out; /* characters to drop from names; NULL: none */
};

#endif
