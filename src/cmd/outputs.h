/*
 * Files that appear whole or not at all: each is written beside its place
 * under a name of its own, and takes the place when it is done.  What was there
 * before is kept as FILE.old.
 */
#ifndef WICK_CMD_OUTPUTS_H
#define WICK_CMD_OUTPUTS_H

#include "base/error.h"

struct output_file {
	const char *path;
	char *beside; /* where it is written; the path itself where that is no plain file */
};

/* Makes the file beside, so that what is wrong with the place is told before anything is recorded. */
int output_file_open(struct output_file *f, const char *path, struct error *e);

/* Puts it in its place. */
int output_file_finish(struct output_file *f, struct error *e);

/* One that is not finished is removed. */
void output_file_close(struct output_file *f);

#endif
