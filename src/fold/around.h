/* What is around a function, or several: who calls it, or what it calls, as a tree that begins with it. */
#ifndef WICK_FOLD_AROUND_H
#define WICK_FOLD_AROUND_H

#include "fold/tree.h"

enum around { AROUND_CALLERS, AROUND_CALLEES };

/*
 * Of all lines of a tree from the root that have one of these labels in them; where there are several,
 * the outermost counts.  The other tree's labels are used, so it must outlive this one.
 */
void around_build(struct tree *t, const struct tree *from, const bool *label, enum around what);
void around_release(struct tree *t);

#endif
