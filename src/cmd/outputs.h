/*
 * Files that appear whole or not at all: each is written beside its place
 * under a name of its own, and takes the place when it is done.  What was there
 * before is kept as FILE.old.  A link stays one: all that happens where it leads to.
 */
#ifndef WICK_CMD_OUTPUTS_H
#define WICK_CMD_OUTPUTS_H

#include "base/error.h"

#include <sys/types.h>

struct output_file {
	const char *path;
	char *place;	/* where it will be: what the path leads to, if it is a link */
	char *beside;	/* its name until it is done; NULL where the path is no plain file */
	char write[32]; /* what to write to: nobody can put another file under this name */
	int fd;
	uid_t uid; /* whose it is; -1: ours */
	gid_t gid;
};

/* What to open to write it. */
const char *output_file_write(const struct output_file *f);

/*
 * Makes the file beside, so that what is wrong with the place is told before anything is recorded.
 * It is theirs; -1: ours.
 */
int output_file_open(struct output_file *f, const char *path, uid_t uid, gid_t gid,
		     struct error *e);

/* Whatever went wrong with what was opened has the name that people know; returns -1. */
int output_file_failed(const struct output_file *f, struct error *e);

/* Puts it in its place. */
int output_file_finish(struct output_file *f, struct error *e);

/* One that is not finished is removed. */
void output_file_close(struct output_file *f);

#endif
