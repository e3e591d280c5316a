#include "tui/sandwich.h"

#include "base/alloc.h"

#include <stdlib.h>

void sandwich_init(struct sandwich *s)
{
	*s = (struct sandwich){ .label = LAYOUT_ALL, .side = AROUND_CALLEES };
}

void sandwich_empty(struct sandwich *s)
{
	for (int i = 0; i < 2 && s->label != LAYOUT_ALL; i++) {
		icicle_release(&s->icicle[i]);
		graph_release(&s->graph[i]);
		around_release(&s->tree[i]);
	}
	sandwich_init(s);
}

void sandwich_release(struct sandwich *s)
{
	sandwich_empty(s);
}

uint32_t sandwich_middle(const struct sandwich *s, enum around side)
{
	return graph_find(&s->graph[side], 1, 0);
}

void sandwich_fill(struct sandwich *s, const struct model *m, uint32_t label)
{
	bool *wanted;

	if (label == s->label)
		return;
	sandwich_empty(s);
	if (label >= LAYOUT_MORE)
		return;
	s->label = label;
	wanted = xcalloc(model_labels(m)->nr, sizeof(*wanted));
	wanted[label] = true;
	for (int i = 0; i < 2; i++) {
		around_build(&s->tree[i], &m->tree[MODEL_FORWARD], wanted, (enum around)i);
		graph_init(&s->graph[i], &s->tree[i], TREE_WIDTH);
		icicle_init(&s->icicle[i], &s->graph[i]);
		/* The box of everything is not shown, and the function only among the callees. */
		s->icicle[i].first = i == AROUND_CALLERS ? 2 : 1;
		s->icicle[i].top = s->icicle[i].first;
		s->icicle[i].upward = i == AROUND_CALLERS;
		s->icicle[i].selected = s->icicle[i].zoom = sandwich_middle(s, (enum around)i);
	}
	free(wanted);
	/* All samples of the function were filtered out. */
	if (s->icicle[AROUND_CALLEES].selected == GRAPH_NONE)
		sandwich_empty(s);
}

struct icicle *sandwich_icicle(struct sandwich *s)
{
	return &s->icicle[s->side];
}
