/* The number of colors of a terminal, and conversion to fewer.  Colors are 0xRRGGBB. */
#ifndef WICK_TUI_TINT_H
#define WICK_TUI_TINT_H

#include "base/span.h"

enum tint_depth { TINT_NONE, TINT_16, TINT_256, TINT_TRUE };

/* By the environment variables COLORTERM, TERM and NO_COLOR; NULL: not set. */
enum tint_depth tint_depth_find(const char *colorterm, const char *term, const char *no_color);

/* The nearest of the 256 colors, without the first 16, which users change. */
unsigned tint_256(uint32_t rgb);

/* The one of the 16 colors that has the same hue, or a gray. */
unsigned tint_16(uint32_t rgb);

/* Mixes two colors: `share`, from 0 to 1, of a, and the rest of b. */
uint32_t tint_mix(uint32_t a, uint32_t b, double share);

/* "eab07d" */
uint32_t tint_of_hex(const char *hex);

#endif
