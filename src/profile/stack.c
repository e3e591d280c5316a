/*
 * Stacks: a tree of (caller, frame) rows.  The place of a row in the index
 * comes from a hash of all frames from the root, not from the number of its
 * caller: so the places of a whole path are known before any of its rows is,
 * and the processor can fetch them side by side.  Random deep stacks would
 * otherwise cost one cache miss after another.
 */
#include "base/alloc.h"
#include "profile/row_index.h"

static uint32_t path_hash(uint32_t caller_hash, frame_id frame)
{
	return (uint32_t)mix(caller_hash, frame.i);
}

static void reserve(struct profile *p, size_t nr)
{
	while (row_index_full(&p->stack_index, p->nr_stack + nr)) {
		row_index_grow(&p->stack_index);
		for (size_t i = 1; i < p->nr_stack; i++)
			row_index_put(&p->stack_index, p->stack[i].path_hash, i);
	}
}

static stack_id push_hashed(struct profile *p, stack_id caller, frame_id frame, uint32_t hash)
{
	struct row_index *x = &p->stack_index;
	uint32_t i = hash & x->mask, row;

	for (; (row = x->slot[i]) != 0; i = (i + 1) & x->mask) {
		const struct stack *s = &p->stack[row - 1];

		if (s->caller.i == caller.i && s->frame.i == frame.i)
			return (stack_id){ row - 1 };
	}
	GROW(p->stack, p->nr_stack, p->cap_stack);
	x->slot[i] = (uint32_t)p->nr_stack + 1;
	p->stack[p->nr_stack] =
		(struct stack){ .caller = caller, .frame = frame, .path_hash = hash };
	return (stack_id){ (uint32_t)p->nr_stack++ };
}

stack_id profile_push(struct profile *p, stack_id caller, frame_id callee)
{
	reserve(p, 1);
	return push_hashed(p, caller, callee, path_hash(p->stack[caller.i].path_hash, callee));
}

/* How many rows are in flight at once: more than the processor can fetch side by side. */
enum { BATCH = 64 };

stack_id profile_push_path(struct profile *p, stack_id caller, const frame_id *frame, size_t nr,
			   enum path_order order)
{
	uint32_t hash[BATCH], h = p->stack[caller.i].path_hash;
	const struct row_index *x = &p->stack_index;
	const frame_id *at = order == ROOT_FIRST || !nr ? frame : frame + nr - 1;
	const ptrdiff_t step = order == ROOT_FIRST ? 1 : -1;

	while (nr) {
		size_t batch = nr < BATCH ? nr : BATCH;

		reserve(p, batch);
		for (size_t i = 0; i < batch; i++) {
			h = path_hash(h, at[step * (ptrdiff_t)i]);
			hash[i] = h;
			__builtin_prefetch(&x->slot[h & x->mask]);
		}
		for (size_t i = 0; i < batch; i++) {
			uint32_t row = x->slot[hash[i] & x->mask];

			__builtin_prefetch(&p->stack[row ? row - 1 : 0]);
		}
		for (size_t i = 0; i < batch; i++, at += step)
			caller = push_hashed(p, caller, *at, hash[i]);
		nr -= batch;
	}
	return caller;
}
