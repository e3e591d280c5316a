/* Palettes of several hues: picks one by the kind of code that a frame's name looks like. */
#ifndef WICK_RENDER_PEER_HUE_H
#define WICK_RENDER_PEER_HUE_H

#include "render/peer/palette.h"

/* Returns a palette with one hue; if `palette` has one hue, itself. */
enum palette hue_pick(enum palette palette, enum name_rules rules, struct span name);

#endif
