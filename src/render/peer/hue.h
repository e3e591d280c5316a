/* The hue of a frame in a palette of several hues: by the kind of code that its name looks like. */
#ifndef WICK_RENDER_PEER_HUE_H
#define WICK_RENDER_PEER_HUE_H

#include "render/peer/palette.h"

/* Returns a palette of one hue; a palette that has one hue is returned as it is. */
enum palette hue_pick(enum palette palette, enum name_rules rules, struct span name);

#endif
