/* Which part of a profile is shown: the result of load/choose.h, which all sinks take. */
#ifndef WICK_FOLD_CHOSEN_H
#define WICK_FOLD_CHOSEN_H

#include "profile/profile.h"
#include "profile/spelling.h"

/* To be released. */
struct chosen {
	size_t nr_column;	 /* 1; or 2, before and after */
	bool *in[2];		 /* by column, then by event: does it count there? */
	bool samples;		 /* count samples, not weights */
	unsigned spelling;	 /* enum spelling: of the names that are shown */
	unsigned input_spelling; /* … of folded stacks of the source */
};

/* The unit of all shown events; "samples" if they have none, "count" if they differ. */
struct span chosen_unit(const struct profile *p, const struct chosen *c);
void chosen_release(struct chosen *c);

#endif
