/*
 * Decompresses the debug information of sampled files while the target still runs: that took most of the time from
 * the end of the target to the picture.  A thread decompresses each file once, and exits: this is no more work than
 * at the end, only earlier, and mostly on an idle CPU.  Files that it has not reached when the recording ends are
 * read as if there were no such thread.
 */
#ifndef WICK_CAPTURE_PREFETCH_H
#define WICK_CAPTURE_PREFETCH_H

#include "load/naming.h"

struct prefetch;

/* The strings of n must live until prefetch_free(). */
struct prefetch *prefetch_new(const struct naming *n);

/* To be called from time to time: queues the files of new modules of the profile. */
void prefetch_modules(struct prefetch *f, const struct profile *p);

/*
 * Stops the thread after its current file, at the latest; returns what was decompressed so far, which is valid
 * until prefetch_free().  f may be NULL.
 */
struct section_store *prefetch_end(struct prefetch *f);
void prefetch_free(struct prefetch *f);

#endif
