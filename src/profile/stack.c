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

/* How many rows are in flight at once: more than the processor can fetch side by side. */
enum { BATCH = 64 };

static void grow(struct profile *p)
{
	struct row_index *x = &p->stack_index;

	row_index_grow(x);
	for (size_t i = 1; i < p->nr_stack; i++) {
		if (i + BATCH < p->nr_stack)
			__builtin_prefetch(&x->slot[p->stack[i + BATCH].path_hash & x->mask], 1);
		row_index_put(x, p->stack[i].path_hash, i);
	}
}

static inline void reserve(struct profile *p, size_t nr)
{
	while (row_index_full(&p->stack_index, p->nr_stack + nr))
		grow(p);
}

/* The row of (caller, frame), or 0 and the empty slot where it belongs. */
static uint32_t find(const struct profile *p, stack_id caller, frame_id frame, uint32_t hash,
		     uint32_t *empty)
{
	uint32_t row;

	FOR_EACH_ROW (row, *empty, &p->stack_index, hash)
		if (p->stack[row].caller.i == caller.i && p->stack[row].frame.i == frame.i)
			return row;
	return 0;
}

static stack_id append(struct profile *p, stack_id caller, frame_id frame, uint32_t hash,
		       uint32_t slot)
{
	GROW(p->stack, p->nr_stack, p->cap_stack);
	p->stack_index.slot[slot] = row_index_slot(&p->stack_index, hash, p->nr_stack);
	p->stack[p->nr_stack] =
		(struct stack){ .caller = caller, .frame = frame, .path_hash = hash };
	return (stack_id){ (uint32_t)p->nr_stack++ };
}

stack_id profile_push(struct profile *p, stack_id caller, frame_id callee)
{
	uint32_t hash = path_hash(p->stack[caller.i].path_hash, callee), slot = 0, row;

	reserve(p, 1);
	row = find(p, caller, callee, hash, &slot);
	if (row)
		return (stack_id){ row };
	return append(p, caller, callee, hash, slot);
}

/* One batch, root first; is_new: the caller was just added, so none of these can be there. */
static stack_id push_batch(struct profile *p, stack_id caller, const frame_id *at, ptrdiff_t step,
			   size_t nr, bool *is_new)
{
	uint32_t hash[BATCH], h = p->stack[caller.i].path_hash, slot = 0, row;
	const struct row_index *x = &p->stack_index;

	reserve(p, nr);
	for (size_t i = 0; i < nr; i++) {
		h = path_hash(h, at[step * (ptrdiff_t)i]);
		hash[i] = h;
		__builtin_prefetch(&x->slot[h & x->mask]);
	}
	for (size_t i = 0; i < nr && !*is_new; i++) {
		slot = hash[i] & x->mask;
		row = row_index_next(x, hash[i], &slot);
		if (row == ROW_NONE)
			break;
		__builtin_prefetch(&p->stack[row]);
	}
	for (size_t i = 0; i < nr; i++, at += step) {
		row = 0;
		if (!*is_new)
			row = find(p, caller, *at, hash[i], &slot);
		else
			for (slot = hash[i] & x->mask; x->slot[slot]; slot = (slot + 1) & x->mask)
				;
		*is_new = !row;
		if (row)
			caller.i = row;
		else
			caller = append(p, caller, *at, hash[i], slot);
	}
	return caller;
}

stack_id profile_push_path(struct profile *p, stack_id caller, const frame_id *frame, size_t nr,
			   enum path_order order)
{
	const ptrdiff_t step = order == ROOT_FIRST ? 1 : -1;
	size_t done = 0;
	bool is_new = false;

	while (done < nr) {
		size_t batch = nr - done < BATCH ? nr - done : BATCH;
		const frame_id *at = order == ROOT_FIRST ? frame + done : frame + (nr - 1 - done);

		caller = push_batch(p, caller, at, step, batch, &is_new);
		done += batch;
	}
	return caller;
}
