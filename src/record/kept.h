/*
 * The files of what runs, kept open from when they were first told of: the
 * process may end before its turn to be looked at, its files be deleted or
 * replaced, or be in a place that only it could see.
 */
#ifndef WICK_RECORD_KEPT_H
#define WICK_RECORD_KEPT_H

#include "base/intern.h"
#include "event/event.h"

enum {
	/* Files past that are looked for by their path again. */
	KEPT_MAX = 1000,
};

struct kept {
	struct intern files; /* path and build-id */
	int *fd;	     /* by number; -1: it could not be opened */
	size_t nr, cap;
};

void kept_release(struct kept *k);

/* Keeps the file of a mapping of code, if it is new. */
void kept_add(struct kept *k, const struct record *r);

/* Where the file of that path and build-id (in hex) can be opened now; NULL: nowhere that we know.  The caller frees it. */
char *kept_find(void *kept, struct span path, struct span build_id);

#endif
