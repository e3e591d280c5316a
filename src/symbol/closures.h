/*
 * Rust: closures have names that compilers made up, in several ways.  Here they have one:
 * {closure}, {closure#1} for the second of a function, {async block}; and what an async function
 * waits with is called as that function.
 */
#ifndef WICK_SYMBOL_CLOSURES_H
#define WICK_SYMBOL_CLOSURES_H

#include "base/span.h"
#include "base/strbuf.h"

/* The name from there on, as demanglers spell it: {{closure}} and {closure#0} are {closure}. */
void closures_tidy(struct strbuf *names, size_t begin);

/* What the compiler calls the closures at its end: "a::f::{async_fn#0}::{closure#1}". */
void closures_tell(struct strbuf *names, size_t begin, struct span compiler);

#endif
