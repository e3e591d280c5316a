/*
 * A recording from its options to its files: what `wick record` and `flamegraph`
 * (dropin/) have in common.
 *
 *	record_job_init()
 *	… options are set, events and targets added …
 *	record_job_targets(), record_job_user(), record_job_outputs()
 *	record_job_run()
 *	record_job_release()
 */
#ifndef WICK_CMD_RECORD_RECORD_JOB_H
#define WICK_CMD_RECORD_RECORD_JOB_H

#include "base/strbuf.h"
#include "capture/capture.h"
#include "capture/spill.h"
#include "cli/options.h"
#include "cmd/record/record_summary.h"
#include "load/choose.h"
#include "record/launch/run_as.h"
#include "record/perf_events/events.h"
#include "record/targets/targets.h"
#include "render/draw.h"
#include "write/formats.h"
#include "write/output_file.h"

struct record_output {
	struct output_file file;
	enum format format;
	bool written; /* complete, under its name */
};

struct record_job {
	/* Options, set by the caller: */
	struct capture_opts o;
	struct choose_opts choose; /* which events are shown */
	bool waits_first;	   /* show off-cpu, if there are waits; else the sampled event */
	struct draw_opts draw;	   /* how pictures are drawn */
	struct events events;
	struct targets targets;
	/* The user that the command runs as; NULL: the caller of sudo, or wick's own. */
	const char *target_user;
	unsigned runs; /* of the command */
	bool quiet, verbose;
	bool prints_files;		  /* the caller reports the files */
	int to;				  /* enum format of all files, or FORMAT_BY_NAME */
	bool any_name;			  /* a file whose extension is unknown is an .svg */
	void (*before)(const char *path); /* called before each file is written; or NULL */
	/* Set from the options: */
	const char **command; /* words, and NULL */
	struct run_as run_as;
	struct record_output *output;
	size_t nr_output;
	struct record_line line;
	struct spill spill;
	struct launch_signals signals;
};

/* The defaults of `wick record`. */
void record_job_init(struct record_job *j);
void record_job_release(struct record_job *j);

/*
 * Opens the output files, whose extensions select their formats.  To be called before the command
 * runs, since a recording cannot be repeated.
 */
int record_job_outputs(struct record_job *j, const char *const *path, size_t nr, struct error *e);

/*
 * Sets the command, if there is one.  RECORD_OTHERS: it only bounds the recording of other targets.
 */
enum record_who { RECORD_COMMAND, RECORD_OTHERS };
void record_job_targets(struct record_job *j, const struct option_list *command,
			enum record_who who);

/*
 * Under sudo, the command runs as the user who called sudo, who also owns the files.  To be called
 * before record_job_outputs().
 */
int record_job_user(struct record_job *j, struct error *e);

/* Records, writes and prints; returns the status to exit with: the command's, if it ran. */
int record_job_run(struct record_job *j, struct error *e);

/* record_job_summary.c: prints what was recorded, what is missing, and where the files are. */
void record_job_print_summary(const struct record_job *j, const struct capture *g);

/*
 * Ends the blocking of signals that record_job_run() began, for callers that do not exit after it.
 */
void record_job_signals_end(struct record_job *j);

#endif
