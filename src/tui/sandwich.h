/* A function between those who call it, above, and what it calls, below. */
#ifndef WICK_TUI_SANDWICH_H
#define WICK_TUI_SANDWICH_H

#include "fold/around.h"
#include "tui/icicle.h"
#include "tui/model.h"

struct sandwich {
	uint32_t label;	     /* of the function; LAYOUT_ALL: nothing is there */
	struct tree tree[2]; /* by enum around */
	struct graph graph[2];
	struct icicle icicle[2];
	enum around side; /* where the selected box is */
};

/* Nothing yet. */
void sandwich_init(struct sandwich *s);
void sandwich_release(struct sandwich *s);

/* Puts a function in, if it is not there already; a name that is no function's leaves it empty. */
void sandwich_fill(struct sandwich *s, const struct model *m, uint32_t label);

/* Takes it out: the model goes. */
void sandwich_empty(struct sandwich *s);

struct icicle *sandwich_icicle(struct sandwich *s);

/* The box of the function itself. */
uint32_t sandwich_middle(const struct sandwich *s, enum around side);

#endif
