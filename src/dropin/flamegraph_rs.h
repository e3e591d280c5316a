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
	const char *perfdata, *output, *root, *compression, *cmd, *palette, *post_process;
	const char *folder; /* where the command runs; NULL: here */
	unsigned freq;	    /* once checked, 0: the usual */
	bool open, deterministic, ignore_status, version;
	bool drawn; /* the picture is there */
	bool empty; /* there was nothing to draw */
	char *data; /* where perf has recorded */
};

extern const struct option_table flamegraph_rs_table;
extern const struct option_words flamegraph_rs_values[];

/* Rows of a table of options; `field` is the struct flamegraph_rs in what the table fills. */
#define FLAMEGRAPH_RS_OPTIONS(field) \
	{ \
		"output", \
		'o', \
		OPTION_STRING, \
		AT(field.output), \
		"FILE", \
		"write there [flamegraph.svg]", \
		0 \
	}, \
		{ "open", 0, OPTION_FLAG, AT(field.open), NULL, "open the picture when it is done", \
		  0 }, \
		{ "root", \
		  0, \
		  OPTION_MAYBE, \
		  AT(field.root), \
		  "=SUDO FLAGS", \
		  "record as root, through sudo", \
		  0 }, \
		{ "freq", 'F', OPTION_UINT, AT(field.freq), "HZ", "samples a second [997]", 0 }, \
		{ "compression-level", \
		  'z', \
		  OPTION_MAYBE, \
		  AT(field.compression), \
		  "=LEVEL", \
		  "of the file that perf writes, with --cmd or PERF", \
		  0 }, \
		{ "cmd", \
		  'c', \
		  OPTION_STRING, \
		  AT(field.cmd), \
		  "WORDS", \
		  "let perf record, with these words", \
		  0 }, \
		{ "title",	   0, OPTION_STRING, AT(field.job.flame.svg.title), "STRING", \
		  "[Flame Graph]", 0 }, \
		{ "subtitle",	     0, OPTION_STRING, AT(field.job.flame.svg.subtitle), "STRING", \
		  "below the title", 0 }, \
		{ "deterministic",	0, OPTION_FLAG, AT(field.deterministic), NULL, \
		  "colors by the name", 0 }, \
		{ "inverted",	 'i', OPTION_FLAG, AT(field.job.flame.svg.root_on_top), NULL, \
		  "root on top", 0 }, \
		{ "reverse", 0, OPTION_FLAG, AT(field.job.flame.reverse), NULL, "from the leaf", 0 }, \
		{ "notes", \
		  0, \
		  OPTION_STRING, \
		  AT(field.job.flame.svg.notes), \
		  "STRING", \
		  "kept in the file", \
		  0 }, \
		{ "min-width", \
		  0, \
		  OPTION_NUMBER, \
		  AT(field.job.flame.min_percent), \
		  "FLOAT", \
		  "leave out what is less than this percentage [0.01]", \
		  0 }, \
		{ "image-width", \
		  0, \
		  OPTION_UINT, \
		  AT(field.job.flame.svg.width), \
		  "UINT", \
		  "of the image [as the window]", \
		  0 }, \
		{ "palette", \
		  0, \
		  OPTION_STRING, \
		  AT(field.palette), \
		  "PALETTE", \
		  "aqua, blue, green, hot, io, java, js, mem, orange, perl, python, purple, red, rust, wakeup or yellow [hot]", \
		  0 }, \
		{ "skip-after", \
		  0, \
		  OPTION_LIST, \
		  AT(field.skip_after), \
		  "FUNCTION", \
		  "drop the callers of this function", \
		  0 }, \
		{ "flamechart",		  0, OPTION_FLAG, AT(field.job.flame.chart), NULL, \
		  "in the order of time", 0 }, \
		{ "ignore-status", \
		  0, \
		  OPTION_FLAG, \
		  AT(field.ignore_status), \
		  NULL, \
		  "the status is 0, whatever the command's was", \
		  0 }, \
		{ "no-inline", \
		  0, \
		  OPTION_FLAG, \
		  AT(field.job.o.naming.no_inline), \
		  NULL, \
		  "leave out calls that were inlined", \
		  0 }, \
		{ "post-process", \
		  0, \
		  OPTION_STRING, \
		  AT(field.post_process), \
		  "COMMAND", \
		  "give it the folded stacks, and draw what it prints", \
		  0 }, \
		{ "verbose", 'v', OPTION_FLAG, AT(field.job.verbose), NULL, "say what is done", 0 }, \
		{ "version", 'V', OPTION_FLAG, AT(field.version), NULL, "print the version", 0 }, \
	{ \
		"help", 'h', OPTION_HELP, 0, NULL, "show this", 0 \
	}

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
