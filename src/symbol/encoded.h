/*
 * Names as compilers write them for assemblers, which take letters and digits alone: Haskell, OCaml and Fortran.  libiberty knows
 * none of them.
 */
#ifndef WICK_SYMBOL_ENCODED_H
#define WICK_SYMBOL_ENCODED_H

#include "base/strbuf.h"

/* Appends what the programmer wrote; false, and nothing is appended, when it is none of these. */
bool encoded_name(struct strbuf *out, struct span name);

#endif
