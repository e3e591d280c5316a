/*
 * The boxes of a flame graph that was drawn as an SVG, put back together: names
 * and weights stand in the titles, who called whom in the places.
 */
#ifndef WICK_READ_BOXES_H
#define WICK_READ_BOXES_H

#include "read/build.h"

/* Counts what the picture shows.  -1: it shows nothing. */
int boxes_read(struct build *b, struct span svg, struct error *e);

#endif
