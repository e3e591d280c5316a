/*
 * Records something that runs into a profile: records go from record/ to
 * ingest/, and names are found at the end.  Nothing is printed: what was given
 * up and lost stands in the result.
 *
 *	capture_init(), capture_run() for each run, capture_name(), capture_release()
 */
#ifndef WICK_CMD_CAPTURE_H
#define WICK_CMD_CAPTURE_H

#include "cmd/naming.h"
#include "event/recording.h"
#include "profile/profile.h"
#include "record/kept.h"
#include "record/sampler.h"
#include "record/session.h"
#include "record/targets.h"
#include "record/trace.h"

/* Opens a file for the samples that memory has no room for; NULL, and why, if that fails. */
typedef struct recording *capture_spill(void *arg, struct error *e);

struct capture_opts {
	/* Of whom: */
	struct sampling sampling;	/* if on_exec is set, its task will be the command */
	const char *const *command;	/* words, and NULL; NULL: none is started */
	const struct launch_user *user; /* who the command runs as; NULL: who we are */
	const char *folder;		/* where it runs; NULL: where we are */
	struct targets *targets; /* what runs already: its threads are the sampling's tasks */
	bool wide; /* record processors, and keep what is of the command's family (family.h) */
	/* When, see session.h: */
	uint64_t duration, delay;
	bool by_signal, until_gone;
	const struct launch_signals *signals; /* of signals_take(), which the caller ends */
	session_tick *tick;		      /* or NULL */
	void *tick_arg;
	/* What is kept: */
	bool times;		/* the time of each sample, as many as a page carries */
	bool cpus;		/* the processor of each sample */
	struct recording *data; /* a perf.data file that gets all records, with whole chains */
	size_t memory;		/* what the profile may take: bytes; 0: all there is */
	capture_spill *spill;	/* called then, if there is no data; not NULL if memory is set */
	void *spill_arg;
	struct naming naming;
	unsigned threads; /* to find names with */
};

/* One recording, or the sum of several. */
struct capture {
	struct profile p;
	struct kept kept;     /* the files that were mapped, for names */
	struct launch launch; /* the command; its status, if it ran */
	bool ran;	      /* the command did */
	uint64_t nr_sample, nr_lost;
	uint64_t time; /* that was recorded: ns */
	/* When the profile took as much memory as it may: */
	bool full;
	uint64_t nr_kept;	  /* samples that it has; the others were spilled, … */
	struct error not_spilled; /* … or are lost, for this reason */
	/* All that follows is of the last run.  What was not seen: */
	double expected; /* how many samples the command's processor time should give; 0: not known */
	double unseen;	 /* the share of that time that no sample stands for: 0 to 1 */
	struct {
		uint32_t pid; /* 0: none was looked for, or found */
		char name[32];
	} left;		  /* if there is no sample: a child of the command that still runs */
	bool interrupted; /* see session.h */
	/* What was given up, see sampler.h: */
	bool user_only, clock_only;
	unsigned frequency;
	bool copied_most; /* copies of stacks were as long as the kernel allows */
	size_t ring_size;
	/* Events were refused, so that threads were stopped, see trace.h: */
	bool traced;
	unsigned trace_frequency; /* how often that was aimed at: a second */
	struct trace_sum trace;
	char better[sizeof(((struct error *)0)->hint)]; /* what would allow events; or "" */
};

void capture_init(struct capture *c);
void capture_release(struct capture *c);

/* Records one run, and adds it to the profile.  After -1, launch.status is what to exit with. */
int capture_run(struct capture *c, const struct capture_opts *o, struct error *e);

/* Finds the names of all functions that were recorded. */
void capture_name(struct capture *c, const struct capture_opts *o);

/*
 * capture_data.c: what is written to a perf.data file beside the records as they come: facts and
 * events at the beginning, then what runs already, and build-ids at the end.
 */
void capture_data_begin(struct recording *to, const struct capture_opts *o,
			const struct sampler *s);
void capture_data_running(struct recording *to, const struct sampler *s, const struct record *r);
void capture_data_end(struct recording *to, const struct profile *p);

/* If the command runs on after its recording, waits for its end, and so for its status. */
void capture_wait(struct capture *c, const struct capture_opts *o);

#endif
