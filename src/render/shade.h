/* Where in its hue a frame lies: enum shade says what that depends on. */
#ifndef WICK_RENDER_SHADE_H
#define WICK_RENDER_SHADE_H

#include "render/palette.h"

/* Draws three numbers from 0 up to 1. */
void shade_draw(struct colors *c, struct span name, float value[3]);

#endif
