/* Demangles what libiberty does not support: Haskell (z-encoding), OCaml, Fortran (gfortran). */
#ifndef WICK_SYMBOL_ENCODED_H
#define WICK_SYMBOL_ENCODED_H

#include "base/strbuf.h"

/* Appends the name in the source; false, and nothing is appended, if it is none of these. */
bool encoded_name(struct strbuf *out, struct span name);

#endif
