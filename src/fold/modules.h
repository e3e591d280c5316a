/* The module of a frame, and its displayed name. */
#ifndef WICK_FOLD_MODULES_H
#define WICK_FOLD_MODULES_H

#include "profile/profile.h"

/* The last part of the module's path; [kernel] for kernel code without one, or "". */
struct span modules_name(const struct profile *p, const struct frame *f);

/*
 * The frame that has the module of a stack's leaf: the leaf frame, or the first caller with a
 * module, since an inlined call may have none.
 */
frame_id modules_frame(const struct profile *p, stack_id at);

#endif
