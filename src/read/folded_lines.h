/*
 * Folded text as sorted lines, without making frames of it: where nothing but equal lines
 * is asked for, that is all the work there is.  Only plain text will do: a stack, one blank and a whole
 * count on every line.  For anything else there is the reader.
 */
#ifndef WICK_READ_FOLDED_LINES_H
#define WICK_READ_FOLDED_LINES_H

#include "base/span.h"

#include <stdint.h>

struct folded_line {
	const char *at; /* the stack */
	uint32_t size;
	uint64_t key; /* while sorting: the bytes that are looked at */
	int64_t count;
};

struct folded_lines {
	struct span text;	  /* the file, mapped */
	struct folded_line *line; /* sorted by their bytes, equal ones side by side */
	size_t nr, cap;
	int64_t total;
};

enum {
	/* A larger file is not taken into memory as a whole. */
	FOLDED_LINES_MAX = 512 * 1024 * 1024,
};

/*
 * False: it is not plain, no file, too large, or cannot be read, and nothing is known.  Must be
 * released.
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
