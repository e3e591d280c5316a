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

#include "base/intern.h"
#include "base/print.h"
#include "base/sort_text.h"

struct folded_row {
	const char *at; /* the stack */
	int64_t sum[2]; /* of its counts, by file; 0: not in this file */
	uint64_t print_low;
	uint32_t print_high;
	uint32_t size:31;
	uint32_t is_renamed:1; /* `at` is what follows the root, which is folded_pair.root */
};

/* The outermost frames, and by their number the sums of their counts in each file. */
struct folded_roots {
	struct intern names;
	int64_t (*sum)[2];
	size_t cap;
};

/* Rows are sorted in groups: the first file's, those that only the second has, the first's with another root. */
enum folded_group { FOLDED_FIRST_FILE, FOLDED_SECOND_FILE, FOLDED_RENAMED, NR_FOLDED_GROUPS };

struct folded_pair {
	struct span text[2]; /* the files, mapped */
	/*
	 * The first file's in the order of their first lines, then lines that only the second has, of
	 * which several may be equal.
	 */
	struct folded_row *row;
	size_t nr, nr_first;
	uint64_t seed;
	uint32_t *slot; /* of the first file's: the number of a row + 1, by fingerprint; 0: empty */
	uint32_t mask;
	struct folded_roots roots; /* if asked for */
	struct span root;	   /* of rows that are renamed */
	/* By group: the rows sorted by bytes, without equal ones, as `what`; NULL: as they are. */
	struct sort_text *order[NR_FOLDED_GROUPS];
	size_t nr_order[NR_FOLDED_GROUPS];
	size_t at[NR_FOLDED_GROUPS]; /* what no range has yet begins at these positions */
};

/* A part of all rows: positions in each group. */
struct folded_range {
	size_t at[NR_FOLDED_GROUPS], end[NR_FOLDED_GROUPS];
};

enum {
	/* A larger file is not read into memory. */
	FOLDED_PAIR_MAX = 512 * 1024 * 1024,
};

/*
 * Reads both on up to so many threads, and with_roots fills in the roots.  False: one is not plain,
 * not a regular file, too large, or cannot be read; use the reader, which reports why.  Must be released
 * in either case.
 */
bool folded_pair_read(struct folded_pair *p, const char *const path[2], unsigned threads,
		      bool with_roots);
void folded_pair_release(struct folded_pair *p);

/*
 * Gives a root that only the first file has the name of one that only the second has, both by their
 * numbers, and matches the lines of the two.  Before sorting.
 */
void folded_pair_rename(struct folded_pair *p, uint32_t from, uint32_t to);

/* Sorts the rows on up to so many threads; ranges can be taken then. */
void folded_pair_sort(struct folded_pair *p, unsigned threads);

/* Takes the next rows in the order of their bytes: up to nr of each group.  Without any, there are no more. */
struct folded_range folded_pair_take(struct folded_pair *p, size_t nr);

/* The next row of a range; NULL: there are no more.  Several threads may do this, each with its range. */
const struct folded_row *folded_range_next(const struct folded_pair *p, struct folded_range *r);

#endif
