/*
 * Who ends waits: the stack of the thread that woke another one above the stack of that one, from its
 * leaf to its root, so that both meet where the one waits and the other wakes.
 */
#ifndef WICK_FOLD_WAKERS_H
#define WICK_FOLD_WAKERS_H

#include "profile/profile.h"

/*
 * Gives the waits of an event such stacks; those without a known waker stay as they are.  Sums stay the
 * same.  Returns how many waits have a waker; if none has, nothing is changed.
 */
size_t wakers_apply(struct profile *p, uint32_t event);

#endif
