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
	uint32_t new_stem; /* 1 + the number of a longer stem, of which it is the first row */
	uint32_t nr_name;  /* number of further frames: the next ones of folded_rows.name */
	bool cut;	   /* it was deeper than PROFILE_DEPTH_MAX */
};

/*
 * The first frames of a stack, a multiple of FOLDED_STEM: stacks of one program have few different ones, which are
 * looked up as a whole.  Each stem adds FOLDED_STEM frames to the one before.
 */
struct folded_stem {
	uint32_t before; /* 1 + the number of the stem before; 0: this is the first */
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
	bool trim_names;  /* a last name of only blanks is not a name */
	bool empty_leaf;  /* `a;b; 3` ends in a frame without a name */
	bool trim_leaf;	  /* blanks before the last name are not part of it */
	bool keep_indent; /* blanks before the first name are part of it */
	bool no_stems;	  /* a name may stand for different frames, depending on its stack */
	/* Numbers of names by their fingerprints, so that names are neither stored nor compared. */
	struct print_memo names;
	uint64_t seed;
	uint32_t nr_number; /* numbers in use: those of this chunk and of earlier ones */
	struct folded_name pending[FOLDED_NAMES]; /* names that have no number yet */
	size_t nr_pending;
	/* Numbers of stems by the fingerprints of the frames that they add, seeded with the stem before. */
	struct print_memo stems;
	uint32_t nr_stem_number;
	/* By level: how many more lookups of stems of this length may miss before they are no longer tried. */
	int credit[FOLDED_STEMS_MAX];
	/* Of the last chunk: */
	struct folded_row *row;
	uint32_t *name;			/* the numbers of the names of all rows, in order */
	struct span *fresh;		/* the names of the last nr_fresh numbers, which are new */
	struct folded_stem *fresh_stem; /* … and the last nr_fresh_stem stems */
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

/* Replaces the rows by those of a chunk; they point into it. */
void folded_rows_cut(struct folded_rows *r, const struct chunk *c);
void folded_rows_release(struct folded_rows *r);

/* Removes " 12" or " 12.5" from the end of a line; false if there is no count. */
bool folded_cut_count(struct span *line, struct span *count);

/* `# …` */
bool folded_is_comment(struct span line);

#endif
