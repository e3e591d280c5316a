/* The section of the stacks, and the numbers that stacks have in the pack. */
#ifndef WICK_PACK_STACK_ROWS_H
#define WICK_PACK_STACK_ROWS_H

#include "base/rank.h"
#include "pack/order.h"
#include "pack/section.h"

/* Only stacks that other sections refer to have their number stored. */
struct stack_rows {
	struct rank named; /* stacks of counts and ticks */
	uint32_t *number;  /* by rank in `named` */
};

void stack_rows_write(struct stack_rows *r, const struct profile *p, const struct orders *o,
		      struct section *section);
void stack_rows_release(struct stack_rows *r);

/* Adds the stacks of a section to p, which must have the frames already. */
int stack_rows_read(struct profile *p, struct bytes *b, struct error *e);

/* The number of a stack of a count or a tick. */
static inline uint32_t stack_rows_number(const struct stack_rows *r, stack_id stack)
{
	return r->number[rank_of(&r->named, stack.i)];
}

#endif
