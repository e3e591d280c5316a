/*
 * Threads that wait for work all the time hide those that do some, where time on and off CPU is one
 * picture.  Together they become the thread `[idle]`, with a box for each reason, and what they are and
 * where they wait on top of it.
 */
#ifndef WICK_FOLD_IDLE_H
#define WICK_FOLD_IDLE_H

#include "profile/profile.h"

/*
 * in: by event, those that are shown.  Idle are threads without a sample of what ran that waited, and
 * hardly ever for a disk, a page or a CPU.  Returns how many were folded; if all are idle, none is.
 */
size_t idle_fold(struct profile *p, const bool *in);

#endif
