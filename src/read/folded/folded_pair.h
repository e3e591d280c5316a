/*
 * Two folded files as one table of lines, without building frames: a comparison that only matches
 * equal lines (cmd/diff/diff_lines.h) is much faster that way.  Lines are matched by their
 * fingerprints, so only lines that the first file lacks are stored for the second one.
 *
 * It accepts plain text only: a stack, one blank and a whole count above 0 on every line.
 * Everything else is left to the reader, read_folded.c.
 */
#ifndef WICK_READ_FOLDED_FOLDED_PAIR_H
#define WICK_READ_FOLDED_FOLDED_PAIR_H

#include "base/print.h"
#include "base/sort_text.h"

struct folded_row {
	const char *at; /* the stack */
	int64_t sum[2]; /* of its counts, by file; 0: not in this file */
	uint64_t print_low;
	uint32_t print_high;
	uint32_t size;
};

struct folded_pair {
	struct span text[2]; /* the files, mapped */
	/* the first file's in the order of their first lines, then those new in the second */
	struct folded_row *row;
	size_t nr, cap, nr_first;
	/* By `what`: the rows sorted by bytes, the first file's and the others separately. */
	struct sort_text *order[2]; /* NULL: as they are */
	size_t at[2];		    /* folded_pair_next(): its position in each */
};

enum {
	/* A larger file is not read into memory. */
	FOLDED_PAIR_MAX = 512 * 1024 * 1024,
};

/*
 * Reads both on up to so many threads.  False: one is not plain, not a regular file, too large, or
 * cannot be read; use the reader, which reports why.  Must be released in either case.
 */
bool folded_pair_read(struct folded_pair *p, const char *const path[2], unsigned threads);
void folded_pair_release(struct folded_pair *p);

/* The next row, sorted by bytes; NULL: there is none. */
const struct folded_row *folded_pair_next(struct folded_pair *p);

#endif
