#include "ingest/origins.h"

#include "base/alloc.h"
#include "base/first_above.h"

#include <stdlib.h>

struct origins *origins_new(uint32_t pid, uint32_t tid)
{
	struct origins *o = xcalloc(1, sizeof(*o));

	o->pid = pid;
	o->is_first = pid == tid;
	return o;
}

void origins_free(struct origins *o)
{
	if (!o)
		return;
	free(o->piece);
	free(o->group);
	free(o);
}

/* Groups */

uint32_t origins_group(struct origins *o, uint32_t group)
{
	while (o->group[group].of != group) {
		o->group[group].of = o->group[o->group[group].of].of;
		group = o->group[group].of;
	}
	return group;
}

static uint32_t new_group(struct origins *o)
{
	GROW(o->group, o->nr_group, o->cap_group);
	o->group[o->nr_group] = (struct origin_group){ .of = (uint32_t)o->nr_group };
	return (uint32_t)o->nr_group++;
}

static uint32_t unite(struct origins *o, uint32_t a, uint32_t b)
{
	if (a == ORIGIN_NONE)
		return b;
	a = origins_group(o, a);
	b = origins_group(o, b);
	o->group[a > b ? a : b].of = a > b ? b : a;
	return a > b ? b : a;
}

/* Pieces */

/* The index of the first piece that ends after the address. */
static size_t find_piece(const struct origins *o, uint64_t address)
{
	return FIRST_ABOVE(o->piece, o->nr, high, address);
}

/* Replaces nr pieces from `at` on by one piece. */
static void replace(struct origins *o, size_t at, size_t nr, struct origin_piece piece)
{
	if (!nr)
		GROW(o->piece, o->nr, o->cap);
	memmove(o->piece + at + 1, o->piece + at + nr, (o->nr - at - nr) * sizeof(*o->piece));
	o->piece[at] = piece;
	o->nr += 1 - nr;
}

/* Adds a piece to a group (ORIGIN_NONE: a new one), merged with all pieces that it overlaps. */
static uint32_t add_piece(struct origins *o, struct unwind_piece p, uint32_t group)
{
	size_t at = find_piece(o, p.low), end = at;

	for (; end < o->nr && o->piece[end].low < p.high; end++) {
		const struct origin_piece *q = &o->piece[end];

		p.low = q->low < p.low ? q->low : p.low;
		p.high = q->high > p.high ? q->high : p.high;
		group = unite(o, group, q->group);
	}
	if (group == ORIGIN_NONE)
		group = new_group(o);
	replace(o, at, end - at,
		(struct origin_piece){ .low = p.low, .high = p.high, .group = group });
	return group;
}

static uint32_t add_trail(struct origins *o, const struct unwind_trail *t)
{
	uint32_t group = ORIGIN_NONE;

	if (o->nr + t->nr > ORIGIN_PIECES_MAX || o->nr_group + t->nr > ORIGIN_GROUPS_MAX)
		o->uncertain = true;
	if (o->uncertain)
		return ORIGIN_NONE;
	for (size_t i = 0; i < t->nr; i++)
		if (t->piece[i].low < t->piece[i].high)
			group = add_piece(o, t->piece[i], group);
	return group;
}

/* Roots */

bool origins_knows(const struct origins *o, uint64_t pc)
{
	return o->nr_root && o->root[o->nr_root - 1].pc == pc;
}

/* Are both the top of the same stack?  The dynamic linker's and the program's differ by some words. */
static bool is_near(uint64_t a, uint64_t b)
{
	enum { NEAR = 256 };

	return a - b <= NEAR || b - a <= NEAR;
}

/* Was it a root before the newest one?  Alternating roots prove nothing. */
static bool was_left(const struct origins *o, uint64_t pc)
{
	for (size_t i = 0; i + 1 < o->nr_root; i++)
		if (o->root[i].pc == pc)
			return true;
	return false;
}

void origins_add_root(struct origins *o, const struct unwind_trail *t, const struct origin *root)
{
	uint64_t top = t->nr ? t->piece[t->nr - 1].high : 0;
	uint32_t group;
	bool is_new;

	/* Unwinding began in the root itself, which has put nothing on the stack yet. */
	if (!t->nr || t->piece[t->nr - 1].low >= top)
		return;
	group = add_trail(o, t);
	if (group == ORIGIN_NONE)
		return;
	if (!o->nr_root) {
		o->top = top;
		o->root_group = group;
	}
	o->root_group = unite(o, o->root_group, group);
	is_new = !origins_knows(o, root->pc);
	if (!is_near(o->top, top) || was_left(o, root->pc) ||
	    (is_new && o->nr_root == ORIGIN_ROOTS_MAX))
		o->uncertain = true;
	else if (is_new)
		o->root[o->nr_root++] = *root;
}

uint32_t origins_add_truncated(struct origins *o, const struct unwind_trail *t)
{
	uint32_t group = add_trail(o, t);

	return group == ORIGIN_NONE ? group : origins_group(o, group);
}

const struct origin *origins_find(struct origins *o, uint32_t group, unsigned nr_root)
{
	const struct origin *last = &o->root[o->nr_root ? o->nr_root - 1 : 0];

	if (o->uncertain || !o->nr_root ||
	    origins_group(o, group) != origins_group(o, o->root_group))
		return NULL;
	if (o->is_first)
		return last->of_program && nr_root == o->nr_root ? last : NULL;
	return o->nr_root == 1 ? last : NULL;
}
