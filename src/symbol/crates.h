/*
 * Rust: the crates that a program is made of, told by the names of its functions.
 * They become a fact of the profile, `crates`: those of the compiler first (std, core,
 * alloc), then those that the program uses; its own is not among them.
 */
#ifndef WICK_SYMBOL_CRATES_H
#define WICK_SYMBOL_CRATES_H

#include "profile/profile.h"

enum { CRATES_MAX = 1000 /* more are as if they were the program's own */ };

void crates_find(struct profile *p);

#endif
