/* Private to this folder: intervals and links as tables, without counting them. */
#ifndef WICK_PROFILE_INTERVALS_H
#define WICK_PROFILE_INTERVALS_H

#include "profile/profile.h"

/* By handle in another profile: the handle in this one.  factor: by event, for its weights. */
struct interval_mapping {
	const uint32_t *event; /* NULL: the same */
	const int64_t *factor; /* NULL: 1 */
	const thread_id *thread;
	const stack_id *stack;
	const label_id *labels;
};

/* Appends the intervals and links of `from`.  Their weights fit: counts were added before. */
void intervals_append(struct profile *into, const struct profile *from,
		      const struct interval_mapping *m);

/* The part of profile_recount() for intervals and links. */
void intervals_recount(struct profile *p, const struct recount *r);

/* By event: does it have intervals?  To be freed; NULL: none has. */
bool *intervals_events(const struct profile *p);

/* Appends the points of all series of `from`. */
void series_append(struct profile *into, const struct profile *from);

/* Removes the points outside of the span. */
void series_cut(struct profile *p, const struct time_span *span);

#endif
