/*
 * The files of a command: each appears whole or not at all (base/place.h), and
 * belongs to who asked for it.  What was there before is kept as FILE.old.
 */
#ifndef WICK_CMD_OUTPUTS_H
#define WICK_CMD_OUTPUTS_H

#include "base/place.h"

struct output_file {
	const char *path;
	struct place place; /* no path: it is no plain file */
	char write[32];	    /* what to write to: nobody can put another file under this name */
	uid_t uid;	    /* whose it is; -1: ours */
	gid_t gid;
};

/* What to open to write it. */
const char *output_file_write(const struct output_file *f);

/*
 * Opens the file, so that what is wrong with the place is told before anything is recorded.
 * It is theirs; -1: ours.
 */
int output_file_open(struct output_file *f, const char *path, uid_t uid, gid_t gid,
		     struct error *e);

/* Whatever went wrong with what was opened has the name that people know; returns -1. */
int output_file_failed(const struct output_file *f, struct error *e);

/* Puts it in its place. */
int output_file_finish(struct output_file *f, struct error *e);

/* One that is not finished is gone. */
void output_file_close(struct output_file *f);

#endif
