/*
 * The files that processes map, kept open from the first record that refers to them until symbols
 * are resolved: by then the process may have ended, and its files may be deleted, replaced, or
 * below a root that only it could see.
 */
#ifndef WICK_RECORD_TARGETS_HELD_FILES_H
#define WICK_RECORD_TARGETS_HELD_FILES_H

#include "base/intern.h"
#include "perf/event.h"

enum {
	/* Further files are opened by their path at the end. */
	KEPT_MAX = 1000,
};

struct held_files {
	struct intern files; /* "build-id path" */
	int *fd;	     /* by index in `files`; -1: it could not be opened */
	size_t nr, cap;
};

void held_files_release(struct held_files *k);

/*
 * Opens the file of a RECORD_MMAP of code, if it is new; other records are ignored.  It is found by
 * its path prefixed with `root`: "", or what identifies the container if others may have another
 * file with that path.
 */
void held_files_add(struct held_files *k, const struct record *r, struct span root);

/* Keeps an open file, to be found by that path; if there is already one, fd is closed. */
void held_files_put(struct held_files *k, struct span path, int fd);

/*
 * A path by which the file with that path and build ID (in hex) can be opened now: a descriptor of
 * ours below /proc/self/fd.  If the record of its mapping had no build ID, the file may have
 * another one.  NULL: it is not kept.  The caller frees it.
 */
char *held_files_find(void *kept, struct span path, struct span build_id);

#endif
