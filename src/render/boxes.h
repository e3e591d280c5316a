/* What both ways to lay out share: see layout.c. */
#ifndef WICK_RENDER_BOXES_H
#define WICK_RENDER_BOXES_H

#include "render/layout.h"

/* Nothing in it yet; total is what there will be. */
void boxes_begin(struct layout *l, weight_sum total, int scale, struct layout_least least);

static inline bool boxes_too_narrow(const struct layout *l, weight_sum width)
{
	return width < l->narrowest || !width;
}

void boxes_add(struct layout *l, const struct box *b);

/* A box that stands for what was left out, if it is worth one. */
void boxes_add_more(struct layout *l, uint32_t depth, weight_sum begin, weight_sum end);

/* What a line adds to the width of the picture. */
weight_sum boxes_width(const struct tree_line *line, size_t nr_column, bool either);

#endif
