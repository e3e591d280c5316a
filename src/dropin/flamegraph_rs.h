/* flamegraph of flamegraph-rs: what its files share. */
#ifndef WICK_DROPIN_FLAMEGRAPH_RS_H
#define WICK_DROPIN_FLAMEGRAPH_RS_H

#include "cli/options.h"
#include "cmd/record_job.h"

struct flamegraph_rs {
	struct record_job job;
	struct option_list argv, pid, skip_after;
	const char *perfdata, *completions, *output, *root, *compression, *cmd, *palette,
		*post_process;
	unsigned freq;
	bool open, deterministic, ignore_status, version;
	bool drawn; /* the picture is there */
	char *data; /* where perf has recorded */
};

extern const struct option_table flamegraph_rs_table;

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

/* Becomes the same command as root; returns only when that fails. */
int flamegraph_rs_sudo(const struct flamegraph_rs *f, char **argv, struct error *e);

/* Shows the file with whatever the desktop has for it. */
int flamegraph_rs_open(const char *path, struct error *e);

#endif
