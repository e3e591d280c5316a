/*
 * What is behind the end of a stack's copy, as it is a little later, in a process that still runs.
 *
 * The frames there may be others by now, so no caller is taken from them: only to which root they lead, and which
 * bytes are of that stack.  These are the same as long as the thread lives.
 */
#ifndef WICK_INGEST_BEYOND_H
#define WICK_INGEST_BEYOND_H

#include "ingest/stacks.h"

/* Bytes of a process from an address on: how many there are. */
typedef size_t beyond_read(void *arg, uint32_t pid, uint64_t address, char *to, size_t size);

struct beyond {
	beyond_read *read; /* NULL: nothing runs any more */
	void *arg;
	char *bytes;
	size_t cap;
};

void beyond_release(struct beyond *b);

/* Follows a stack that was cut off to its root; then that is the last walk of `s`, and its trail is good. */
bool beyond_walk(struct beyond *b, struct stacks *s, const struct process *process,
		 const struct record *r, const struct attr *a);

#endif
