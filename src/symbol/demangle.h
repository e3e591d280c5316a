/* Demangles names: C++, Rust (legacy and v0), D, and those of encoded.h. */
#ifndef WICK_SYMBOL_DEMANGLE_H
#define WICK_SYMBOL_DEMANGLE_H

#include "base/strbuf.h"

/* Appends the demangled name without parameters; the name itself when it is not mangled. */
void demangle(struct strbuf *out, const char *name);

#endif
