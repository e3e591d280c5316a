/* The sandwich view: a function with its callers above and its callees below. */
#ifndef WICK_TUI_SANDWICH_H
#define WICK_TUI_SANDWICH_H

#include "fold/around.h"
#include "tui/icicle.h"
#include "tui/model.h"

struct sandwich {
	uint32_t label;	     /* of the function; LAYOUT_ALL: it is empty */
	struct tree tree[2]; /* this and the next two: by enum around */
	struct graph graph[2];
	struct icicle icicle[2];
	enum around side; /* which of the two has the selected box */
};

/* Starts empty. */
void sandwich_init(struct sandwich *s);
void sandwich_release(struct sandwich *s);

/* Shows a function, unless it does already; LAYOUT_ALL leaves it empty. */
void sandwich_fill(struct sandwich *s, const struct model *m, uint32_t label);

/* To be called before the model is released. */
void sandwich_empty(struct sandwich *s);

/* The icicle with the selected box. */
struct icicle *sandwich_icicle(struct sandwich *s);

/* The box of the function itself in the graph of a side. */
uint32_t sandwich_middle(const struct sandwich *s, enum around side);

#endif
