/*
 * A pipeline over the chunks of an input: threads prepare them in parallel (parsing), but use them one
 * at a time, in the order of the input (adding to the one profile).  For formats in which parsing is
 * most of the work, and merging a profile of each thread would cost too much.
 */
#ifndef WICK_READ_TURNS_H
#define WICK_READ_TURNS_H

#include "base/source.h"

/* What is done with each chunk, both by the same thread; arg is the thread's. */
struct turns_work {
	void (*prepare)(void *arg, const struct chunk *c);
	/* In the order of the input, never two at a time.  -1: no further chunk is used. */
	int (*use)(void *arg, const struct chunk *c, struct error *e);
};

/* Runs nr threads, each with its arg, until all chunks are used; -1 when one could not be read or used. */
int turns_run(struct source *s, const struct turns_work *work, void *const *arg, unsigned nr,
	      struct error *e);

#endif
