/* The sections of the links and of the intervals, and the numbers that both have in the pack. */
#ifndef WICK_PACK_INTERVAL_ROWS_H
#define WICK_PACK_INTERVAL_ROWS_H

#include "base/bytes.h"
#include "base/error.h"
#include "pack/order.h"
#include "pack/section.h"
#include "pack/stack_rows.h"

struct interval_rows {
	uint64_t *key;	    /* sort keys: rows of the profile, in the order of the pack */
	uint32_t *link;	    /* by link of the profile: its number in the pack; 0: not written */
	uint32_t *link_row; /* by number in the pack: the link of the profile */
	uint32_t nr_link;   /* including row 0 */
	uint32_t *interval; /* by row of the profile: its number; NULL: no link needs it */
};

/* Orders intervals and links by their content. */
void interval_rows_init(struct interval_rows *r, const struct profile *p, const struct orders *o,
			const struct stack_rows *stacks);
void interval_rows_release(struct interval_rows *r);

void interval_rows_write_links(const struct interval_rows *r, const struct profile *p,
			       const struct orders *o, const struct stack_rows *stacks,
			       struct strbuf *out);
void interval_rows_write(const struct interval_rows *r, const struct profile *p,
			 const struct orders *o, const struct stack_rows *stacks,
			 struct section *section);

/* Adds the links to p, which must have threads and stacks.  Their intervals come later. */
int interval_rows_read_links(struct profile *p, struct bytes *b, struct error *e);

/*
 * Adds the intervals to p, which must have its counts: those of an event must add up to its counts.
 */
int interval_rows_read(struct profile *p, struct bytes *b, struct error *e);

/* Does every link refer to an existing interval?  To be called after the last section. */
bool interval_rows_complete(const struct profile *p);

#endif
