/*
 * If a stack copy was too short: reads the rest of that stack from the process, while it still
 * runs, and unwinds to the root.
 *
 * Some time has passed since the sample, so the frames there may have changed.  So no caller is
 * taken from them, only what stays the same for the life of the thread: the root of the stack, and
 * which addresses belong to that stack.  See docs/decisions/0017.
 */
#ifndef WICK_INGEST_LATE_ROOT_H
#define WICK_INGEST_LATE_ROOT_H

#include "ingest/stacks.h"

/* Reads bytes of a process from an address on; returns how many there are. */
typedef size_t late_root_read(void *arg, uint32_t pid, uint64_t address, char *to, size_t size);

struct late_root {
	late_root_read *read; /* NULL: the input is a file, not a live recording */
	void *arg;
	char *bytes; /* the copy, followed by what was read */
	size_t cap;
};

void late_root_release(struct late_root *b);

/*
 * Unwinds the sample's stack to its root.  If that is found, it is the last unwinding of `s`: the
 * last frame there is the root, and the trail is valid.
 */
bool late_root_walk(struct late_root *b, struct stacks *s, const struct process *process,
		    const struct record *r, const struct attr *a);

#endif
