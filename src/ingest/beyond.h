/*
 * Where the copy of a stack was too short: reads the rest of that stack from the process, while it
 * still runs, and unwinds to the root.
 *
 * Some time has passed since the sample, and the frames there may be others by now.  So no caller
 * is taken from them, but only what stays the same as long as the thread lives: the root of the
 * stack, and which addresses are of that stack.  See docs/decisions/0017.
 */
#ifndef WICK_INGEST_BEYOND_H
#define WICK_INGEST_BEYOND_H

#include "ingest/stacks.h"

/* Reads bytes of a process from an address on; returns how many there are. */
typedef size_t beyond_read(void *arg, uint32_t pid, uint64_t address, char *to, size_t size);

struct beyond {
	beyond_read *read; /* NULL: this is no recording of now, but a file */
	void *arg;
	char *bytes; /* the copy, and behind it what was read */
	size_t cap;
};

void beyond_release(struct beyond *b);

/*
 * Unwinds the sample's stack to its root.  If that is found, it is the last walk of `s`: the last
 * frame there is the root, and the trail is good.
 */
bool beyond_walk(struct beyond *b, struct stacks *s, const struct process *process,
		 const struct record *r, const struct attr *a);

#endif
