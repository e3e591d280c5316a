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
	/*
	 * The first file's in the order of their first lines, then lines that only the second has, of
	 * which several may be equal.
	 */
	struct folded_row *row;
	size_t nr;
	/* By `what`: the rows sorted by bytes, the first file's and the others, without equal ones. */
	struct sort_text *order[2]; /* the first may be NULL: as they are */
	size_t nr_order[2];
	size_t at[2]; /* what no range has yet begins at these positions */
};

/* A part of all rows: positions in each order. */
struct folded_range {
	size_t at[2], end[2];
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

/* Takes the next rows in the order of their bytes: up to nr of each file.  Without any, there are no more. */
struct folded_range folded_pair_take(struct folded_pair *p, size_t nr);

/* The next row of a range; NULL: there are no more.  Several threads may do this, each with its range. */
const struct folded_row *folded_range_next(const struct folded_pair *p, struct folded_range *r);

#endif
