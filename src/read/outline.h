/*
 * Text that shows a call tree by indentation or by a column of levels: a row
 * is a function, the rows below it that are one level deeper are what it
 * called.
 */
#ifndef WICK_READ_OUTLINE_H
#define WICK_READ_OUTLINE_H

#include "read/build.h"

enum outline_weight {
	OUTLINE_SELF,	/* a row's number is its own: counted at once */
	OUTLINE_TOTAL,	/* it includes what the function called: counted less the callees' */
	OUTLINE_LEAVES, /* only rows that call nothing count */
};

struct outline_row {
	stack_id stack; /* down to this row */
	frame_id frame;
	size_t level;
	int64_t weight, callees;
	bool has_callees;
	bool idle;
};

struct outline {
	struct build *b;
	enum outline_weight weight;
	bool callers;		 /* the rows below a row are what called it, not what it called */
	bool keep_zero;		 /* rows that weigh nothing are samples too */
	bool last_counts;	 /* of rows with the same callers only the last one counts */
	bool samples;		 /* what a row weighs is a number of samples */
	struct outline_row *row; /* from the root to the row read last */
	size_t nr, cap;
	size_t level_max; /* no row may be deeper than one level below the row before it */
	/* Of the row that is being read; the reader sets them. */
	struct span line; /* what notes show */
	bool idle;	  /* it only waits: neither it nor the zeros above it count */
};

void outline_release(struct outline *o);

/*
 * The next row.  Level 0 is a root; a row more than one level deeper than the
 * one before hangs below it all the same (NOTE_SKIPPED_INDENT), and so do the
 * rows of its own level that follow.  What is too deep to be kept counts for
 * the deepest row that is (NOTE_TOO_DEEP).
 */
int outline_add(struct outline *o, size_t level, frame_id frame, int64_t weight, struct error *e);

/* No more rows: counts what is still open. */
int outline_end(struct outline *o, struct error *e);

#endif
