/* Makes an SVG interactive, by the profile that it was drawn from and a script. */
#ifndef WICK_RENDER_LIVE_SCRIPT_H
#define WICK_RENDER_LIVE_SCRIPT_H

#include "base/output.h"
#include "base/span.h"

/* Ends an SVG.  With a pack (docs/pack.md) it is interactive; with an empty one, a still image. */
void live_end(struct output *out, struct span pack);

#endif
