/*
 * flamegraph and cargo flamegraph of flamegraph-rs: their common options, and everything from a
 * command to its picture.
 */
#ifndef WICK_DROPIN_FLAMEGRAPH_RS_H
#define WICK_DROPIN_FLAMEGRAPH_RS_H

#include "cli/options.h"
#include "cmd/record/record_job.h"
#include "load/load.h"

#include <stdio.h>

struct flamegraph_rs {
	struct record_job job;
	/* how a file is read, if the picture is not of a recording in memory */
	struct load_opts in;
	struct option_list argv, pid, skip_after;
	struct option_list outputs; /* as given; more than one is an error */
	const char *perfdata, *output, *root, *compression, *cmd, *palette, *post_process;
	const char *folder; /* where the command runs; NULL: the current directory */
	unsigned freq;	    /* sampling rate; after flamegraph_rs_check(), 0: the default */
	bool open, deterministic, ignore_status, version;
	/* Set by flamegraph_rs_run(): */
	bool drawn; /* the picture was written */
	bool empty; /* there was nothing to draw */
	char *data; /* the perf.data file that perf wrote; ours to free */
};

extern const struct option_table flamegraph_rs_table;

/* flamegraph_rs_options.c: the options of both commands; they fill a struct flamegraph_rs. */
extern const struct option flamegraph_rs_options[];
extern const struct option_words flamegraph_rs_values[];

/* flamegraph_rs_run.c */

/* Sets the defaults; style: draw like inferno, or wick's own picture. */
void flamegraph_rs_init(struct flamegraph_rs *f, enum draw_style style);
void flamegraph_rs_release(struct flamegraph_rs *f);

/* Checks the options, and sets output and freq.  -1: they are in conflict. */
int flamegraph_rs_check(struct flamegraph_rs *f, struct error *e);

/* Records and draws, with messages; returns the exit status. */
int flamegraph_rs_run(struct flamegraph_rs *f);

/* Prints an error as flamegraph-rs does; returns the exit status. */
int flamegraph_rs_print_error(const struct option_table *t, const struct error *e);

/*
 * The stream of messages that are not errors: standard error if the picture goes to standard
 * output.
 */
FILE *flamegraph_rs_words(const char *output);
void flamegraph_rs_print_writing(const char *path);

/* flamegraph_rs_text.c: drawing, directly or through folded text. */

/* Draws the input. */
int flamegraph_rs_draw(struct flamegraph_rs *f, struct error *e);

/* Writes it as folded stacks into the file fd instead. */
int flamegraph_rs_fold(struct flamegraph_rs *f, int fd, struct error *e);

/* Draws the folded stacks in the file fd, after --skip-after and --post-process. */
int flamegraph_rs_text(struct flamegraph_rs *f, int fd, struct error *e);

/* flamegraph_rs_others.c: runs other programs. */

/* Shall perf record, because of --cmd or $PERF? */
bool flamegraph_rs_by_perf(const struct flamegraph_rs *f);

/* Runs perf record, and sets f->data; returns its exit status, or -1. */
int flamegraph_rs_perf(struct flamegraph_rs *f, struct error *e);

/*
 * With --root, if wick is not root: execs the same command under sudo, with the variables of env
 * (NULL: none), which sudo would drop.  Returns 0 if that is not needed, -1 if it fails.
 */
int flamegraph_rs_as_root(const struct flamegraph_rs *f, const struct option_list *env, char **argv,
			  struct error *e);

/* Opens the file with the desktop's viewer (xdg-open). */
int flamegraph_rs_open(const char *path, struct error *e);

#endif
