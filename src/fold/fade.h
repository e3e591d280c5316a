/* Samples that count the less the older they are: what runs now is seen, whatever ran before. */
#ifndef WICK_FOLD_FADE_H
#define WICK_FOLD_FADE_H

#include "profile/profile.h"

enum {
	FADE_LIVES = 10
}; /* after so many half-lives a sample is no more than a thousandth of what it was */

/*
 * Every sample counts half as much for each half-life (in the unit of ticks) that it is older than the newest
 * one, and nothing after FADE_LIVES.  Counts are made anew of the ticks; of their numbers of samples, a tick
 * is one.  false: samples have no times, and all count as before.
 */
bool fade_apply(struct profile *p, uint64_t half_life);

/* Forgets what counts nothing any more, and leaves the rest as it is. */
void fade_forget(struct profile *p, uint64_t half_life);

#endif
