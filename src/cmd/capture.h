/*
 * A recording of something that runs, as a profile: events from record/ to
 * ingest/, names at the end.  Prints no word: what was given up and lost is
 * in the result.
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

/* Where samples go that the profile has no room for; NULL: nowhere, and why. */
typedef struct recording *capture_spill(void *arg, struct error *e);

struct capture_opts {
	struct sampling sampling;	/* its tasks are the command, unless there are others */
	const char *const *command;	/* ends with NULL; NULL: none is started */
	const struct launch_user *user; /* who it runs as; NULL: as we do */
	const char *folder;		/* where it runs; NULL: here */
	struct targets *targets;  /* these run already; their threads are the sampling's tasks */
	uint64_t duration, delay; /* ns; 0: none */
	bool times; /* when each sample was taken is kept, as far as a page carries it */
	bool cpus;  /* … and on which processor */
	struct recording *data; /* everything is written there too, with finished chains; or NULL */
	size_t memory;		/* what the profile may take: bytes; 0: all there is */
	capture_spill *spill;	/* past that, samples go where this opens a file; NULL: nowhere */
	void *spill_arg;
	struct naming naming;
	unsigned threads; /* to find names with */
	bool wide; /* processors are watched, and what is not of the command's family is left out */
	const struct launch_signals *signals; /* the caller took them, and ends that */
	bool by_signal;			      /* see session.h */
	bool until_gone;
	session_tick *tick;
	void *tick_arg;
};

/* One recording, or the sum of several. */
struct capture {
	struct profile p;
	struct kept kept;
	struct launch launch; /* its status is the command's, if it ran */
	bool ran;
	uint64_t nr_sample, nr_lost;
	uint64_t time;	  /* ns, of all */
	bool full;	  /* the profile took as much as it may: it has … */
	uint64_t nr_kept; /* … that many of the samples, the others are where they were spilled */
	struct error not_spilled; /* … or are lost, for this reason */
	double expected; /* samples of the time that the command took, as far as known; 0: not known */
	double unseen; /* the share of the command's time that no sample stands for, as far as known */
	struct {
		uint32_t pid; /* 0: nobody, or there are samples */
		char name[32];
	} left; /* by the command: a process that runs on */
	bool interrupted, user_only, clock_only;
	bool copied_most; /* stacks, at the end: no more can be asked for */
	bool traced;	  /* events were refused: threads were stopped and looked at */
	unsigned trace_frequency;
	struct trace_sum trace;				/* of the last recording */
	char better[sizeof(((struct error *)0)->hint)]; /* what would allow events; or "" */
	unsigned frequency;				/* what it was lowered to, or 0 */
	size_t ring_size;
};

void capture_init(struct capture *c);
void capture_release(struct capture *c);

/* Adds a recording.  After -1, launch.status may tell more. */
int capture_run(struct capture *c, const struct capture_opts *o, struct error *e);

/* Names what was recorded. */
void capture_name(struct capture *c, const struct capture_opts *o);

/* capture_data.c: what of it goes to the recording that is written. */
void capture_data_begin(struct recording *to, const struct capture_opts *o,
			const struct sampler *s);
void capture_data_running(struct recording *to, const struct sampler *s, const struct record *r);
void capture_data_end(struct recording *to, const struct profile *p);

/* A command that runs on after its recording: waits for its end, and has its status then. */
void capture_wait(struct capture *c, const struct capture_opts *o);

#endif
