/*
 * The file systems of other processes: in a container or a chroot, a path means another file.
 * While such a process runs, its files can be opened through /proc/PID/root.
 */
#ifndef WICK_IMAGE_PROCESS_ROOTS_H
#define WICK_IMAGE_PROCESS_ROOTS_H

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

/* Adds the root of a process, if it runs and its root is neither ours nor already known. */
void roots_add(struct roots *r, uint32_t pid);

/* Does the process run, and is its root not ours? */
bool root_is_other(uint32_t pid);

/* The process's PID in its own namespace; `pid` itself if that is unknown. */
uint32_t root_own_pid(uint32_t pid);

/* Does the process run, and is its root not ours, or its PID different in its own namespace? */
bool root_is_apart(uint32_t pid, uint32_t *own_pid);

/* Opens a regular file of the process' root for reading; -1 when that fails. */
int root_open(uint32_t pid, struct span path);

/*
 * Opens a directory of the process's root, which remains readable while it is open: other
 * directories below that root disappear when the last process of the container ends.  -1 if that
 * fails.
 */
int root_open_folder(uint32_t pid, struct span path);

/* Opens a regular file in such a directory for reading, but no symbolic link; -1 if that fails. */
int folder_open(int folder, struct span name);

#endif
