/* Formats whose parts refer to what comes later in the file: it is taken into memory as a whole. */
#ifndef WICK_READ_WHOLE_H
#define WICK_READ_WHOLE_H

#include "base/strbuf.h"
#include "read/build.h"

/* A larger input is an error: none of the programs that write these files would read it again. */
#define WHOLE_MAX ((size_t)2 << 30)

/*
 * Appends all of the input.  An input that breaks off is no error here: what
 * there is of it is in `all`, and text->failed is set.
 */
int whole_read(struct build *b, struct strbuf *all, struct error *e);

#endif
