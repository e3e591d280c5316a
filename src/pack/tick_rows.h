/* The section of the ticks, in the order of the samples. */
#ifndef WICK_PACK_TICK_ROWS_H
#define WICK_PACK_TICK_ROWS_H

#include "base/bytes.h"
#include "base/error.h"
#include "pack/order.h"
#include "pack/stack_rows.h"

/* Appends nothing if the profile keeps no ticks. */
void tick_rows_write(const struct profile *p, const struct orders *o,
		     const struct stack_rows *stacks, struct strbuf *out);

/* Adds the ticks to p, which must have its counts already: ticks have to add up to them. */
int tick_rows_read(struct profile *p, struct bytes *b, struct error *e);

#endif
