/*
 * Stacks are a tree of (caller, frame) rows.  A new path is added from its first new frame to its
 * leaf, so the row behind a stack is mostly a callee of it: lookups try that first, which is cached
 * memory.  Only callees that are elsewhere (forks) are in the hash table, a fraction of the rows.
 */
#include "base/alloc.h"
#include "profile/row_index.h"

static uint32_t hash_of(stack_id caller, frame_id frame)
{
	return (uint32_t)mix(caller.i, frame.i);
}

static bool is_row(const struct profile *p, uint32_t row, stack_id caller, frame_id frame)
{
	return p->stack[row].caller.i == caller.i && p->stack[row].frame.i == frame.i;
}

static void grow(struct profile *p)
{
	struct row_index *x = &p->stack_index;

	row_index_grow(x);
	for (size_t i = 0; i < p->nr_fork; i++) {
		const struct stack *s = &p->stack[p->fork[i]];

		row_index_put(x, hash_of(s->caller, s->frame), i);
	}
}

static stack_id append(struct profile *p, stack_id caller, frame_id frame)
{
	GROW(p->stack, p->nr_stack, p->cap_stack);
	p->stack[p->nr_stack] = (struct stack){ .caller = caller, .frame = frame };
	return (stack_id){ (uint32_t)p->nr_stack++ };
}

/* Finds or adds a callee that does not directly follow its caller. */
static stack_id push_indexed(struct profile *p, stack_id caller, frame_id frame)
{
	struct row_index *x = &p->stack_index;
	uint32_t hash = hash_of(caller, frame), fork, at;

	if (row_index_full(x, p->nr_fork))
		grow(p);
	FOR_EACH_ROW (fork, at, x, hash)
		if (is_row(p, p->fork[fork], caller, frame))
			return (stack_id){ p->fork[fork] };
	x->slot[at] = row_index_slot(x, hash, p->nr_fork);
	GROW(p->fork, p->nr_fork, p->cap_fork);
	p->fork[p->nr_fork++] = (uint32_t)p->nr_stack;
	return append(p, caller, frame);
}

stack_id profile_push(struct profile *p, stack_id caller, frame_id callee)
{
	uint32_t next = caller.i + 1;

	if (next < p->nr_stack && is_row(p, next, caller, callee))
		return (stack_id){ next };
	if (p->fold_recursion && caller.i && p->stack[caller.i].frame.i == callee.i)
		return caller;
	/* The newest row has no callees yet: this one follows it. */
	if (next == p->nr_stack)
		return append(p, caller, callee);
	return push_indexed(p, caller, callee);
}

stack_id profile_push_path(struct profile *p, stack_id caller, const frame_id *frame, size_t nr,
			   enum path_order order)
{
	const frame_id *at = order == ROOT_FIRST || !nr ? frame : frame + nr - 1;
	const ptrdiff_t step = order == ROOT_FIRST ? 1 : -1;

	for (; nr; nr--, at += step)
		caller = profile_push(p, caller, *at);
	return caller;
}
