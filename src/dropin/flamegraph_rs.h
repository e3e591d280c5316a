/*
 * flamegraph and cargo flamegraph of flamegraph-rs: options and everything
 * that comes after there is a command to record.
 */
#ifndef WICK_DROPIN_FLAMEGRAPH_RS_H
#define WICK_DROPIN_FLAMEGRAPH_RS_H

#include "cli/options.h"
#include "cmd/record_job.h"

#include <stdio.h>

struct flamegraph_rs {
	struct record_job job;
	struct option_list argv, pid, skip_after;
	struct option_list outputs; /* there may be one, which is `output` once checked */
	const char *perfdata, *output, *root, *compression, *cmd, *palette, *post_process;
	const char *folder; /* where the command runs; NULL: here */
	unsigned freq;	    /* once checked, 0: the usual */
	bool open, deterministic, ignore_status, version;
	bool drawn; /* the picture is there */
	bool empty; /* there was nothing to draw */
	char *data; /* where perf has recorded */
};

extern const struct option_table flamegraph_rs_table;

/* flamegraph_rs_options.c: what both commands have, to fill a struct flamegraph_rs. */
extern const struct option flamegraph_rs_options[];
extern const struct option_words flamegraph_rs_values[];

/* flamegraph_rs_run.c */

/* The picture is the peer's or wick's own. */
void flamegraph_rs_init(struct flamegraph_rs *f, enum flame_look look);
void flamegraph_rs_release(struct flamegraph_rs *f);

/* Do these options go together? */
int flamegraph_rs_check(struct flamegraph_rs *f, struct error *e);

/* Records, draws and tells about it; the status to exit with. */
int flamegraph_rs_run(struct flamegraph_rs *f);

/* What went wrong, in the peer's words; the status to exit with. */
int flamegraph_rs_tell(const struct option_table *t, const struct error *e);

/* Where words go that are no errors: not into the picture. */
FILE *flamegraph_rs_words(const char *output);
void flamegraph_rs_tell_writing(const char *path);

/* flamegraph_rs_text.c: the way through folded text. */

/* Draws what the job's flame options read. */
int flamegraph_rs_draw(struct flamegraph_rs *f, struct error *e);

/* The same, but only folds it into the file. */
int flamegraph_rs_fold(struct flamegraph_rs *f, int fd, struct error *e);

/* Drops callers, lets another program change the folded text in the file, and draws what comes of it. */
int flamegraph_rs_text(struct flamegraph_rs *f, int fd, struct error *e);

/* flamegraph_rs_others.c: programs that are called. */

/* Was perf asked for? */
bool flamegraph_rs_by_perf(const struct flamegraph_rs *f);

/* Lets perf record, and sets data; its status, or -1. */
int flamegraph_rs_perf(struct flamegraph_rs *f, struct error *e);

/*
 * Where --root asks for it and we are not: becomes the same command as root, with these variables
 * of the environment, which sudo would drop (NULL: none).  -1 when that fails.
 */
int flamegraph_rs_as_root(const struct flamegraph_rs *f, const struct option_list *env, char **argv,
			  struct error *e);

/* Shows the file with whatever the desktop has for it. */
int flamegraph_rs_open(const char *path, struct error *e);

#endif
