/*
 * A pipeline over the chunks of an input: threads prepare them in parallel (parsing), but use them
 * one at a time, in input order (adding to the one profile).  For formats in which parsing is most
 * of the work, and merging one profile per thread would cost too much.
 */
#ifndef WICK_READ_TURNS_H
#define WICK_READ_TURNS_H

#include "base/source.h"

/* The steps for each chunk, both run by the same thread; arg is that of the thread. */
struct turns_work {
	void (*prepare)(void *arg, const struct chunk *c);
	/* In input order, never two at a time.  -1: no further chunk is used. */
	int (*use)(void *arg, const struct chunk *c, struct error *e);
};

/* Runs nr threads, each with its arg, until all chunks are used; -1 on the first error. */
int turns_run(struct source *s, const struct turns_work *work, void *const *arg, unsigned nr,
	      struct error *e);

#endif
