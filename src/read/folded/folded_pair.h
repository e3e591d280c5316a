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
	uint32_t is_renamed:1; /* the root is folded_pair.root, and `at` the text after it */
};

/* The outermost frames, and by their number the sums of counts in each file. */
struct folded_roots {
	struct intern names;
	int64_t (*sum)[2];
	size_t cap;
};

/* Rows are sorted in groups: those of the first file, those only in the second, renamed ones of the first. */
enum folded_group { FOLDED_FIRST_FILE, FOLDED_SECOND_FILE, FOLDED_RENAMED, NR_FOLDED_GROUPS };

struct folded_pair {
	struct span text[2]; /* the files, mapped */
	/*
	 * Rows of the first file in the order of their first lines, then lines only in the second one, of
	 * which several may be equal.
	 */
	struct folded_row *row;
	size_t nr, nr_first;
	uint64_t seed;
	uint32_t *slot; /* by fingerprint: 1 + the number of a row of the first file; 0: empty */
	uint32_t mask;
	struct folded_roots roots; /* if requested */
	struct span root;	   /* of renamed rows */
	/* By group: its rows, as `what`, sorted by bytes, without duplicates; NULL: already sorted. */
	struct sort_text *order[NR_FOLDED_GROUPS];
	size_t nr_order[NR_FOLDED_GROUPS];
	size_t at[NR_FOLDED_GROUPS]; /* by group: the position where the next range begins */
};

/* A part of all rows: positions in each group. */
struct folded_range {
	size_t at[NR_FOLDED_GROUPS], end[NR_FOLDED_GROUPS];
};

enum {
	/* Bytes; larger files are left to the reader. */
	FOLDED_PAIR_MAX = 512 * 1024 * 1024,
};

/*
 * Reads both files on up to `threads` threads; with_roots fills in the roots.  False: one is not plain,
 * not a regular file, too large, or cannot be read; use the reader, which reports why.  Must be released
 * in either case.
 */
bool folded_pair_read(struct folded_pair *p, const char *const path[2], unsigned threads,
		      bool with_roots);
void folded_pair_release(struct folded_pair *p);

/*
 * Renames a root that is only in the first file to one that is only in the second, both by their
 * numbers, and matches the lines of the two.  To be called before sorting.
 */
void folded_pair_rename(struct folded_pair *p, uint32_t from, uint32_t to);

/* Sorts the rows on up to `threads` threads; ranges can be taken then. */
void folded_pair_sort(struct folded_pair *p, unsigned threads);

/* Takes the next rows, sorted by bytes: up to nr of each group.  An empty range is the end. */
struct folded_range folded_pair_take(struct folded_pair *p, size_t nr);

/* The next row of a range; NULL: there are no more.  Threads may call this, each with its own range. */
const struct folded_row *folded_range_next(const struct folded_pair *p, struct folded_range *r);

#endif
