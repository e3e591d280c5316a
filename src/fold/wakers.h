/*
 * Wakers: appends the stack of the thread that ended a wait to the stack of the wait, from its leaf to
 * its root, so that both leaves meet.
 */
#ifndef WICK_FOLD_WAKERS_H
#define WICK_FOLD_WAKERS_H

#include "profile/profile.h"

/*
 * Changes the stacks of all waits of an event with a known waker.  Sums stay the
 * same.  Returns how many waits have a waker; if none has, nothing is changed.
 */
size_t wakers_apply(struct profile *p, uint32_t event);

#endif
