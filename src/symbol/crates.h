/*
 * The crates of a Rust program, from the names of its functions.  Their list becomes a fact of the
 * profile, `crates`: those of the standard library first (std, core, alloc), then all others except
 * the program's own.
 */
#ifndef WICK_SYMBOL_CRATES_H
#define WICK_SYMBOL_CRATES_H

#include "profile/profile.h"

enum { CRATES_MAX = 1000 /* limit: further ones count as the program's own */ };

void crates_find(struct profile *p);

#endif
