/*
 * The palettes of flamegraph.pl and inferno: the color of a frame by its name.  Where the two
 * programs differ, enum name_rules selects one.
 */
#ifndef WICK_RENDER_PEER_PALETTE_H
#define WICK_RENDER_PEER_PALETTE_H

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
	/* Several hues: hue.h picks one of those above by the name */
	PALETTE_JAVA,
	PALETTE_JS,
	PALETTE_PERL,
	PALETTE_PYTHON,
	PALETTE_RUST,
	PALETTE_WAKEUP,
	PALETTE_CHAIN,
	NR_PALETTES,
};

/* How the shade of a frame within its hue is chosen. */
enum shade {
	SHADE_RUNNING, /* random numbers from a fixed seed: the same in every run */
	SHADE_HASH,    /* the first and last letters of the name: similar names look alike */
	SHADE_NAME,    /* a hash of the whole name */
	SHADE_LETTERS, /* the sum of its letters, one value for all channels */
	SHADE_RANDOM,  /* random numbers, different in every run */
};

/* The program whose rules determine the hue and the shade of a name. */
enum name_rules { NAME_RULES_INFERNO, NAME_RULES_PERL };

struct colors {
	enum palette palette;
	enum shade shade;
	enum name_rules rules;
	uint64_t running; /* state of the random numbers of SHADE_RUNNING and SHADE_RANDOM */
};

/* "hot" → PALETTE_HOT */
bool palette_find(struct span name, enum palette *palette);
const char *palette_name(enum palette palette);

void colors_init(struct colors *c, enum palette palette, enum shade shade, enum name_rules rules);

/* The color of a frame by its name with marks (_[k]); may draw random numbers. */
struct rgb colors_pick(struct colors *c, struct span name);

/* From white (delta 0) to full red (delta max) or blue (-max). */
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
