/*
 * Names of locks: the variable at the lock's address, if there is one.  Locks on the heap or on a
 * stack are named by address and process.
 */
#ifndef WICK_INGEST_LOCKS_H
#define WICK_INGEST_LOCKS_H

#include "base/intern.h"
#include "image/image.h"
#include "ingest/process.h"

enum {
	/* Further locks share the name LOCKS_OTHER. */
	LOCKS_MAX = 16 * 1024,
};
#define LOCKS_OTHER "other locks"

struct locks {
	struct intern known; /* by process, its program and the address */
	str_id *name;	     /* in the same order */
	size_t nr, cap;
};

void locks_release(struct locks *l);

/* image: where to find files; NULL: none are read. */
str_id locks_name(struct locks *l, struct profile *p, const struct process *process,
		  uint64_t address, const struct image_opts *image);

#endif
