/*
 * The output files of a command: each appears whole or not at all (base/place.h),
 * and belongs to the user who asked for it (sudo).  An existing file is kept as FILE.old.
 */
#ifndef WICK_CMD_OUTPUTS_H
#define WICK_CMD_OUTPUTS_H

#include "base/place.h"

struct output_file {
	const char *path;
	struct place place; /* .path NULL: not a regular file, and written directly */
	char write[32];	    /* /proc/self/fd/N: a name that nobody else can replace */
	uid_t uid;	    /* its owner; -1: ours */
	gid_t gid;
};

/* The path to open for writing. */
const char *output_file_write(const struct output_file *f);

/*
 * Opens a temporary file in the folder of the path, before the recording, so that errors with the
 * place show at once.  uid, gid: its owner; -1: ours.
 */
int output_file_open(struct output_file *f, const char *path, uid_t uid, gid_t gid,
		     struct error *e);

/* In an error about f->write, puts f->path in place of /proc/self/fd/N.  Returns -1. */
int output_file_failed(const struct output_file *f, struct error *e);

/* Gives the complete file its name and owner, and closes it. */
int output_file_finish(struct output_file *f, struct error *e);

/* Removes a file that is not finished. */
void output_file_close(struct output_file *f);

#endif
