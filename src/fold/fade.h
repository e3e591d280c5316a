/* Samples that count the less the older they are: what runs now is seen, whatever ran before. */
#ifndef WICK_FOLD_FADE_H
#define WICK_FOLD_FADE_H

#include "profile/profile.h"

enum {
	FADE_LIVES = 10
}; /* after so many half-lives a sample is no more than a thousandth of what it was */

/*
 * A sample's weight is halved for each half-life (in the unit of ticks) that it is older than the
 * newest one, and is 0 after FADE_LIVES of them.  The counts are made anew from the ticks, each of
 * which is one sample.  false: samples have no times, and the profile is unchanged.
 */
bool fade_apply(struct profile *p, uint64_t half_life);

/* Removes the samples whose weight would be 0, and leaves the others as they are. */
void fade_forget(struct profile *p, uint64_t half_life);

#endif
