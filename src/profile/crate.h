/* The crate of a Rust function, by its name; web/color.js has the same. */
#ifndef WICK_PROFILE_CRATE_H
#define WICK_PROFILE_CRATE_H

#include "base/span.h"

/* std, core or alloc. */
bool crate_is_compilers(struct span crate);

/* A part of the name, or "core"; empty if the name has no crate. */
struct span crate_of(struct span function);

#endif
