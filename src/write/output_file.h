/*
 * The output files of a command: each appears complete or not at all (base/atomic_file.h), and
 * belongs to the user who called sudo.  An existing file is kept as FILE.old.
 *
 * A recording cannot be repeated: if its file cannot be written, it goes to another directory
 * ($TMPDIR, /tmp, the home, …), under an unused name.
 */
#ifndef WICK_WRITE_OUTPUT_FILE_H
#define WICK_WRITE_OUTPUT_FILE_H

#include "base/atomic_file.h"

#include <stdbool.h>
#include <stddef.h>

struct output_file {
	const char *asked;	  /* the requested path */
	const char *path;	  /* its actual path: this or `elsewhere` */
	struct atomic_file place; /* .path NULL: not a regular file, and written directly */
	char write[32];		  /* /proc/self/fd/N, whose file nobody else can replace */
	char *elsewhere;	  /* its path if it had to go to another directory; else NULL */
	bool is_finished;	  /* it is complete, and has its name */
	uid_t uid;		  /* its owner; -1: ours */
	gid_t gid;
};

/* The path to open for writing. */
const char *output_file_write(const struct output_file *f);

/*
 * Opens a temporary file in the directory of the path, before the recording, so that errors with
 * the location show at once.  uid, gid: its owner; -1: ours.
 */
int output_file_open(struct output_file *f, const char *path, uid_t uid, gid_t gid,
		     struct error *e);

/* In an error about f->write, replaces /proc/self/fd/N by f->path.  Returns -1. */
int output_file_failed(const struct output_file *f, struct error *e);

/*
 * Gives the complete file its name and owner, and closes it.  If that fails, it is copied
 * elsewhere: the result is still -1, but it is_finished, and the error's hint says where.
 */
int output_file_finish(struct output_file *f, struct error *e);

/*
 * Opens the file anew in the next fallback directory, with a name that ends in `ending`; false if
 * there is none left.  *next is 0 at the first call.
 */
bool output_file_move(struct output_file *f, size_t *next, const char *ending);

/* Adds to the error where the file is now.  Always -1. */
int output_file_hint(const struct output_file *f, struct error *e);

/* Removes a file that is not finished. */
void output_file_close(struct output_file *f);

#endif
