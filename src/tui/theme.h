/* How boxes look on this terminal: the colors of the page, selection, search hits. */
#ifndef WICK_TUI_THEME_H
#define WICK_TUI_THEME_H

#include "fold/frame_labels.h"
#include "render/color.h"
#include "tui/graph.h"
#include "tui/screen.h"

/* A rectangle of the screen, in cells. */
struct area {
	int x, y, width, height;
};

struct theme {
	enum tint_depth depth;
	enum color_ground ground; /* the background that colors are for */
	const struct labels *labels;
	const uint8_t *color; /* by label: a number of render/color.h */
	bool is_diff;	      /* boxes are colored by their change instead */
	const bool *hit;      /* by label: does it match the search?  NULL: there is no search */
};

/* Sets depth and background; the other members are the caller's. */
void theme_init(struct theme *l, enum tint_depth depth, enum color_ground ground);

/* Sets the background; without true color, it is always taken as light. */
void theme_ground(struct theme *l, enum color_ground ground);

/* BOX_SAME: a box with the same name as the selected one. */
enum box_style { BOX_PLAIN, BOX_FADED, BOX_SAME, BOX_SELECTED };

/* The colors of the box at a place of the graph. */
struct ink theme_box(const struct theme *l, const struct graph *g, size_t place,
		     enum box_style how);

/* The colors of boxes in a state of render/color_states.h. */
struct ink theme_state(const struct theme *l, unsigned state);

/* The color of boxes that are narrower than a column. */
uint32_t theme_sliver(const struct theme *l);

/* The color of the line between two boxes of the same color. */
uint32_t theme_line(const struct theme *l);

/*
 * A color with enough contrast to the background; `turned`: to the text's color, in a reverse row.
 */
uint32_t theme_mark(const struct theme *l, unsigned color, bool turned);

/* The name of a box, as it is shown. */
struct span theme_name(const struct theme *l, uint32_t label);

#endif
