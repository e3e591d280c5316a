/* Which module code is in, as people are told. */
#ifndef WICK_FOLD_MODULES_H
#define WICK_FOLD_MODULES_H

#include "profile/profile.h"

/* The last part of the path; without one, the kernel's code is [kernel]. */
struct span modules_name(const struct profile *p, const struct frame *f);

/* Whose module the innermost frame of a stack is in: what is inlined may leave that to its caller. */
frame_id modules_frame(const struct profile *p, stack_id at);

#endif
