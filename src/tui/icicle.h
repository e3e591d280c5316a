/* A flame graph that is looked at: where one is in it, and what of it is seen. */
#ifndef WICK_TUI_ICICLE_H
#define WICK_TUI_ICICLE_H

#include "tui/graph.h"
#include "tui/look.h"

struct icicle {
	const struct graph *g;
	uint32_t selected, zoom; /* boxes */
	uint32_t *back;		 /* what was zoomed to before */
	size_t nr_back, cap_back;
	int top;      /* the first row that is seen */
	int first;    /* rows before this one never are */
	bool upward;  /* the root is at the bottom */
	bool passive; /* what is selected is elsewhere */
};

void icicle_init(struct icicle *f, const struct graph *g);
void icicle_release(struct icicle *f);

/* The same place in another graph, by names; where it is not there any more, the nearest caller. */
void icicle_carry(struct icicle *f, const struct graph *g, const struct labels *from,
		  const struct labels *to);

enum icicle_step { ICICLE_CALLER, ICICLE_CALLEE, ICICLE_LEFT, ICICLE_RIGHT };
void icicle_step(struct icicle *f, enum icicle_step step);

/* Selects a box, and zooms out as far as that needs. */
void icicle_select(struct icicle *f, uint32_t box);

void icicle_zoom(struct icicle *f, uint32_t box);

/* One zoom back; false when there is none. */
bool icicle_back(struct icicle *f);
void icicle_reset(struct icicle *f);

/* Rows are moved so that the selected one is seen in so many. */
void icicle_show(struct icicle *f, int height);
void icicle_scroll(struct icicle *f, int rows, int height);

/* What is drawn at this place of the area; or GRAPH_NONE. */
uint32_t icicle_at(const struct icicle *f, const struct area *a, int x, int y);

/* icicle_draw.c */
void icicle_draw(const struct icicle *f, const struct look *l, const struct area *a,
		 struct screen *s);

#endif
