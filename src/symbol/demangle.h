/* Names as people wrote them: C++, Rust (both schemes), D, and those of encoded.h. */
#ifndef WICK_SYMBOL_DEMANGLE_H
#define WICK_SYMBOL_DEMANGLE_H

#include "base/strbuf.h"

/* Appends the name without parameters; as it is when nobody mangled it. */
void demangle(struct strbuf *out, const char *name);

#endif
