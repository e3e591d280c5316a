/*
 * The part of a profile that the panes show: trees from the root and from the leaves, their
 * layouts, the table of functions.  A new one is created when the profile changes.
 */
#ifndef WICK_TUI_MODEL_H
#define WICK_TUI_MODEL_H

#include "base/strbuf.h"
#include "fold/chosen.h"
#include "fold/hottest.h"
#include "render/color_states.h"
#include "tui/graph.h"

struct model_opts {
	const struct profile *p; /* must outlive the model */
	unsigned spelling;	 /* the next four: as in struct tree_opts */
	bool samples;
	size_t nr_column;
	const bool *in[TREE_COLUMNS];
	struct span unit; /* of weights: "samples", "ns" */
};

enum model_direction { MODEL_FORWARD, MODEL_REVERSE };

/* The order of siblings: by name, or the widest first. */
enum model_beside { MODEL_BY_NAME, MODEL_BY_WIDTH };

struct model {
	struct model_opts o;
	struct tree tree[2];	  /* by direction, with the same labels; nr_node 0: not made yet */
	struct graph graph[2][2]; /* by direction and order of siblings; nr_row 0: not made yet */
	uint8_t *color;		  /* by label: a number of render/color.h */
	uint8_t *state[2];	  /* by direction, then by node: color_states(), if has_states */
	uint32_t *frame;	  /* by label: a frame that has it, + 1; 0: it is a thread's name */
	struct top_row *top;	  /* the table of functions */
	size_t nr_top;
	bool has_states;		/* waits are shown: boxes are colored by state */
	bool is_state[NR_COLOR_STATES]; /* by state: is there a node with it? */
};

/* The options for the chosen part of a profile. */
struct model_opts model_chosen(const struct profile *p, const struct chosen *c);
void model_init(struct model *m, const struct model_opts *o);
void model_release(struct model *m);

const struct labels *model_labels(const struct model *m);

/* The weight of everything. */
weight_sum model_total(const struct model *m);

/* A layout, created at the first call. */
const struct graph *model_graph(struct model *m, enum model_direction d, enum model_beside b);

/* The weight of a count, or of a tick; 0: its event is not shown. */
weight_sum model_count(const struct model *m, const struct count *c);
weight_sum model_tick(const struct model *m, const struct tick *k);

/* The name of a function's module: "libc.so.6", or "". */
struct span model_module(const struct model *m, uint32_t label);

/* Sorts `top`, largest first. */
enum model_order { MODEL_BY_SELF, MODEL_BY_TOTAL };
void model_sort(struct model *m, enum model_order order);

/* The row of a function in `top`; nr_top: it has none. */
size_t model_row(const struct model *m, uint32_t label);

/* Appends a weight: "1,234 samples", "1.25 s". */
void model_add_weight(const struct model *m, struct strbuf *out, weight_sum w);

#endif
