/* The module that a frame is in, and its name as it is shown. */
#ifndef WICK_FOLD_MODULES_H
#define WICK_FOLD_MODULES_H

#include "profile/profile.h"

/* The last part of the module's path; [kernel] for kernel code without one, or "". */
struct span modules_name(const struct profile *p, const struct frame *f);

/*
 * The frame whose module the leaf frame of a stack is in: its own, or that of the first caller with
 * a module, since an inlined call may have none.
 */
frame_id modules_frame(const struct profile *p, stack_id at);

#endif
