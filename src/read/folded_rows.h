/*
 * Folded text as rows: lines cut into names, the names interned, and frames that a line
 * shares with the line before only counted.  This needs no profile, so threads do it in
 * parallel (turns.h); making stacks of the rows is what is left to do in order.
 */
#ifndef WICK_READ_FOLDED_ROWS_H
#define WICK_READ_FOLDED_ROWS_H

#include "base/intern.h"
#include "base/source.h"
#include "base/span.h"

#include <stdint.h>

struct folded_row {
	uint64_t line;	    /* its number in the chunk, from 1 */
	struct span text;   /* the whole line */
	struct span count;  /* empty: it is no line of folded text */
	struct span before; /* the first of two counts, where lines have two; else empty */
	uint32_t nr_shared; /* frames, from the root, that it shares with the row before */
	uint32_t nr_name;   /* how many frames follow these: the next so many of `name` */
	bool cut;	    /* it was deeper than PROFILE_DEPTH_MAX */
};

struct folded_rows {
	bool pairs;	     /* lines may have two counts */
	bool trim_names;     /* a last name of blanks is no name */
	struct intern names; /* of all chunks so far */
	/* Of the chunk that was cut last: */
	struct folded_row *row;
	uint32_t *name; /* handles of `names`, of all rows in order */
	size_t nr_row, cap_row, nr_name, cap_name;
	uint64_t nr_line; /* with empty lines and comments */
	/* Of the row before: its stack, and the offsets at which its frames end. */
	struct span last;
	uint32_t *end;
	size_t nr_end, cap_end;
};

/* Replaces the rows by those of a chunk, which they point into. */
void folded_rows_cut(struct folded_rows *r, const struct chunk *c);
void folded_rows_release(struct folded_rows *r);

/* Cuts " 12" or " 12.5" off the end of a line; false when there is no count. */
bool folded_cut_count(struct span *line, struct span *count);

/* `# …` */
bool folded_is_comment(struct span line);

#endif
