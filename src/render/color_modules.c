#include "render/color_modules.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "render/color.h"

#include <stdlib.h>

/*
 * Hues by rank: neighbors in this list are far apart on the color wheel; blue, which is the
 * kernel's, comes last.
 */
static const uint8_t far_apart[NR_COLOR_HUES] = { 1, 4, 8, 2, 0, 5, 9, 3, 7, 6 };

unsigned color_hue_of(size_t rank, struct span name)
{
	return rank < NR_COLOR_HUES ? far_apart[rank] : color_hash(name) % NR_COLOR_HUES;
}

struct span color_module_name(struct span path)
{
	size_t slash = span_rfind(path, '/');

	return slash == path.size ? path : span_from(path, slash + 1);
}

/* A caller comes before its callees, so its owner is known already. */
static void find_owners(struct color_modules *m, const struct profile *p)
{
	m->owner = xcalloc(p->nr_stack, sizeof(*m->owner));
	for (uint32_t s = 1; s < p->nr_stack; s++) {
		const struct stack *stack = &p->stack[s];
		const struct frame *f = &p->frame[stack->frame.i];
		bool inlined = f->flags & (FRAME_INLINED | FRAME_JIT_INLINED) && !f->module.i;

		m->owner[s] = inlined && stack->caller.i ? m->owner[stack->caller.i] : stack->frame;
	}
}

/* By stack: its samples, including those of its callees. */
static double *sum_stacks(const struct profile *p)
{
	double *total = xcalloc(p->nr_stack, sizeof(*total));

	for (size_t i = 0; i < p->nr_count; i++)
		total[p->count[i].stack.i] += (double)p->count[i].nr;
	for (size_t s = p->nr_stack; s-- > 1;)
		total[p->stack[s].caller.i] += total[s];
	return total;
}

/* Modules with the same file name are one: of[] becomes the number of each module's name. */
static void name_modules(struct intern *names, uint32_t *of, const struct profile *p)
{
	for (size_t i = 0; i < p->nr_module; i++)
		of[i] = intern(names, color_module_name(profile_peek(p, p->module[i].path)));
}

/* Sets the cost by name; a module without stacks keeps -1. */
static void add_costs(double *cost, const struct color_modules *m, const uint32_t *name_of,
		      const struct profile *p)
{
	double *total = sum_stacks(p);

	for (uint32_t s = 1; s < p->nr_stack; s++) {
		const struct frame *f = &p->frame[m->owner[s].i];
		double *c = &cost[name_of[f->module.i]];

		if (f->module.i && f->kind != FRAME_KERNEL && f->kind != FRAME_LABEL)
			*c = (*c < 0 ? 0 : *c) + total[s];
	}
	free(total);
}

static int compare_modules(const void *a, const void *b)
{
	const struct color_module *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost > y->cost ? -1 : 1;
	return span_compare(x->name, y->name);
}

/* Names point into the profile, which outlives `names`. */
static void make_list(struct color_modules *m, const double *cost, const struct intern *names,
		      const uint32_t *name_of, const struct profile *p)
{
	bool *listed = xcalloc(names->nr, sizeof(*listed));

	m->list = xcalloc(names->nr, sizeof(*m->list));
	for (size_t i = 1; i < p->nr_module; i++) {
		uint32_t n = name_of[i];

		if (listed[n] || cost[n] < 0)
			continue;
		listed[n] = true;
		m->list[m->nr++] = (struct color_module){
			.name = color_module_name(profile_peek(p, p->module[i].path)),
			.cost = cost[n],
		};
	}
	qsort(m->list, m->nr, sizeof(*m->list), compare_modules);
	free(listed);
}

/* Modules in the list get a hue by their rank, others by their name. */
static void give_hues(struct color_modules *m, const struct intern *names, const uint32_t *name_of,
		      const struct profile *p)
{
	uint8_t *hue = xcalloc(names->nr, sizeof(*hue));

	for (uint32_t n = 0; n < names->nr; n++)
		hue[n] = (uint8_t)color_hue_of(SIZE_MAX, intern_peek(names, n));
	for (size_t i = 0; i < m->nr; i++) {
		struct span name = m->list[i].name;

		m->list[i].hue = color_hue_of(i, name);
		hue[intern_find(names, name, intern_hash(name))] = (uint8_t)m->list[i].hue;
	}
	m->hue = xcalloc(p->nr_module, sizeof(*m->hue));
	for (size_t i = 0; i < p->nr_module; i++)
		m->hue[i] = hue[name_of[i]];
	free(hue);
}

void color_modules_init(struct color_modules *m, const struct profile *p)
{
	struct intern names = { 0 };
	uint32_t *name_of = xcalloc(p->nr_module, sizeof(*name_of));
	double *cost;

	*m = (struct color_modules){ 0 };
	name_modules(&names, name_of, p);
	cost = xcalloc(names.nr, sizeof(*cost));
	for (uint32_t n = 0; n < names.nr; n++)
		cost[n] = -1;
	find_owners(m, p);
	add_costs(cost, m, name_of, p);
	make_list(m, cost, &names, name_of, p);
	give_hues(m, &names, name_of, p);
	free(cost);
	free(name_of);
	intern_release(&names);
}

void color_modules_release(struct color_modules *m)
{
	free(m->list);
	free(m->hue);
	free(m->owner);
	*m = (struct color_modules){ 0 };
}
