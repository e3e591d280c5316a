/* Durations on command lines. */
#ifndef WICK_CLI_DURATION_H
#define WICK_CLI_DURATION_H

#include "base/error.h"

#include <stdint.h>

/* "10", "1.5s", "500ms", "2m"; without a unit, seconds. */
int duration_parse(const char *option, const char *text, uint64_t *ns, struct error *e);

#endif
