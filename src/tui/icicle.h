/* A flame graph on the screen: the selected box, the zoom, and which rows are visible. */
#ifndef WICK_TUI_ICICLE_H
#define WICK_TUI_ICICLE_H

#include "tui/graph.h"
#include "tui/theme.h"

struct icicle {
	const struct graph *g;
	uint32_t selected, zoom; /* boxes; the zoom takes the whole width */
	uint32_t *back;		 /* a stack of earlier zooms */
	size_t nr_back, cap_back;
	int top;      /* the first visible row */
	int first;    /* rows before this one are never shown */
	bool upward;  /* the root is at the bottom */
	bool passive; /* without the focus: no box is drawn as selected */
};

/* The graph must outlive it, until icicle_carry(). */
void icicle_init(struct icicle *f, const struct graph *g);
void icicle_release(struct icicle *f);

/* Moves to another graph: boxes are found again by names, or else the nearest caller is used. */
void icicle_carry(struct icicle *f, const struct graph *g, const struct labels *from,
		  const struct labels *to);

enum icicle_step { ICICLE_CALLER, ICICLE_CALLEE, ICICLE_LEFT, ICICLE_RIGHT };
void icicle_step(struct icicle *f, enum icicle_step step);

/* Selects a box, and zooms out until it is visible. */
void icicle_select(struct icicle *f, uint32_t box);

/* Zooms to a box and selects it. */
void icicle_zoom(struct icicle *f, uint32_t box);

/* Returns to the previous zoom; false: there is none. */
bool icicle_back(struct icicle *f);

/* Zooms out to everything. */
void icicle_reset(struct icicle *f);

/* Scrolls until the selected box is visible in a viewport of that many rows. */
void icicle_show(struct icicle *f, int height);
void icicle_scroll(struct icicle *f, int rows, int height);

/* The box at this cell of the screen, drawn in that area; or GRAPH_NONE. */
uint32_t icicle_at(const struct icicle *f, const struct area *a, int x, int y);

/* icicle_draw.c */
void icicle_draw(const struct icicle *f, const struct theme *l, const struct area *a,
		 struct screen *s);

#endif
