/* What `perf script --header` tells of a recording, in lines that begin with #. */
#ifndef WICK_READ_PERF_FACTS_H
#define WICK_READ_PERF_FACTS_H

#include "base/span.h"
#include "profile/profile.h"

/* Adds what the lines at the front of the input say. */
void perf_facts(struct profile *p, struct span head);

#endif
