/* A strip chart of weight over time, in Braille dots: a cell has two columns of four dots. */
#ifndef WICK_TUI_STRIP_H
#define WICK_TUI_STRIP_H

#include "tui/theme.h"

enum { STRIP_COLUMNS = 2 };

struct strip {
	const double *slice; /* the weight in each of nr equal parts of the time */
	size_t nr;	     /* at least as many as columns of dots are drawn */
};

/* The largest value of a column in a strip of that width, in cells. */
double strip_most(const struct strip *t, int nr_cell);

/* Draws one cell of the strip, in all rows of the area; a column of `most` reaches the top. */
void strip_put(const struct strip *t, int cell, const struct area *a, double most, struct ink ink,
	       struct screen *s);

#endif
