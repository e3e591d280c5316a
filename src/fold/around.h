/* The callers or the callees of some functions, as a tree that begins with these functions. */
#ifndef WICK_FOLD_AROUND_H
#define WICK_FOLD_AROUND_H

#include "fold/tree.h"

enum around { AROUND_CALLERS, AROUND_CALLEES };

/*
 * Builds it from the lines of `from` (a tree that begins at the root) that contain a label for
 * which label[] is true, starting at the outermost one.  The labels remain those of `from`, which
 * must outlive the new tree: release that with around_release(), not tree_release().
 */
void around_build(struct tree *t, const struct tree *from, const bool *label, enum around what);
void around_release(struct tree *t);

#endif
