/* The shade of a frame within its hue; enum shade (palette.h) says what it depends on. */
#ifndef WICK_RENDER_PEER_SHADE_H
#define WICK_RENDER_PEER_SHADE_H

#include "render/peer/palette.h"

/* Sets three numbers from 0 to 1, for the channels of a color. */
void shade_draw(struct colors *c, struct span name, float value[3]);

#endif
