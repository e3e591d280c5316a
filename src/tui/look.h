/* How frames look on this terminal: the page's colors, and what is picked out. */
#ifndef WICK_TUI_LOOK_H
#define WICK_TUI_LOOK_H

#include "fold/labels.h"
#include "render/color.h"
#include "tui/graph.h"
#include "tui/screen.h"

struct area {
	int x, y, width, height;
};

struct look {
	enum tint_depth depth;
	enum color_ground ground;
	const struct labels *labels;
	const uint8_t *color; /* by label */
	bool is_diff;	      /* instead: by what changed */
	const bool *hit;      /* by label: what is searched for; NULL: nothing is */
};

/* The palette for a terminal: few colors tell the light ones apart better. */
void look_init(struct look *l, enum tint_depth depth, enum color_ground ground);

void look_ground(struct look *l, enum color_ground ground);

enum look_how { LOOK_PLAIN, LOOK_FADED, LOOK_SAME, LOOK_SELECTED };

/* The text and the ground of the box at a place of the graph's order. */
struct ink look_box(const struct look *l, const struct graph *g, size_t place, enum look_how how);

/* Of what is too narrow to have a color of its own. */
uint32_t look_sliver(const struct look *l);

/* Of the line between two boxes of one color. */
uint32_t look_line(const struct look *l);

/* A color that stands out from the ground; or from the text, where that is the ground. */
uint32_t look_mark(const struct look *l, unsigned color, bool turned);

/* The name of a box, as it is shown. */
struct span look_name(const struct look *l, uint32_t label);

#endif
