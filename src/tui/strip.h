/* How much there was over time, in dots: a cell has two columns of them, and four heights. */
#ifndef WICK_TUI_STRIP_H
#define WICK_TUI_STRIP_H

#include "tui/look.h"

enum { STRIP_COLUMNS = 2 };

struct strip {
	const double *slice; /* in each part of the time, which are of one length */
	size_t nr;	     /* at least as many as columns */
};

/* In the column that has most, of so many cells. */
double strip_most(const struct strip *t, int nr_cell);

/* One cell of its width, in all rows of the area; `most` reaches the top. */
void strip_put(const struct strip *t, int cell, const struct area *a, double most, struct ink ink,
	       struct screen *s);

#endif
