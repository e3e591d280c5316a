/* Demangles what libiberty does not support: Haskell (z-encoding), OCaml, Fortran (gfortran). */
#ifndef WICK_SYMBOL_ENCODED_H
#define WICK_SYMBOL_ENCODED_H

#include "base/strbuf.h"

/* Appends the name as in the source; false if the name is of none of these: nothing is appended. */
bool encoded_name(struct strbuf *out, struct span name);

#endif
