/*
 * A regular expression somebody typed.  It means what the same text means in
 * the page, which is JavaScript; an upper-case letter in it makes case matter.
 */
#ifndef WICK_BASE_PATTERN_H
#define WICK_BASE_PATTERN_H

#include "base/error.h"
#include "base/span.h"

struct pattern;

/* NULL with an error that tells the place, when it is no pattern. */
struct pattern *pattern_new(struct span text, struct error *e);
void pattern_free(struct pattern *p);

/*
 * Does it match anywhere in s, which may be of any bytes?  -1: finding out takes too
 * long, as some patterns do on some names.
 */
int pattern_match(const struct pattern *p, struct span s, bool *matches, struct error *e);

#endif
