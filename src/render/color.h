/*
 * wick's own colors: few hues with a meaning, each in a few shades so that neighbors can be
 * distinguished.  Every color has a number; the picture refers to it by the class `c<number>`, so
 * that light and dark are only two lists of the same numbers.  web/color.js is the same in
 * JavaScript; tests/color/ checks both.
 */
#ifndef WICK_RENDER_COLOR_H
#define WICK_RENDER_COLOR_H

#include "fold/frame_labels.h"
#include "profile/profile.h"
#include "render/color_modules.h"

enum color_scheme {
	COLOR_KIND,
	COLOR_MODULE,
	COLOR_FUNCTION,
	COLOR_SELF,
	COLOR_DIFF,
	COLOR_STATE,
};

/* Kinds of code.  If frames of several kinds share a name, the first of these counts. */
enum color_kind {
	COLOR_ROOT, /* the whole, a thread, a label: not code */
	COLOR_USER,
	COLOR_LIBRARY, /* user code of a shared object */
	COLOR_KERNEL,
	COLOR_INLINED,
	COLOR_JIT, /* and Rust crates other than the program's own and the compiler's */
	NR_COLOR_KINDS,
};

/*
 * The numbers of the colors: shades of kinds, shades of hues (modules, functions), steps of heat
 * (self), and steps of change around COLOR_SAME.
 */
enum {
	COLOR_KIND_SHADES = 4,
	COLOR_HUES = NR_COLOR_KINDS * COLOR_KIND_SHADES,
	NR_COLOR_HUES = 10,
	COLOR_HUE_SHADES = 3,
	COLOR_HEAT = COLOR_HUES + NR_COLOR_HUES * COLOR_HUE_SHADES,
	NR_COLOR_HEAT = 10,
	COLOR_SAME = COLOR_HEAT + NR_COLOR_HEAT + 6, /* below it are six steps of less */
	NR_COLORS = COLOR_SAME + 6 + 1,		     /* above it are six steps of more */
};

/* The background that a color is for. */
enum color_ground { COLOR_LIGHT, COLOR_DARK };

/* "eab07d": six digits, not terminated. */
const char *color_hex(unsigned color, enum color_ground ground);

/* "kind" → COLOR_KIND */
bool color_scheme_find(struct span name, enum color_scheme *scheme);
const char *color_scheme_name(enum color_scheme scheme);

/* The numbers that a scheme uses: from *first up to, not including, *end. */
void color_scheme_range(enum color_scheme scheme, unsigned *first, unsigned *end);

/* module: its path.  inlined: the call is not the outermost of its frame. */
enum color_kind color_kind_of(enum frame_kind kind, unsigned flags, bool inlined,
			      struct span module);

/* A hash that picks among shades, so that a name has the same one in every picture. */
uint32_t color_hash(struct span name);

/* The color of a displayed name: in the shades of a kind, in those of a hue, or in any hue. */
unsigned color_by_kind(enum color_kind kind, struct span name);
unsigned color_by_hue(unsigned hue, struct span name);
unsigned color_by_function(struct span name);

/* By a frame's self, as a share of everything. */
unsigned color_by_self(double share);

/* By the change of a frame's share: 0.01 is a percentage point. */
unsigned color_by_change(double change);

/*
 * By label: its color, for the schemes kind, module and function; the caller frees the array.
 * modules is needed for COLOR_MODULE only.
 */
uint8_t *color_labels(const struct profile *p, const struct labels *l, enum color_scheme scheme,
		      const struct color_modules *modules);

#endif
