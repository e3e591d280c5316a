/* The part of the layout that layout_tree() and layout_chart() share; implemented in layout.c. */
#ifndef WICK_RENDER_BOX_H
#define WICK_RENDER_BOX_H

#include "render/layout.h"

/* Starts an empty layout; total is the width of all lines that will be added. */
void boxes_begin(struct layout *l, weight_sum total, int scale, struct layout_least least);

static inline bool boxes_too_narrow(const struct layout *l, weight_sum width)
{
	return width < l->narrowest || !width;
}

void boxes_add(struct layout *l, const struct box *b);

/* Adds a LAYOUT_MORE box for narrow boxes that were dropped, if together they are wide enough. */
void boxes_add_more(struct layout *l, uint32_t depth, weight_sum begin, weight_sum end);

/* The width of a line: its sum in the last column, or in the wider one if `either`; at least 0. */
weight_sum boxes_width(const struct tree_line *line, size_t nr_column, bool either);

#endif
