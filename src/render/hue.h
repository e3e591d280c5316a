/* The hue of a frame in a palette of several: by the language that its name looks like. */
#ifndef WICK_RENDER_HUE_H
#define WICK_RENDER_HUE_H

#include "render/palette.h"

/* A palette of one hue; where it is one already, that. */
enum palette hue_pick(enum palette palette, enum name_rules rules, struct span name);

#endif
