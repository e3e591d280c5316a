/*
 * Names of Rust's closures, which differ between mangling schemes and DWARF.  All are spelled the
 * same way: {closure}, {closure#1} for the second one in a function, {async block}.  The state
 * machine of an async function gets the function's own name.
 */
#ifndef WICK_SYMBOL_CLOSURES_H
#define WICK_SYMBOL_CLOSURES_H

#include "base/span.h"
#include "base/strbuf.h"

/* Changes the demangled name from `begin` on: {{closure}} and {closure#0} become {closure}. */
void closures_tidy(struct strbuf *names, size_t begin);

/*
 * Replaces the closures at the end of the name from `begin` on by those of DWARF's name, which are
 * numbered: "a::f::{async_fn#0}::{closure#1}".
 */
void closures_number(struct strbuf *names, size_t begin, struct span compiler);

#endif
