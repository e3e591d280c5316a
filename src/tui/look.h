/* How boxes look on this terminal: the colors of the page, selection, search hits. */
#ifndef WICK_TUI_LOOK_H
#define WICK_TUI_LOOK_H

#include "fold/frame_labels.h"
#include "render/color.h"
#include "tui/graph.h"
#include "tui/screen.h"

/* A rectangle of the screen, in cells. */
struct area {
	int x, y, width, height;
};

struct look {
	enum tint_depth depth;
	enum color_ground ground; /* the background that colors are for */
	const struct labels *labels;
	const uint8_t *color; /* by label: a number of render/color.h */
	bool is_diff;	      /* boxes are colored by their change instead */
	const bool *hit;      /* by label: does it match the search?  NULL: there is no search */
};

/* Sets depth and background; the other members are the caller's. */
void look_init(struct look *l, enum tint_depth depth, enum color_ground ground);

/* Sets the background; without true color, it is always taken as light. */
void look_ground(struct look *l, enum color_ground ground);

/* LOOK_SAME: it has the name of the selected box. */
enum look_how { LOOK_PLAIN, LOOK_FADED, LOOK_SAME, LOOK_SELECTED };

/* The colors of the box at a place of the graph. */
struct ink look_box(const struct look *l, const struct graph *g, size_t place, enum look_how how);

/* The colors of boxes in a state of render/color_states.h. */
struct ink look_state(const struct look *l, unsigned state);

/* The color of boxes that are narrower than a column. */
uint32_t look_sliver(const struct look *l);

/* The color of the line between two boxes of the same color. */
uint32_t look_line(const struct look *l);

/* A color that is visible on the background; `turned`: on the text's color, in a reverse row. */
uint32_t look_mark(const struct look *l, unsigned color, bool turned);

/* The name of a box, as it is shown. */
struct span look_name(const struct look *l, uint32_t label);

#endif
