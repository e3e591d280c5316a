/*
 * What a lock is called: the variable at its address, where there is one.  Others, on the heap or on
 * a stack, have their address, and the process that it is an address of.
 */
#ifndef WICK_INGEST_LOCKS_H
#define WICK_INGEST_LOCKS_H

#include "base/intern.h"
#include "image/image.h"
#include "ingest/process.h"

enum {
	/* Locks with a name of their own: further ones are called LOCKS_OTHER. */
	LOCKS_MAX = 16 * 1024,
};
#define LOCKS_OTHER "other locks"

struct locks {
	struct intern known; /* by process, its program and the address */
	str_id *name;	     /* in the same order */
	size_t nr, cap;
};

void locks_release(struct locks *l);

/* image: where files are; NULL: none are to be read. */
str_id locks_name(struct locks *l, struct profile *p, const struct process *process,
		  uint64_t address, const struct image_opts *image);

#endif
