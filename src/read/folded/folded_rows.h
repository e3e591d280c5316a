/*
 * Folded stacks as rows: lines are split into names, the names interned, and frames shared with the
 * previous line only counted.  This needs no profile, so threads do it in parallel (turns.h); only
 * building stacks from the rows happens in order.
 */
#ifndef WICK_READ_FOLDED_FOLDED_ROWS_H
#define WICK_READ_FOLDED_FOLDED_ROWS_H

#include "base/source.h"
#include "base/span.h"
#include "read/text/print_memo.h"

#include <stdint.h>

struct folded_row {
	uint64_t line;	    /* its number in the chunk, from 1 */
	struct span text;   /* the whole line */
	struct span count;  /* empty: not a line of folded stacks */
	struct span before; /* the first of two counts, if lines have two; else empty */
	uint32_t
		nr_shared; /* frames, from the root, that it shares with the previous row or its stem */
	uint32_t stem;	   /* 1 + the number of the stem that it begins with; 0: none */
	uint32_t new_stem; /* 1 + the number of a longer one, which it is the first to have */
	uint32_t nr_name;  /* number of frames that follow these: the next so many of `name` */
	bool cut;	   /* it was deeper than PROFILE_DEPTH_MAX */
};

/*
 * The first frames of a stack, a multiple of FOLDED_STEM: stacks of one program have few of them, which are
 * looked up as a whole.  A stem adds so many frames to the one before.
 */
struct folded_stem {
	uint32_t before; /* 1 + its number; 0: this is the first */
	uint32_t depth;
};

enum { FOLDED_STEM = 4, FOLDED_STEMS_MAX = 16 };

/* How many names are looked up together, so that their cache misses overlap. */
enum { FOLDED_NAMES = 32 };

struct folded_name {
	struct span text;
	struct print print;
};

struct folded_rows {
	bool pairs;	  /* lines may have two counts */
	bool trim_names;  /* a last name of blanks is not a name */
	bool empty_leaf;  /* `a;b; 3` ends in a frame without a name */
	bool trim_leaf;	  /* blanks before the last name are not part of it */
	bool keep_indent; /* blanks before the first name are part of it */
	bool no_stems;	  /* what a frame is does not only depend on those in front of it */
	/* Numbers of names by their fingerprints, so that names are neither stored nor compared. */
	struct print_memo names;
	uint64_t seed;
	uint32_t nr_number; /* numbers in use: those of this chunk and of earlier ones */
	struct folded_name pending[FOLDED_NAMES]; /* names that have no number yet */
	size_t nr_pending;
	/* Numbers of stems by the fingerprints of what they add, seeded with the number before. */
	struct print_memo stems;
	uint32_t nr_stem_number;
	/* By level: misses that stems of this length may still have, until they are not tried any more. */
	int credit[FOLDED_STEMS_MAX];
	/* Of the chunk that was split last: */
	struct folded_row *row;
	uint32_t *name;			/* the numbers of names, of all rows in order */
	struct span *fresh;		/* the last so many numbers are new: their names */
	struct folded_stem *fresh_stem; /* … and the last so many numbers of stems */
	size_t nr_row, cap_row, nr_name, cap_name, nr_fresh, cap_fresh;
	size_t nr_fresh_stem, cap_fresh_stem;
	uint64_t nr_line; /* including empty lines and comments */
	/* Of the previous row: its stack, and the offsets at which its frames end. */
	struct span last;
	uint32_t *end;
	size_t nr_end, cap_end;
	uint32_t stem[FOLDED_STEMS_MAX]; /* the numbers of its stems, the shortest first */
	size_t nr_stem;
};

/* Replaces the rows by those of a chunk, which they point into. */
void folded_rows_cut(struct folded_rows *r, const struct chunk *c);
void folded_rows_release(struct folded_rows *r);

/* Removes " 12" or " 12.5" from the end of a line; false if there is no count. */
bool folded_cut_count(struct span *line, struct span *count);

/* `# …` */
bool folded_is_comment(struct span line);

#endif
