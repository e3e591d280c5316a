/* Shortens the name of a function to a number of characters; web/shorten.js does the same. */
#ifndef WICK_RENDER_SHORTEN_H
#define WICK_RENDER_SHORTEN_H

#include "base/strbuf.h"

/* Appends the name, or its most informative parts, in at most max characters. */
void shorten(struct strbuf *out, struct span name, size_t max);

#endif
