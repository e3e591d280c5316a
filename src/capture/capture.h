/*
 * Records a running target into a profile: records go from record/ to ingest/, and symbols are
 * resolved at the end.  Nothing is printed: the result says what was given up and what was lost.
 *
 *	capture_init(), capture_run() for each run, capture_name(), capture_release()
 */
#ifndef WICK_CAPTURE_CAPTURE_H
#define WICK_CAPTURE_CAPTURE_H

#include "capture/held_jit.h"
#include "ingest/waits.h"
#include "load/load.h"
#include "load/naming.h"
#include "perf/file/recording.h"
#include "profile/profile.h"
#include "record/perf_events/sampler.h"
#include "record/ptrace/trace.h"
#include "record/session.h"
#include "record/targets/targets.h"
#include "record/waits/blocked.h"

/*
 * Whether to record waits: not at all, in addition to other events, or because they were requested.
 */
enum capture_waits { WAITS_OFF, WAITS_BESIDE, WAITS_ASKED };

/* Opens a file for the samples that do not fit in memory; NULL with an error if that fails. */
typedef struct recording *capture_spill(void *arg, struct error *e);

struct capture_opts {
	/* The target: */
	struct sampling sampling;	/* if on_exec is set, its task will be the command */
	const char *const *command;	/* words, and NULL; NULL: none is started */
	const struct launch_user *user; /* the user that the command runs as; NULL: wick's own */
	const char *folder;		/* where it runs; NULL: the current directory */
	struct targets *targets; /* running processes: their threads are the sampling's tasks */
	size_t nr_child;	 /* child processes of the targets that are not recorded */
	/*
	 * Sample per CPU, and keep the target's samples (family.h).  If false, wick switches to
	 * that by itself where it is permitted and needed.
	 */
	bool wide;
	enum capture_waits waits;
	bool wall; /* … with all CPU time, including time that cannot be sampled */
	bool live; /* the profile is shown while it grows: waits are added while they last */
	/* Time limits, see session.h: */
	uint64_t duration, delay;
	bool by_signal, until_gone;
	const struct launch_signals *signals; /* from signals_take(); the caller ends them */
	session_tick *tick;		      /* or NULL */
	void *tick_arg;
	/* What to keep: */
	bool times; /* the time of each sample, up to the limit of a page */
	bool cpus;  /* the CPU of each sample */
	/* a perf.data file that gets all records, with complete call chains */
	struct recording *data;
	size_t memory; /* limit for the profile: bytes; 0: none */
	/* called at that limit, if there is no data; not NULL if memory is set */
	capture_spill *spill;
	void *spill_arg;
	struct naming naming;
	unsigned threads; /* number of threads that resolve symbols */
};

/* Default sampling; the caller sets the target. */
#define CAPTURE_OPTS_DEFAULT \
	{ \
		.sampling = { .frequency = FREQUENCY_DEFAULT, \
			      .usual = true, \
			      .copy_size = STACK_COPY_DEFAULT, \
			      .cgroup = -1 }, \
		.threads = load_threads(), \
	}

/* One recording, or the sum of several. */
struct capture {
	struct profile p;
	struct held_files kept;	   /* the files that were mapped, to resolve symbols */
	struct prefetch *prefetch; /* … and debug information that was read meanwhile; NULL: none */
	struct wait_sums waits;	   /* where the time went; nr_thread 0: unknown */
	uint64_t waits_time;	   /* how long waits were recorded: ns */
	struct held_jit jit;	   /* the maps of JIT compilers */
	struct launch launch;	   /* the command, and its exit status */
	bool ran;		   /* the command was started */
	uint64_t nr_sample, nr_lost;
	uint64_t time;	  /* duration of the recording: ns */
	uint64_t delayed; /* the part of it before the end of --delay: not recorded */
	/* If the profile reached its memory limit: */
	bool full;
	uint64_t nr_kept;	  /* samples in the profile; the others were spilled, … */
	struct error not_spilled; /* … or are lost, for this reason */
	/* The rest describes the last run.  What sampling missed: */
	double expected;  /* see shortfall.h; 0: unknown */
	double unseen;	  /* the same */
	double switching; /* the same */
	/* `unseen` and `switching` are shares of this: "CPU time", or a part of it. */
	const char *share_of;
	/* CPU time of the target that switch records do not show: ns; 0: little. */
	uint64_t unrecorded;
	/* CPU time of the target in the kernel, if that is not sampled: ns; or 0. */
	uint64_t kernel_time;
	/* Threads and processes that the target started, or had at the beginning. */
	uint64_t nr_start;
	uint64_t nr_hidden; /* setuid and unreadable programs, which the kernel does not record */
	uint64_t nr_child;  /* child processes of running targets that were not recorded, … */
	bool more_children; /* … and there were more, which ptrace sampling cannot count */
	bool wide;	    /* CPUs were sampled, at least in the end */
	struct {
		uint32_t pid; /* 0: not searched for, or not found */
		char name[32];
	} left;		  /* without samples: a child of the command that still runs */
	bool interrupted; /* see session.h */
	/* What was given up, see sampler.h: */
	bool user_only, clock_only, no_waits;
	unsigned frequency;
	/* why blocked threads could not be read; BLOCKED_SEEN: they could be */
	enum blocked_state refused;
	bool copied_most; /* stack copies had the maximum size that the kernel allows */
	size_t ring_size;
	/* perf events were refused: ptrace sampling, see trace.h */
	bool traced;
	enum sampler_scarce scarce; /* perf events were not refused, but this resource ran out */
	unsigned trace_frequency;   /* intended sampling rate of ptrace sampling, in Hz */
	struct trace_sum trace;
	/* A hint: what would permit all events; or "". */
	char better[sizeof(((struct error *)0)->hint)];
};

void capture_init(struct capture *c);
void capture_release(struct capture *c);

/*
 * Records one run, and adds it to the profile.  After -1, launch.status is the status to exit with.  wick's
 * priority may stay raised, because the user waits for the result: see priority.h.
 */
int capture_run(struct capture *c, const struct capture_opts *o, struct error *e);

/* Resolves the symbols of everything recorded. */
void capture_name(struct capture *c, const struct capture_opts *o);

/*
 * capture_data.c: what a perf.data file contains besides the records: facts and events at the
 * beginning, then the running processes, and build IDs at the end.
 */
void capture_data_begin(struct recording *to, const struct capture_opts *o,
			const struct sampler *s);
void capture_data_running(struct recording *to, const struct sampler *s, const struct record *r);
/* To be called after sampler_widen(), which changes the events. */
void capture_data_widened(struct recording *to, const struct sampler *s);
void capture_data_end(struct recording *to, const struct profile *p);

/* If the command runs on after its recording, waits for it to end, to get its status. */
void capture_wait(struct capture *c, const struct capture_opts *o);

#endif
