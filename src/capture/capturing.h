/*
 * A capture in progress, shared by the files that implement capture.h: capture.c opens, runs and closes it,
 * capture_waits.c records waits, capture_result.c computes at the end what sampling missed.
 */
#ifndef WICK_CAPTURE_CAPTURING_H
#define WICK_CAPTURE_CAPTURING_H

#include "capture/capture.h"
#include "capture/hidden_programs.h"
#include "capture/wait_sample.h"
#include "ingest/ingest.h"
#include "record/switches.h"
#include "record/system/system.h"
#include "record/targets/family.h"
#include "record/usage.h"
#include "record/waits/sched_bpf.h"
#include "record/waits/watcher.h"
#include "record/wide_trial.h"

/* One run, from its preparation to its result. */
struct capturing {
	const struct capture_opts *o;
	struct capture *c;
	struct sampler sampler;
	struct session session;
	struct ingest ingest;
	struct naming naming;
	struct naming_files files;
	uint32_t *event;	/* by event of the sampler: the event in the profile, or NO_EVENT */
	struct recording *data; /* o->data, or the spill file; or NULL */
	uint64_t nr_sample;	/* samples of the target */
	uint64_t nr_stranger;	/* … and of other processes, if CPUs are sampled */
	uint64_t nr_lost;	/* samples of the target that were lost */
	struct sampling what;	/* what the sampler samples */
	struct sched_bpf *bpf;	/* the sampler's BPF programs, or NULL */
	bool mapped;		/* code was mapped since repeated_at */
	uint64_t repeated_at;	/* session_now() when stacks were last sent again */
	pid_t *in_group;	/* the threads of the cgroup when the recording begins */
	size_t nr_in_group;
	struct family family; /* if CPUs are sampled, or may be */
	bool may_widen;	      /* CPUs are not sampled yet */
	uint64_t nr_start;    /* threads and processes that the target started, … */
	uint64_t start_since; /* … nr_start_since of them in the second that began then: ns, … */
	unsigned nr_start_since;
	bool starts_many; /* … which are too many for events per task */
	bool is_crowd;	  /* the target has too many runnable threads for events per task */
	struct hidden_programs hidden;
	struct switches switches; /* counts switches of tasks, until CPUs are sampled, … */
	uint64_t nr_switch;	  /* … and their sum at that time */
	struct watcher watcher;
	struct wait_samples wait_samples;
	struct watch_flood wakes[2]; /* by enum sampler_whose */
	uint64_t flushed_at;	     /* session_now() of the last flush of waits */
	struct strbuf own;	     /* records of the watcher */
	struct wide_trial trial;     /* a trial of sampling CPUs (wide_trial.h) */
	struct usage usage;
	uint64_t usage_at; /* session_now() of the last reading */
	struct system system;
	uint64_t used_before; /* CPU time of earlier runs of the command: ns */
};

/* If CPUs are sampled: does the record belong to another process than the target's? */
bool capture_is_stranger(struct capturing *g, const struct record *r);

/* Writes a record to the file, if there is one. */
void capture_keep(const struct capturing *g, const struct record *r, const struct attr *a,
		  struct span bytes);

/* To be called after adding to the profile: beyond its memory limit, samples only go to a file. */
void capture_limit(struct capturing *g);

/*
 * Loads the BPF programs that record waits, if permitted.  To be called before opening the sampler, which uses
 * them.
 */
void capture_waits_open_bpf(struct capturing *g);

/* Starts the watcher of waits, once the sampler is open. */
void capture_waits_open(struct capturing *g);

/* Adds a record of the watcher, or a sample of a scheduler tracepoint. */
int capture_waits_add_own(struct capturing *g, const struct record *r, const struct attr *a,
			  struct span bytes, struct error *e);
int capture_waits_add_sample(struct capturing *g, const struct record *r, size_t event,
			     struct error *e);

/* Pauses and resumes with the session, and stops recording events that occur too often. */
void capture_waits_tick(struct capturing *g, const struct session *s, uint64_t now);

/* If the profile is live: adds unfinished waits, up to the last sorted record. */
void capture_waits_flush(struct capturing *g, uint64_t now);

/* After the last record: ends all waits. */
int capture_waits_end(struct capturing *g, struct error *e);

/* Fills in the results of the run in struct capture. */
void capture_result(struct capturing *g);

#endif
