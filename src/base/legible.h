/*
 * Names are other people's bytes.  What tells a terminal what to do, turns the
 * direction of writing, or shows nothing would make a name look like another, or
 * do worse: it is never shown as it is.  The same as web/legible.js.
 */
#ifndef WICK_BASE_LEGIBLE_H
#define WICK_BASE_LEGIBLE_H

#include "base/span.h"
#include "base/strbuf.h"

/* Bytes of the character at the front of s, valid UTF-8, if it is one that is not shown; else 0. */
size_t legible_hidden(struct span s);

/* Appends any bytes so that they can be shown: hidden characters are spelled \x1b or \u202e. */
void legible_add(struct strbuf *out, struct span s);

#endif
