/* The callers or the callees of some functions, as a tree that begins with these functions. */
#ifndef WICK_FOLD_AROUND_H
#define WICK_FOLD_AROUND_H

#include "fold/tree.h"

enum around { AROUND_CALLERS, AROUND_CALLEES };

/*
 * Builds it from the lines of `from` (a tree that begins at the root) that have a label in them for
 * which label[] is true; the outermost one if there are several.  The labels stay those of `from`,
 * which must outlive the new tree: release that with around_release(), not tree_release().
 */
void around_build(struct tree *t, const struct tree *from, const bool *label, enum around what);
void around_release(struct tree *t);

#endif
