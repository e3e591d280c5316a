/* For formats whose parts refer to later ones: the whole input in memory. */
#ifndef WICK_READ_WHOLE_H
#define WICK_READ_WHOLE_H

#include "base/strbuf.h"
#include "read/build.h"

/* A larger input is an error: no program that writes such files would read it again. */
#define WHOLE_MAX ((size_t)2 << 30)

/*
 * Appends the rest of the input to `all`, which the caller releases.  -1: it is too
 * large.  A read error returns 0: the bytes before it are in `all`, and b->text->failed
 * is set.
 */
int whole_read(struct build *b, struct strbuf *all, struct error *e);

#endif
