/*
 * If time on and off CPU is one picture, threads that only wait for work would dominate it.  They are
 * merged into the thread `[idle]`, with a frame for each reason, and their names and stacks as its
 * callees.
 */
#ifndef WICK_FOLD_IDLE_H
#define WICK_FOLD_IDLE_H

#include "profile/profile.h"

/*
 * in: by event, whether it is shown.  A thread is idle if it has no CPU samples, and ran or waited for a disk, a
 * page or a CPU for less than 1 % of its time.  Returns the number of merged threads; if all are idle, none is
 * merged.
 */
size_t idle_fold(struct profile *p, const bool *in);

#endif
