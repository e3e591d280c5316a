/*
 * A flame graph that another program drew as an SVG, turned back into stacks:
 * names and weights are in the boxes' titles, and callers follow from positions.
 */
#ifndef WICK_READ_PICTURES_SVG_BOXES_H
#define WICK_READ_PICTURES_SVG_BOXES_H

#include "read/build.h"

/* Adds the stacks to the profile.  -1: the SVG has no boxes, or wick drew it without data. */
int boxes_read(struct build *b, struct span svg, struct error *e);

#endif
