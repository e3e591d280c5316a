/*
 * What of a profile is looked at, made ready: trees from the root and from the leaves, the functions
 * by what they cost, and what is known of each.  It is made anew when the profile changes.
 */
#ifndef WICK_TUI_MODEL_H
#define WICK_TUI_MODEL_H

#include "base/strbuf.h"
#include "fold/top.h"
#include "tui/graph.h"

struct model_opts {
	const struct profile *p; /* must outlive the model */
	unsigned spelling;
	bool samples;
	size_t nr_column;
	const bool *in[TREE_COLUMNS]; /* by event */
	struct span unit;
};

enum model_direction { MODEL_FORWARD, MODEL_REVERSE };

/* What stands beside each other: by name, or the heaviest first. */
enum model_beside { MODEL_BY_NAME, MODEL_BY_WIDTH };

struct model {
	struct model_opts o;
	struct tree
		tree[2]; /* by direction; labels are the same in both; nr_node is 0: not made yet */
	struct graph graph
		[2][2]; /* by direction, and what is beside each other; nr_row is 0: not made yet */
	uint8_t *color; /* by label */
	uint32_t *frame; /* by label: one that is called so, + 1; 0: it is a thread's name */
	struct top_row *top;
	size_t nr_top;
};

void model_init(struct model *m, const struct model_opts *o);
void model_release(struct model *m);

const struct labels *model_labels(const struct model *m);

/* Of everything. */
weight_sum model_total(const struct model *m);

/* Made when it is first asked for. */
const struct graph *model_graph(struct model *m, enum model_direction d, enum model_beside b);

/* What a row of the profile comes to, or one sample; 0 where its event is not shown. */
weight_sum model_count(const struct model *m, const struct count *c);
weight_sum model_tick(const struct model *m, const struct tick *k);

/* "libc.so.6", or "". */
struct span model_module(const struct model *m, uint32_t label);

/* Puts `top` in order. */
enum model_order { MODEL_BY_SELF, MODEL_BY_TOTAL };
void model_sort(struct model *m, enum model_order order);

/* The row of a function in `top`; nr_top when it is none. */
size_t model_row(const struct model *m, uint32_t label);

/* Appends a weight: "1 234 samples", "1.25 s". */
void model_add_weight(const struct model *m, struct strbuf *out, weight_sum w);

#endif
