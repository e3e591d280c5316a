/* Colors for terminals that have fewer of them, and which a terminal has. */
#ifndef WICK_TUI_TINT_H
#define WICK_TUI_TINT_H

#include "base/span.h"

enum tint_depth { TINT_NONE, TINT_16, TINT_256, TINT_TRUE };

/* By what the environment says: COLORTERM, TERM and NO_COLOR; NULL: not set. */
enum tint_depth tint_depth_find(const char *colorterm, const char *term, const char *no_color);

/* The nearest of the 6 × 6 × 6 colors and the grays of 256. */
unsigned tint_256(uint32_t rgb);

/* The one of 16 that is of its hue. */
unsigned tint_16(uint32_t rgb);

/* So much of the one, from 0 to 1, and the rest of the other. */
uint32_t tint_mix(uint32_t a, uint32_t b, double share);

/* "eab07d" */
uint32_t tint_of_hex(const char *hex);

#endif
