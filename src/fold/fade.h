/* Older samples count less, so that what runs now is visible. */
#ifndef WICK_FOLD_FADE_H
#define WICK_FOLD_FADE_H

#include "profile/profile.h"

enum {
	FADE_LIVES = 10
}; /* half-lives after which a sample has less than a thousandth of its weight */

/*
 * Halves a sample's weight for each half-life (in the unit of ticks) between it and the newest
 * sample; after FADE_LIVES it is 0.  The counts are recomputed from the ticks, each of which is one
 * sample.  false: samples have no times, and the profile is unchanged.
 */
bool fade_apply(struct profile *p, uint64_t half_life);

/* Removes the samples whose weight would be 0, and leaves the others unchanged. */
void fade_forget(struct profile *p, uint64_t half_life);

#endif
