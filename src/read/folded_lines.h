/*
 * Folded text as sorted lines, without making frames of it: a comparison that only needs
 * to match equal lines of two files (cmd/diff_lines.h) is much faster that way.  It takes
 * plain text only: a stack, one blank and a whole count on every line.  Anything else is
 * left to the reader, folded.c.
 */
#ifndef WICK_READ_FOLDED_LINES_H
#define WICK_READ_FOLDED_LINES_H

#include "base/span.h"

#include <stdint.h>

struct folded_line {
	const char *at; /* the stack */
	uint32_t size;
	uint64_t key; /* while sorting: the 8 bytes that are compared, big-endian */
	int64_t count;
};

struct folded_lines {
	struct span text;	  /* the file, mapped */
	struct folded_line *line; /* sorted by their bytes, equal ones side by side */
	size_t nr, cap;
	int64_t total; /* the sum of the counts */
};

enum {
	/* A larger file is not taken into memory as a whole. */
	FOLDED_LINES_MAX = 512 * 1024 * 1024,
};

/*
 * Reads and sorts a file.  False: it is not plain, no regular file, too large, or cannot be read;
 * use the reader, which tells why.  Must be released in either case.
 */
bool folded_lines_read(struct folded_lines *l, const char *path);
void folded_lines_release(struct folded_lines *l);

/* The order of two lines, which is that of their bytes. */
static inline int folded_line_compare(const struct folded_line *a, const struct folded_line *b)
{
	int order = memcmp(a->at, b->at, a->size < b->size ? a->size : b->size);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

#endif
