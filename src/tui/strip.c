#include "tui/strip.h"

#include <math.h>

enum { DOTS = 4 }; /* rows of dots in a cell */

/* The mean of a column's slices: columns may have different numbers of them. */
static double mean(const struct strip *t, size_t column, size_t nr_column)
{
	size_t from = column * t->nr / nr_column, to = (column + 1) * t->nr / nr_column;
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += t->slice[i];
	return to > from ? sum / (double)(to - from) : 0;
}

double strip_most(const struct strip *t, int nr_cell)
{
	size_t nr = (size_t)nr_cell * STRIP_COLUMNS;
	double most = 0;

	for (size_t i = 0; i < nr; i++) {
		double here = mean(t, i, nr);

		most = here > most ? here : most;
	}
	return most;
}

/*
 * A column's height in dots: by the square root, as in the page, so that small values are visible.
 */
static int height_of(double part, double most, int rows)
{
	int dots = rows * DOTS, high = part > 0 ? (int)lround(sqrt(part / most) * dots) : 0;

	if (part > 0 && high < 1)
		high = 1;
	return high > dots ? dots : high;
}

static int within(int dots)
{
	return dots < 0 ? 0 : dots > DOTS ? DOTS : dots;
}

/* Two columns of dots are a Braille character, U+2800 and bits for the dots. */
static void put_dots(struct screen *s, int x, int y, int left, int right, struct ink ink)
{
	static const unsigned bits[STRIP_COLUMNS][DOTS + 1] = {
		{ 0x00, 0x40, 0x44, 0x46, 0x47 },
		{ 0x00, 0x80, 0xa0, 0xb0, 0xb8 },
	};
	unsigned code = bits[0][left] | bits[1][right];
	char text[] = { '\xe2', (char)(0xa0 | code >> 6), (char)(0x80 | (code & 0x3f)) };

	screen_put(s, x, y, 1, code ? (struct span){ text, sizeof(text) } : SPAN(" "), ink);
}

static void put_plain(struct screen *s, int x, int y, int dots, struct ink ink)
{
	static const char *const plain[DOTS + 1] = { " ", ".", ":", "+", "#" };

	screen_put(s, x, y, 1, span_of(plain[dots]), ink);
}

void strip_put(const struct strip *t, int cell, const struct area *a, double most, struct ink ink,
	       struct screen *s)
{
	size_t nr = (size_t)a->width * STRIP_COLUMNS, column = (size_t)cell * STRIP_COLUMNS;
	int left = height_of(mean(t, column, nr), most, a->height);
	int right = height_of(mean(t, column + 1, nr), most, a->height);

	for (int row = 0; row < a->height; row++) {
		int y = a->y + a->height - 1 - row, below = row * DOTS;

		if (s->can.utf8)
			put_dots(s, a->x + cell, y, within(left - below), within(right - below),
				 ink);
		else
			put_plain(s, a->x + cell, y, within((left > right ? left : right) - below),
				  ink);
	}
}
