/*
 * A recording from its options to its files: what `wick record` and the names
 * it replaces have in common.
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
	bool written;
};

struct record_job {
	struct capture_opts o;
	struct flame_opts flame; /* its outputs are not used */
	struct events events;
	struct targets targets;
	const char **command;	 /* with a NULL behind */
	const char *target_user; /* who the command runs as; NULL: who called sudo, or as we do */
	struct launch_user user;
	struct strbuf user_text;
	uid_t owner; /* of the files; -1: we are */
	gid_t owner_group;
	struct record_output *output;
	size_t nr_output;
	struct record_line line;
	struct record_spill spill;
	struct launch_signals signals;
	unsigned runs;
	bool quiet, verbose;
	bool tells_files; /* where the files are is told by who began it */
	bool any_name;	  /* a file whose name tells no format is an .svg */
	/* Is told of each file before it is written; NULL: nobody is. */
	void (*before)(const char *path);
};

/* wick's own picture, one run. */
void record_job_init(struct record_job *j);
void record_job_release(struct record_job *j);

/* The files, whose names tell their formats; they must be there to be written before anything is run. */
int record_job_outputs(struct record_job *j, const char *const *path, size_t nr, struct error *e);

/* The command, if there is one; and it is what is recorded, unless there are others. */
enum record_who { RECORD_COMMAND, RECORD_OTHERS };
void record_job_targets(struct record_job *j, const struct option_list *command,
			enum record_who who);

/*
 * Below sudo, the command runs as the user who called it, and the files are theirs.  To be called
 * before record_job_outputs().
 */
int record_job_user(struct record_job *j, struct error *e);

/* Does it, tells about it, and returns the status to exit with: the command's, if it ran. */
int record_job_run(struct record_job *j, struct error *e);

/* record_job_tell.c: what was recorded, what is missing, where it is. */
void record_job_tell(const struct record_job *j, const struct capture *g);

/* Signals wait since it ran; whoever does more than exit then ends that. */
void record_job_signals_end(struct record_job *j);

#endif
