/* The header that `perf script --header` prints, in lines that begin with #. */
#ifndef WICK_READ_PERF_SCRIPT_SCRIPT_FACTS_H
#define WICK_READ_PERF_SCRIPT_SCRIPT_FACTS_H

#include "base/span.h"
#include "profile/profile.h"

/* Adds the facts in such lines at the start of the input to the profile. */
void perf_facts(struct profile *p, struct span head);

/* Marks events as SOURCE_MEASURED that such lines, which wick writes, call measured. */
void perf_facts_sources(struct profile *p, struct span head);

#endif
