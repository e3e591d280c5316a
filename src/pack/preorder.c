#include "pack/preorder.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

/* Is the row before a stack its caller? */
static bool follows(const struct profile *p, size_t stack)
{
	return p->stack[stack].caller.i == stack - 1;
}

/* Lists the callees of forks: callers with a callee that is not the row after them. */
static size_t list_callees(struct preorder *o, const uint32_t *name)
{
	const struct profile *p = o->p;
	size_t nr = 0, cap = 0;

	for (size_t i = 1; i < p->nr_stack; i++)
		if (!follows(p, i))
			rank_add(&o->forks, p->stack[i].caller.i);
	for (size_t i = 1; i < p->nr_stack; i++) {
		if (!rank_has(&o->forks, p->stack[i].caller.i))
			continue;
		GROW(o->callee, nr, cap);
		o->callee[nr++] = sort_key(name[p->stack[i].frame.i], i);
	}
	return nr;
}

void preorder_init(struct preorder *o, const struct profile *p, const uint32_t *name)
{
	size_t nr, nr_caller = 0;

	*o = (struct preorder){ .p = p };
	rank_init(&o->forks, p->nr_stack);
	/* The root is always one: the walk begins with its callees. */
	rank_add(&o->forks, 0);
	nr = list_callees(o, name);
	sort_keys(o->callee, nr);
	for (size_t i = 0; i < nr; i++) {
		uint32_t stack = sort_what(o->callee[i]);

		o->callee[i] = sort_key(p->stack[stack].caller.i, stack);
	}
	sort_keys(o->callee, nr);
	rank_count(&o->forks, p->nr_stack);
	o->first = xcalloc(nr + 2, sizeof(*o->first));
	for (uint32_t i = 0; i < nr; i++)
		if (!i || sort_by(o->callee[i]) != sort_by(o->callee[i - 1]))
			o->first[nr_caller++] = i;
	o->first[nr_caller] = (uint32_t)nr;
}

void preorder_release(struct preorder *o)
{
	rank_release(&o->forks);
	free(o->callee);
	free(o->first);
	free(o->pending);
	*o = (struct preorder){ 0 };
}

/* Descends from o->at if it is a fork; returns the next pending callee, or 0: none is left. */
static uint32_t next_callee(struct preorder *o)
{
	struct pending *top;
	uint32_t at;

	if (rank_has(&o->forks, o->at)) {
		size_t caller = rank_of(&o->forks, o->at);

		GROW(o->pending, o->nr, o->cap);
		o->pending[o->nr++] = (struct pending){ .next = o->first[caller],
							.end = o->first[caller + 1],
							.depth = o->depth + 1 };
	}
	while (o->nr && o->pending[o->nr - 1].next == o->pending[o->nr - 1].end)
		o->nr--;
	if (!o->nr)
		return 0;
	top = &o->pending[o->nr - 1];
	o->depth = top->depth;
	at = sort_what(o->callee[top->next++]);
	/* Its sibling is far away in memory: fetched now, it is in the cache by its turn. */
	if (top->next < top->end)
		__builtin_prefetch(&o->p->stack[sort_what(o->callee[top->next])]);
	return at;
}

bool preorder_next(struct preorder *o, struct preorder_run *run)
{
	const struct stack *stack = o->p->stack;
	uint32_t at = next_callee(o), last = (uint32_t)o->p->nr_stack - 1;

	if (!at)
		return false;
	*run = (struct preorder_run){ .first = at, .depth = o->depth };
	while (at < last && stack[at + 1].caller.i == at && !rank_has(&o->forks, at))
		at++;
	run->nr = at - run->first + 1;
	o->depth += run->nr - 1;
	o->at = at;
	return true;
}
