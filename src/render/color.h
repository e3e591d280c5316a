/*
 * wick's own colors: few hues that mean something, each in a few shades so that
 * neighbors can be told apart.  Every color has a number; the picture calls it by the
 * class `c<number>`, so that light and dark are only two lists of the same
 * numbers.  web/color.js is the same in JavaScript, and tests/color/ holds both to it.
 */
#ifndef WICK_RENDER_COLOR_H
#define WICK_RENDER_COLOR_H

#include "fold/labels.h"
#include "profile/profile.h"
#include "render/color_modules.h"

enum color_scheme { COLOR_KIND, COLOR_MODULE, COLOR_FUNCTION, COLOR_SELF, COLOR_DIFF };

/* What a frame is.  Where frames of several kinds share a name, the first of these counts. */
enum color_kind {
	COLOR_ROOT, /* everything, a thread, a label: no code */
	COLOR_USER,
	COLOR_LIBRARY, /* user code of a shared object */
	COLOR_KERNEL,
	COLOR_INLINED,
	COLOR_JIT, /* and, of Rust, code of crates that are neither the program's nor the compiler's */
	NR_COLOR_KINDS,
};

/* The numbers: shades of kinds, then of hues, then steps of heat, then of less (down) and more (up). */
enum {
	COLOR_KIND_SHADES = 4,
	COLOR_HUES = NR_COLOR_KINDS * COLOR_KIND_SHADES,
	NR_COLOR_HUES = 10,
	COLOR_HUE_SHADES = 3,
	COLOR_HEAT = COLOR_HUES + NR_COLOR_HUES * COLOR_HUE_SHADES,
	NR_COLOR_HEAT = 10,
	COLOR_SAME = COLOR_HEAT + NR_COLOR_HEAT + 6, /* six steps of less are before it */
	NR_COLORS = COLOR_SAME + 6 + 1,		     /* and six of more behind it */
};

enum color_ground { COLOR_LIGHT, COLOR_DARK };

/* "eab07d": six digits, not terminated. */
const char *color_hex(unsigned color, enum color_ground ground);

/* "kind" → COLOR_KIND */
bool color_scheme_find(struct span name, enum color_scheme *scheme);
const char *color_scheme_name(enum color_scheme scheme);

/* The numbers that a scheme uses: from *first up to *end; kinds are used by modules too. */
void color_scheme_range(enum color_scheme scheme, unsigned *first, unsigned *end);

enum color_kind color_kind_of(enum frame_kind kind, unsigned flags, bool inlined,
			      struct span module);

/* What the shade of a name is picked by. */
uint32_t color_hash(struct span name);

/* By name, a span as it is shown; a module's hue picks among as many shades. */
unsigned color_by_kind(enum color_kind kind, struct span name);
unsigned color_by_hue(unsigned hue, struct span name);
unsigned color_by_function(struct span name);

/* By the share of everything that a frame spends itself. */
unsigned color_by_self(double share);

/* By how much larger its share became: 0.01 is a point. */
unsigned color_by_change(double change);

/* The colors of all labels by kind, module or function, to be freed.  modules: for COLOR_MODULE. */
uint8_t *color_labels(const struct profile *p, const struct labels *l, enum color_scheme scheme,
		      const struct color_modules *modules);

#endif
