/*
 * Chunks that threads prepare side by side and use one after the other, in the order of the input:
 * for a format whose work is in its text, and whose rows one profile keeps best.
 */
#ifndef WICK_READ_TURNS_H
#define WICK_READ_TURNS_H

#include "base/source.h"

/* What is done with a chunk; arg is the thread's own. */
struct turns_work {
	void (*prepare)(void *arg, const struct chunk *c);
	/* No two run at a time; -1 ends all. */
	int (*use)(void *arg, const struct chunk *c, struct error *e);
};

/* Does that with all chunks of the source, in a thread for each of nr arguments. */
int turns_run(struct source *s, const struct turns_work *work, void *const *arg, unsigned nr,
	      struct error *e);

#endif
