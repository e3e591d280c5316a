/*
 * Processes that see other files than we do under the same paths: in containers,
 * below another root.  While such a process lives, its files can be reached.
 */
#ifndef WICK_IMAGE_ROOTS_H
#define WICK_IMAGE_ROOTS_H

#include "base/span.h"

enum {
	/* More roots than this are not looked at. */
	ROOTS_MAX = 64,
};

struct roots {
	struct root {
		uint32_t pid; /* of one of those that live there */
		uint64_t device, inode, mounts;
	} root[ROOTS_MAX];
	size_t nr;
};

/* Adds the root of a process, if it lives and that is neither ours nor known. */
void roots_add(struct roots *r, uint32_t pid);

/* Does the process live, and see other files than we do? */
bool root_is_other(uint32_t pid);

/* The number that a process has for itself; the same when nobody tells another. */
uint32_t root_own_pid(uint32_t pid);

/* Opens a file as the process would, for reading; -1 when it is not there. */
int root_open(uint32_t pid, struct span path);

#endif
