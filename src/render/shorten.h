/* A name in so many characters, as readable as it can be; the same as web/shorten.js. */
#ifndef WICK_RENDER_SHORTEN_H
#define WICK_RENDER_SHORTEN_H

#include "base/strbuf.h"

/* Appends the name, or what of it tells most in at most max characters. */
void shorten(struct strbuf *out, struct span name, size_t max);

#endif
