/*
 * A regular expression from the command line, with JavaScript's syntax, as in the page.  It ignores
 * case, unless it has an upper-case letter.
 */
#ifndef WICK_BASE_PATTERN_H
#define WICK_BASE_PATTERN_H

#include "base/error.h"
#include "base/span.h"

struct pattern;

/* NULL if it is malformed: the error says where. */
struct pattern *pattern_new(struct span text, struct error *e);
void pattern_free(struct pattern *p);

/* Does it match anywhere in s (any bytes)?  -1: it backtracks too much on this string. */
int pattern_match(const struct pattern *p, struct span s, bool *matches, struct error *e);

#endif
