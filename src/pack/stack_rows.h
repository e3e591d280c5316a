/* The section of the stacks, and under which numbers it lists them. */
#ifndef WICK_PACK_STACK_ROWS_H
#define WICK_PACK_STACK_ROWS_H

#include "base/rank.h"
#include "pack/order.h"
#include "pack/section.h"

/* Stacks are renumbered, but only those that something names have to know it. */
struct stack_rows {
	struct rank named; /* stacks that counts and ticks have */
	uint32_t *number;  /* by rank of those */
};

void stack_rows_write(struct stack_rows *r, const struct profile *p, const struct orders *o,
		      struct section *section);
void stack_rows_release(struct stack_rows *r);

/* Fills p with the stacks of a section, whose frames it has. */
int stack_rows_read(struct profile *p, struct bytes *b, struct error *e);

static inline uint32_t stack_rows_number(const struct stack_rows *r, stack_id stack)
{
	return r->number[rank_of(&r->named, stack.i)];
}

#endif
