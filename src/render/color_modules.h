/*
 * Which modules a profile is made of, those that fill the most of its picture first: they
 * get hues that are far apart.  web/modules.js is the same in JavaScript.
 */
#ifndef WICK_RENDER_COLOR_MODULES_H
#define WICK_RENDER_COLOR_MODULES_H

#include "profile/profile.h"

struct color_module {
	struct span name; /* "libc.so.6": files of one name are one, wherever they lie */
	double cost;	  /* samples × frames, which is its area in the picture */
	unsigned hue;
};

struct color_modules {
	struct color_module *list; /* without those of the kernel, which has a color of its own */
	size_t nr;
	uint8_t *hue;	 /* by module */
	frame_id *owner; /* by stack: its frame, or the one that it is inlined into */
};

void color_modules_init(struct color_modules *m, const struct profile *p);
void color_modules_release(struct color_modules *m);

/* The hue of a module by its place in the list. */
unsigned color_hue_of(size_t rank, struct span name);

/* "/usr/lib/libc.so.6" → "libc.so.6" */
struct span color_module_name(struct span path);

#endif
