/*
 * The hues of modules: those that fill most of the picture get hues that are far apart.
 * web/modules.js is the same in JavaScript.
 */
#ifndef WICK_RENDER_COLOR_MODULES_H
#define WICK_RENDER_COLOR_MODULES_H

#include "profile/profile.h"

struct color_module {
	struct span name; /* "libc.so.6": files with one name are one, whatever their directory */
	double cost;	  /* its area in the picture: samples × frames */
	unsigned hue;
};

struct color_modules {
	struct color_module *list; /* by cost, largest first, without the kernel's */
	size_t nr;
	uint8_t *hue; /* by module */
	/* by stack: the frame whose module counts: its own, or for inlined calls a caller's */
	frame_id *owner;
};

/* Names are the profile's, which must outlive it. */
void color_modules_init(struct color_modules *m, const struct profile *p);
void color_modules_release(struct color_modules *m);

/* The hue of the module at this position of the list; after the tenth, the name decides. */
unsigned color_hue_of(size_t rank, struct span name);

/* "/usr/lib/libc.so.6" → "libc.so.6" */
struct span color_module_name(struct span path);

#endif
