/* What makes a picture more than an image: the profile it was drawn from, and a script. */
#ifndef WICK_RENDER_LIVE_H
#define WICK_RENDER_LIVE_H

#include "base/output.h"
#include "base/span.h"

/* Ends an SVG.  With a pack (docs/pack.md) it can redraw itself; an empty one leaves it an image. */
void live_end(struct output *out, struct span pack);

#endif
