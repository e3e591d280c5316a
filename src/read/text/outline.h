/*
 * Text that shows a call tree by indentation or by a column of levels: each row is a function,
 * followed by its callees, one level deeper.
 */
#ifndef WICK_READ_TEXT_OUTLINE_H
#define WICK_READ_TEXT_OUTLINE_H

#include "read/build.h"

enum outline_weight {
	OUTLINE_SELF,	/* a row's weight is its self weight */
	OUTLINE_TOTAL,	/* … its total: its callees' totals are subtracted */
	OUTLINE_LEAVES, /* … its total, and only rows without callees count */
};

struct outline_row {
	stack_id stack; /* down to this row */
	frame_id frame;
	size_t level;
	int64_t weight;	 /* as given */
	int64_t callees; /* the sum of its callees' weights */
	bool has_callees;
	bool idle; /* outline.idle when it was read */
};

struct outline {
	struct build *b;
	enum outline_weight weight;
	bool callers;	  /* the rows below a row are its callers, not its callees */
	bool keep_zero;	  /* rows of weight 0 are counted, too */
	bool last_counts; /* of rows with equal stacks only the last one counts */
	bool samples;	  /* the weight is a number of samples; else each row is one sample */
	struct outline_row *row; /* from the root to the row read last */
	size_t nr, cap;
	size_t level_max; /* of the next row: at most one level deeper than the previous row */
	/* Of the row that is being added; the reader sets them. */
	struct span line; /* its text, for notes */
	bool idle;	  /* it only waits: neither it nor its callers with weight 0 count */
};

void outline_release(struct outline *o);

/*
 * Adds the next row.  Level 0 is a root.  A row more than one level deeper than the one before
 * still becomes its callee (NOTE_SKIPPED_INDENT), and so do the following rows of that level.  Rows
 * beyond the depth limit of a stack count for the deepest row that is kept (NOTE_TOO_DEEP).
 */
int outline_add(struct outline *o, size_t level, frame_id frame, int64_t weight, struct error *e);

/* To be called after the last row: counts the open ones. */
int outline_end(struct outline *o, struct error *e);

#endif
