/*
 * The files that processes map, kept open from the first record that speaks of
 * them until their functions are named: by then the process may have ended, and
 * its files may be deleted, replaced, or below a root that only it could see.
 */
#ifndef WICK_RECORD_KEPT_H
#define WICK_RECORD_KEPT_H

#include "base/intern.h"
#include "event/event.h"

enum {
	/* Further files are opened by their path at the end. */
	KEPT_MAX = 1000,
};

struct kept {
	struct intern files; /* "build-id path" */
	int *fd;	     /* by number in that; -1: it could not be opened */
	size_t nr, cap;
};

void kept_release(struct kept *k);

/* Opens the file of a RECORD_MMAP of code, if it is new; other records are passed over. */
void kept_add(struct kept *k, const struct record *r);

/*
 * A path by which the file of that path and build-id (in hex) can be opened now: one of ours below
 * /proc/self/fd.  NULL: it is not kept.  The caller frees it.
 */
char *kept_find(void *kept, struct span path, struct span build_id);

#endif
