/*
 * The file systems of other processes: in a container or a chroot, a path means another file.  As
 * long as such a process lives, its files can be opened through /proc/PID/root.
 */
#ifndef WICK_IMAGE_ROOTS_H
#define WICK_IMAGE_ROOTS_H

#include "base/span.h"

enum {
	ROOTS_MAX = 64, /* more are ignored */
};

struct roots {
	struct root {
		uint32_t pid;		/* of a process in it */
		uint64_t device, inode; /* of the root folder */
		uint64_t mounts;	/* the inode of the mount namespace */
	} root[ROOTS_MAX];
	size_t nr;
};

/* Adds the root of a process, if it lives and its root is neither ours nor known already. */
void roots_add(struct roots *r, uint32_t pid);

/* Does the process live, and is its root not ours? */
bool root_is_other(uint32_t pid);

/* The pid that the process has in its own namespace; `pid` itself when that is unknown. */
uint32_t root_own_pid(uint32_t pid);

/* Opens a file of the process' root for reading; -1 when that fails. */
int root_open(uint32_t pid, struct span path);

#endif
