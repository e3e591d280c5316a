/*
 * Folded text as rows: lines cut into names, the names numbered, and of each line only what differs from
 * the one before.  No profile is needed for that, so threads do it side by side.
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
	struct span before; /* the count in front of the count, where lines have two */
	uint32_t nr_shared; /* frames that are those of the row before, from the root */
	uint32_t nr_name;   /* frames behind these: the next of `name` */
	bool cut;	    /* it had more frames than a stack may have */
};

struct folded_rows {
	bool pairs;	     /* lines may have two counts */
	bool trim_names;     /* a last name of blanks is no name */
	struct intern names; /* all that were seen so far */
	/* Of the chunk that was cut last */
	struct folded_row *row;
	uint32_t *name; /* numbers in names */
	size_t nr_row, cap_row, nr_name, cap_name;
	uint64_t nr_line;
	/* Where the frames of the row before end in its text. */
	struct span last;
	uint32_t *end;
	size_t nr_end, cap_end;
};

/* Makes rows of the lines of a chunk, which they point into. */
void folded_rows_cut(struct folded_rows *r, const struct chunk *c);
void folded_rows_release(struct folded_rows *r);

/* "12" or "12.5" behind the last blank; what is before it stays in *line. */
bool folded_cut_count(struct span *line, struct span *count);

/* `# …` */
bool folded_is_comment(struct span line);

#endif
