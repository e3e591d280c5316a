/*
 * Stacks are a tree of (caller, frame) rows.  A new call chain is added from its first new frame to its
 * leaf, so the row after a stack is mostly one of its callees: lookups try it first, as it is likely
 * cached.  Only callees that are elsewhere (forks) are in the hash table, a fraction of the rows.
 */
#include "base/alloc.h"
#include "base/row_index.h"
#include "profile/profile.h"

#include <stdlib.h>

static uint32_t hash_of(stack_id caller, frame_id frame)
{
	return (uint32_t)row_mix(caller.i, frame.i);
}

static bool is_row(const struct profile *p, uint32_t row, stack_id caller, frame_id frame)
{
	return p->stack[row].caller.i == caller.i && p->stack[row].frame.i == frame.i;
}

static bool follows_caller(const struct profile *p, size_t row)
{
	return p->stack[row].caller.i == row - 1;
}

/* Builds the index: the first one, and again after profile_settle(). */
static void index_stacks(struct profile *p)
{
	struct stack_index *x = &p->stack_index;

	*x = (struct stack_index){ .mask = 63 };
	for (size_t i = 1; i < p->nr_stack; i++)
		x->nr += !follows_caller(p, i);
	while (x->nr >= x->mask - x->mask / 4)
		x->mask = x->mask * 2 + 1;
	x->slot = xcalloc_table((size_t)x->mask + 1, sizeof(*x->slot));
	for (size_t i = 1; i < p->nr_stack; i++) {
		uint32_t hash = hash_of(p->stack[i].caller, p->stack[i].frame);
		uint32_t at = hash & x->mask;

		if (follows_caller(p, i))
			continue;
		while (x->slot[at].row)
			at = (at + 1) & x->mask;
		x->slot[at] = (struct stack_slot){ .hash = hash, .row = (uint32_t)i };
	}
}

/* A slot contains the complete hash of its row, so that growing does not have to read the rows. */
static void grow(struct stack_index *x)
{
	struct stack_slot *old = x->slot;
	uint32_t nr_old = x->mask + 1, nr = nr_old * 2;

	x->slot = xcalloc_table(nr, sizeof(*x->slot));
	x->mask = nr - 1;
	for (uint32_t i = 0; i < nr_old; i++) {
		uint32_t at = old[i].hash & x->mask;

		if (!old[i].row)
			continue;
		while (x->slot[at].row)
			at = (at + 1) & x->mask;
		x->slot[at] = old[i];
	}
	free(old);
}

static stack_id append(struct profile *p, stack_id caller, frame_id frame)
{
	GROW(p->stack, p->nr_stack, p->cap_stack);
	p->stack[p->nr_stack] = (struct stack){ .caller = caller, .frame = frame };
	return (stack_id){ (uint32_t)p->nr_stack++ };
}

/* The slot of a callee that does not directly follow its caller, or the empty slot for it. */
static struct stack_slot *find_slot(const struct profile *p, stack_id caller, frame_id frame,
				    uint32_t hash)
{
	const struct stack_index *x = &p->stack_index;
	uint32_t at = hash & x->mask;

	while (x->slot[at].row &&
	       (x->slot[at].hash != hash || !is_row(p, x->slot[at].row, caller, frame)))
		at = (at + 1) & x->mask;
	return &x->slot[at];
}

/* Finds or adds a callee that does not directly follow its caller. */
static stack_id push_indexed(struct profile *p, stack_id caller, frame_id frame)
{
	struct stack_index *x = &p->stack_index;
	uint32_t hash = hash_of(caller, frame);
	struct stack_slot *slot;

	if (!x->slot)
		index_stacks(p);
	if (x->nr >= x->mask - x->mask / 4)
		grow(x);
	slot = find_slot(p, caller, frame, hash);
	if (slot->row)
		return (stack_id){ slot->row };
	*slot = (struct stack_slot){ .hash = hash, .row = (uint32_t)p->nr_stack };
	x->nr++;
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

/* Looking up several call chains */

static stack_id walk_at(const struct stack_walk *w)
{
	return (stack_id){ w->known ? w->path[w->known - 1].i : 0 };
}

/* Prefetches what the next step reads. */
static void walk_fetch(const struct profile *p, struct stack_walk *w)
{
	stack_id at = walk_at(w);

	__builtin_prefetch(&p->stack[at.i]);
	if (w->known == w->shared + w->nr) {
		w->state = w->unsure ? WALK_ON : WALK_DONE;
		return;
	}
	w->state = WALK_ON;
	w->hash = hash_of(at, w->frame[w->known - w->shared]);
	__builtin_prefetch(&p->stack_index.slot[w->hash & p->stack_index.mask]);
}

/*
 * Verifies the last row of the path, which was found by its hash.  If it is another row with the same
 * hash, which hardly ever happens, looks for the right one.
 */
static void walk_verify(const struct profile *p, struct stack_walk *w)
{
	stack_id at = walk_at(w), caller = { w->known > 1 ? w->path[w->known - 2].i : 0 };
	frame_id frame = w->frame[w->known - 1 - w->shared];

	w->unsure = false;
	if (is_row(p, at.i, caller, frame))
		return;
	w->path[w->known - 1].i = find_slot(p, caller, frame, hash_of(caller, frame))->row;
	if (!w->path[w->known - 1].i)
		w->known--;
	w->state = WALK_DONE;
}

/*
 * One step: everything that it reads was prefetched by the previous one.  A row that is found by its
 * hash is verified in the next step, which reads the row after it anyway.
 */
static void walk_step(const struct profile *p, struct stack_walk *w)
{
	const struct stack_index *x = &p->stack_index;
	uint32_t row, slot = w->hash & x->mask;
	frame_id frame;

	if (w->unsure)
		walk_verify(p, w);
	if (w->state == WALK_DONE || w->known == w->shared + w->nr) {
		w->state = WALK_DONE;
		return;
	}
	row = walk_at(w).i + 1;
	frame = w->frame[w->known - w->shared];
	if (row >= p->nr_stack || !is_row(p, row, walk_at(w), frame)) {
		while (x->slot[slot].row && x->slot[slot].hash != w->hash)
			slot = (slot + 1) & x->mask;
		row = x->slot[slot].row;
		w->unsure = true;
	}
	if (!row) {
		w->unsure = false;
		w->state = WALK_DONE;
		return;
	}
	w->path[w->known++].i = row;
	walk_fetch(p, w);
}

/* Copies the shared stacks from the previous walk, once that has found them. */
static void walk_begin(const struct profile *p, struct stack_walk *w,
		       const struct stack_walk *before)
{
	bool enough = before->state != WALK_WAITS && before->known - before->unsure >= w->shared;

	if (!enough && before->state != WALK_DONE)
		return;
	w->known = enough ? w->shared : before->known;
	for (uint32_t i = 0; i < w->known; i++)
		w->path[i] = before->path[i];
	if (enough)
		walk_fetch(p, w);
	else
		w->state = WALK_DONE;
}

void profile_walk(const struct profile *p, struct stack_walk *w, size_t nr)
{
	size_t left = nr;

	if (!p->stack_index.slot)
		return;
	for (size_t i = 0; i < nr; i++)
		if (w[i].known == w[i].shared)
			walk_fetch(p, &w[i]);
		else
			w[i].state = WALK_WAITS;
	while (left) {
		left = 0;
		for (size_t i = 0; i < nr; i++) {
			if (w[i].state == WALK_WAITS)
				walk_begin(p, &w[i], &w[i - 1]);
			else if (w[i].state != WALK_DONE)
				walk_step(p, &w[i]);
			left += w[i].state != WALK_DONE;
		}
	}
}
