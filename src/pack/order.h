/*
 * The order in which the rows of a profile are written.  It depends on their content only, not on
 * how the profile was built: equal profiles have equal bytes.
 */
#ifndef WICK_PACK_ORDER_H
#define WICK_PACK_ORDER_H

#include "profile/profile.h"

struct order {
	uint32_t *row;	  /* number in the pack → row of the profile */
	uint32_t *number; /* row of the profile → number in the pack; 0 → 0 */
	size_t nr;	  /* number of written rows, including row 0 */
};

struct orders {
	/* Most frequently referenced first; unreferenced strings are not written. */
	struct order strings, modules, frames, labels;
	struct order threads; /* by pid, tid, comm */
	/* By string: its rank by bytes; only during orders_init(). */
	uint32_t *text;
	uint32_t *name; /* by frame: its rank by name */
	/* By label set: its labels, sorted by bytes (they are unordered in the profile). */
	struct label_set *label_set;
	struct arena label; /* memory of these labels */
};

void orders_init(struct orders *o, const struct profile *p);
void orders_release(struct orders *o);

#endif
