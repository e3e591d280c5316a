/* The section of the counts. */
#ifndef WICK_PACK_COUNT_ROWS_H
#define WICK_PACK_COUNT_ROWS_H

#include "base/bytes.h"
#include "base/error.h"
#include "pack/order.h"
#include "pack/stack_rows.h"

void count_rows_write(const struct profile *p, const struct orders *o,
		      const struct stack_rows *stacks, struct strbuf *out);

/* Adds the counts to p, which must have the events, threads, labels and stacks already. */
int count_rows_read(struct profile *p, struct bytes *b, struct error *e);

#endif
