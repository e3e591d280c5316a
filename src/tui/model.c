#include "tui/model.h"

#include "base/alloc.h"
#include "render/color.h"
#include "render/number.h"

#include <math.h>
#include <stdlib.h>

const struct labels *model_labels(const struct model *m)
{
	return &m->tree[MODEL_FORWARD].labels;
}

weight_sum model_total(const struct model *m)
{
	return m->graph[MODEL_FORWARD][MODEL_BY_NAME].layout.total;
}

static void build_tree(struct model *m, enum model_direction d)
{
	const struct model_opts *o = &m->o;
	struct tree_opts to = { .spelling = o->spelling,
				.samples = o->samples,
				.nr_column = o->nr_column,
				.in = { o->in[0], o->in[1] },
				.reverse = d == MODEL_REVERSE };

	tree_build(&m->tree[d], o->p, &to);
}

const struct graph *model_graph(struct model *m, enum model_direction d, enum model_beside b)
{
	struct graph *g = &m->graph[d][b];

	if (!m->tree[d].nr_node)
		build_tree(m, d);
	if (m->has_states && !m->state[d])
		m->state[d] = color_states(&m->tree[d]);
	if (!g->nr_row)
		graph_init(g, &m->tree[d], b == MODEL_BY_WIDTH ? TREE_WIDTH : TREE_NAME);
	g->state = m->state[d];
	return g;
}

/* Picks one frame for each label, to represent all frames with that label. */
static void find_frames(struct model *m)
{
	const struct labels *l = model_labels(m);

	m->frame = xcalloc(l->nr, sizeof(*m->frame));
	for (size_t f = m->o.p->nr_frame; f-- > 0;)
		for (uint32_t k = l->first[f]; k < l->first[f + 1]; k++)
			m->frame[l->of_frame[k]] = (uint32_t)f + 1;
}

struct model_opts model_chosen(const struct profile *p, const struct chosen *c)
{
	return (struct model_opts){
		.p = p,
		/* Names without marks (_[k]): colors show the kinds of functions. */
		.spelling = (c->spelling & ~(unsigned)SPELL_MARKS) | SPELL_APART | SPELL_GROUP,
		.samples = c->samples,
		.nr_column = c->nr_column,
		.in = { c->in[0], c->in[1] },
		.unit = c->samples ? SPAN("samples") : chosen_unit(p, c),
	};
}

void model_init(struct model *m, const struct model_opts *o)
{
	*m = (struct model){ .o = *o };
	m->has_states = o->nr_column == 1 && color_has_states(o->p, o->in[0]);
	model_graph(m, MODEL_FORWARD, MODEL_BY_NAME);
	m->color = color_labels(o->p, model_labels(m), COLOR_KIND, NULL);
	for (size_t i = 1; m->has_states && i < m->tree[MODEL_FORWARD].nr_node; i++)
		m->is_state[m->state[MODEL_FORWARD][i]] = true;
	m->top = top_list(&m->tree[MODEL_FORWARD], &m->nr_top);
	find_frames(m);
}

void model_release(struct model *m)
{
	for (size_t d = 0; d < ARRAY_SIZE(m->tree); d++) {
		for (size_t b = 0; b < ARRAY_SIZE(m->graph[d]); b++)
			if (m->graph[d][b].nr_row)
				graph_release(&m->graph[d][b]);
		if (m->tree[d].nr_node)
			tree_release(&m->tree[d]);
	}
	free(m->color);
	free(m->state[MODEL_FORWARD]);
	free(m->state[MODEL_REVERSE]);
	free(m->frame);
	free(m->top);
	*m = (struct model){ 0 };
}

/* The weight in the last column; in a comparison, that is `after`. */
static weight_sum weigh(const struct model *m, uint32_t event, uint64_t nr, int64_t weight)
{
	if (!m->o.in[m->o.nr_column - 1][event])
		return 0;
	return m->o.samples ? (weight_sum)nr : tree_weight(m->o.p, event, weight, m->tree[0].scale);
}

weight_sum model_count(const struct model *m, const struct count *c)
{
	return weigh(m, c->event, c->nr, c->weight);
}

weight_sum model_tick(const struct model *m, const struct tick *k)
{
	return weigh(m, k->event, 1, k->weight);
}

struct span model_module(const struct model *m, uint32_t label)
{
	const struct profile *p = m->o.p;

	if (label >= LAYOUT_MORE || !m->frame[label])
		return SPAN("");
	return color_module_name(
		profile_peek(p, p->module[p->frame[m->frame[label] - 1].module.i].path));
}

static int by_self(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return x->label < y->label ? -1 : x->label > y->label;
}

static int by_total(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return by_self(a, b);
}

void model_sort(struct model *m, enum model_order order)
{
	if (m->nr_top)
		qsort(m->top, m->nr_top, sizeof(*m->top),
		      order == MODEL_BY_TOTAL ? by_total : by_self);
}

size_t model_row(const struct model *m, uint32_t label)
{
	size_t i = 0;

	while (i < m->nr_top && m->top[i].label != label)
		i++;
	return i;
}

void model_add_weight(const struct model *m, struct strbuf *out, weight_sum w)
{
	number_add_count(out, (double)w * pow(10, m->tree[MODEL_FORWARD].scale), m->o.unit);
}
