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
#ifndef WICK_CMD_RECORD_JOB_H
#define WICK_CMD_RECORD_JOB_H

#include "base/strbuf.h"
#include "cli/options.h"
#include "cmd/capture.h"
#include "cmd/flame.h"
#include "cmd/formats.h"
#include "cmd/outputs.h"
#include "cmd/record_spill.h"
#include "cmd/record_tell.h"
#include "record/events.h"
#include "record/targets.h"

struct record_output {
	struct output_file file;
	enum format format;
	bool written; /* it is in its place, whole */
};

struct record_job {
	/* Options, set by the caller: */
	struct capture_opts o;
	struct flame_opts flame; /* how pictures are drawn; its outputs are not used */
	struct events events;
	struct targets targets;
	const char *target_user; /* who the command runs as; NULL: who called sudo, or who we are */
	unsigned runs;		 /* of the command */
	bool quiet, verbose;
	bool tells_files;		  /* the caller itself says where the files are */
	bool any_name;			  /* a file whose name tells no format is an .svg */
	void (*before)(const char *path); /* called before each file is written; or NULL */
	/* What comes of them: */
	const char **command; /* words, and NULL */
	struct launch_user user;
	struct strbuf user_text; /* the strings of `user` */
	uid_t owner;		 /* of the files that are written; -1: we are */
	gid_t owner_group;
	struct record_output *output;
	size_t nr_output;
	struct record_line line;
	struct record_spill spill;
	struct launch_signals signals;
};

/* The defaults of `wick record`. */
void record_job_init(struct record_job *j);
void record_job_release(struct record_job *j);

/*
 * Opens the output files, whose names tell their formats: before anything is run, as what has run
 * cannot be recorded again.
 */
int record_job_outputs(struct record_job *j, const char *const *path, size_t nr, struct error *e);

/* Sets the command, if there is one.  RECORD_OTHERS: it only runs while others are recorded. */
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

/* record_job_tell.c: prints what was recorded, what is missing, and where the files are. */
void record_job_tell(const struct record_job *j, const struct capture *g);

/* Signals are blocked since record_job_run(): for callers that do more than exit after it. */
void record_job_signals_end(struct record_job *j);

#endif
