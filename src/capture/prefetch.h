/*
 * Decompresses the debug information of sampled files while the target still runs: most of the time
 * from its end to the picture was that.  A thread does it once for each file, and ends: this is no more
 * work than at the end, only earlier, and mostly on a CPU that is idle.  Files that it has not come
 * to when the recording ends are read as if there were no such thread.
 */
#ifndef WICK_CAPTURE_PREFETCH_H
#define WICK_CAPTURE_PREFETCH_H

#include "load/naming.h"

struct prefetch;

/* The strings of n must live until prefetch_free(). */
struct prefetch *prefetch_new(const struct naming *n);

/* To be called now and then: has the files of modules read that are new in the profile. */
void prefetch_modules(struct prefetch *f, const struct profile *p);

/*
 * Ends reading, after the current file at the latest; returns what was decompressed so far, which lives
 * until prefetch_free().  NULL has none.
 */
struct section_store *prefetch_end(struct prefetch *f);
void prefetch_free(struct prefetch *f);

#endif
