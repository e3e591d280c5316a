/*
 * Colors: which one a frame gets.  The palettes are those that flamegraph.pl
 * and inferno made known; where the two decide differently, `by` says which
 * rule counts.
 */
#ifndef WICK_RENDER_PALETTE_H
#define WICK_RENDER_PALETTE_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

struct rgb {
	uint8_t r, g, b;
};

enum palette {
	PALETTE_HOT,
	PALETTE_MEM,
	PALETTE_IO,
	PALETTE_RED,
	PALETTE_GREEN,
	PALETTE_BLUE,
	PALETTE_YELLOW,
	PALETTE_PURPLE,
	PALETTE_AQUA,
	PALETTE_ORANGE,
	/* Of several hues, chosen by what the name looks like */
	PALETTE_JAVA,
	PALETTE_JS,
	PALETTE_PERL,
	PALETTE_PYTHON,
	PALETTE_RUST,
	PALETTE_WAKEUP,
	PALETTE_CHAIN,
	NR_PALETTES,
};

/* Where in its hue a frame's shade lies. */
enum shade {
	SHADE_RUNNING, /* another one for every frame, the same in every run */
	SHADE_HASH,    /* by the first letters of the name: like names look alike */
	SHADE_NAME,    /* by the whole name */
	SHADE_LETTERS, /* by the sum of its letters, one value for all channels */
	SHADE_RANDOM,  /* another one in every run */
};

/* What a name means, where the rules of the two programs differ. */
enum name_rules { NAME_RULES_INFERNO, NAME_RULES_PERL };

struct colors {
	enum palette palette;
	enum shade shade;
	enum name_rules rules;
	uint64_t running; /* state of SHADE_RUNNING and SHADE_RANDOM */
};

/* "hot" → PALETTE_HOT */
bool palette_find(struct span name, enum palette *palette);
const char *palette_name(enum palette palette);

void colors_init(struct colors *c, enum palette palette, enum shade shade, enum name_rules rules);

/* The color of a frame by its name, marks included. */
struct rgb colors_pick(struct colors *c, struct span name);

/* From white over pale to full red (more) or blue (less). */
enum diff_scale { DIFF_SCALE_INFERNO, DIFF_SCALE_PERL };
struct rgb colors_diff(double delta, double max, enum diff_scale scale);

/* Top and bottom of the background that goes with a palette: "#eeeeee". */
struct background {
	const char *top, *bottom;
};
struct background palette_background(enum palette palette);

/* "yellow", "blue", "green", "grey" */
bool background_find(struct span name, struct background *b);

/* "#12ab34" */
bool rgb_parse(struct span text, struct rgb *color);

#endif
