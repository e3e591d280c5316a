/* Rust: the crate that a function is of, by its name; as web/color.js has it. */
#ifndef WICK_PROFILE_CRATE_H
#define WICK_PROFILE_CRATE_H

#include "base/span.h"

/* std, core or alloc. */
bool crate_is_compilers(struct span crate);

/* A part of the name, or "core"; nothing where it has none. */
struct span crate_of(struct span function);

#endif
