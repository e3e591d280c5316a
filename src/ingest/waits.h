/*
 * The states of threads over time: running, ready (runnable, but another thread had the CPU) or blocked.
 * Context switch records give the times; wick's own records (perf/wait_record.h) give the stack of a wait and
 * its reason.  Time off CPU becomes intervals of the event `off-cpu`.
 *
 * With the scheduler's tracepoints, each wait has its own stack, recorded at its beginning, and its waker,
 * recorded at its end.  Otherwise, blocked threads are sampled at random times, so that nearly all long waits
 * are sampled, and few short ones.  A sampled wait has its own stack.  The time of waits that were not
 * sampled is known, too, and is distributed over the sampled stacks (wait_stacks.c), so that each thread's
 * sum is exact and short waits have their due weight.
 *
 * A switch does not say when a blocked thread was woken, so its wait ends when it runs again, unless a
 * tracepoint gives the time.  The kernel's accounting of each thread has the total time that it waited for a
 * CPU, which is subtracted proportionally from all its waits.
 *
 * A switch to a thread is recorded when it is complete, but the kernel accounts its duration as CPU time of
 * that thread, and so does wick: the CPU time that the accounting has in excess of the records, divided by
 * the number of switches, is the duration of one switch, and waits end that much earlier.
 */
#ifndef WICK_INGEST_WAITS_H
#define WICK_INGEST_WAITS_H

#include "ingest/process.h"
#include "ingest/wait_tasks.h"
#include "perf/event.h"

/* Time by state and reason, over all threads: ns. */
struct wait_sums {
	uint64_t running;
	uint64_t off[NR_WAIT_REASONS]; /* WAIT_CPU: ready */
	uint64_t nr_thread;
	uint64_t nr_wait;    /* waits, … */
	uint64_t nr_seen;    /* … those that were sampled, … */
	uint64_t nr_waker;   /* … and waits with a known waker */
	uint64_t nr_unknown; /* waits that no sample says anything about, … */
	uint64_t unknown;    /* … and their time: ns */
};

/* The events derived from states: OFF_CPU and UNSAMPLED. */
enum wait_event { EVENT_OFF_CPU, EVENT_UNSAMPLED, NR_WAIT_EVENTS };

struct waits {
	struct profile *p;
	struct processes *processes;
	uint32_t event[NR_WAIT_EVENTS]; /* numbers in the profile; UINT32_MAX: not there yet */
	bool runs;			/* the recording has begun, and is not paused */
	bool sampled;	/* CPU time is sampled, so a thread without samples hardly ran */
	bool stopped;	/* paused by WAIT_RECORD_STOP; switch records that still arrive are stale */
	bool on;	/* set by the caller: switches are recorded */
	bool sums_only; /* set by the caller: nothing is added to the profile */
	enum wait_scope scope;
	uint64_t period;     /* of the last sample of CPU time: ns */
	bool knows_cpus;     /* set by the caller: switch records contain the CPU */
	bool is_own;	     /* wick made the recording, and sampled blocked threads */
	bool is_exact;	     /* tracepoints give each wait its stack, at least for some time */
	uint64_t nr_lost_in; /* lost switches to threads whose next switch out was recorded */
	uint64_t begin;	     /* when the recording began, or went on after a pause */
	uint64_t latest;     /* the time of the last record */
	struct wait_sums sums;
	struct wait_tasks tasks;
	struct wait_cpu {
		uint32_t tid;	   /* the thread that was switched to last; 0: none, or idle */
		uint64_t switched; /* the time of the last switch; 0: none was recorded */
	} * on_cpu;
	size_t nr_cpu, cap_cpu;
	size_t nr_running;
	/*
	 * The integral of 1 / nr_running over time, up to shared_at: the share of wall-clock time of a thread
	 * that always ran: ns.
	 */
	double shared;
	uint64_t shared_at;
	bool keeps_labels; /* set by the caller: UNSAMPLED is labeled with the number of running threads */
	/* Waits that have ended, but whose stack is not decided yet. */
	struct wait {
		uint64_t begin, end;
		uint32_t task;
		uint32_t sample; /* 1 + its sample; 0: none */
		thread_id thread;
		link_id link;	   /* to its waker and the holder of its lock; 0: unknown */
		uint64_t woken;	   /* when it became runnable; 0: unknown */
		int64_t switching; /* is_queued: duration of all switches to the thread before: ns */
		bool is_queued; /* `woken` is from the kernel's accounting (WAIT_RECORD_QUEUED) */
		bool is_seen;	/* the sample was taken during this wait */
		bool is_ready;	/* the thread only waited for a CPU */
		bool is_part;	/* a part of a wait, but not the last one */
	} * wait;
	size_t nr_wait, cap_wait;
	struct blocked_sample *sample;
	size_t nr_sample, cap_sample;
	/* Stacks with a key, by slot (WAIT_SLOTS); NULL: there are none yet. */
	struct wait_repeat {
		uint64_t key;
		enum wait_record_kind kind; /* WAIT_RECORD_OUT or WAIT_RECORD_WAKE */
		struct blocked_sample sample;
		struct wait_waking waker;
	} * repeat;
};

enum {
	/* A longer average is not the duration of a switch: accounting and records differ for another reason. */
	SWITCH_MAX_NS = 20000,
	/* Limit of waits that have ended and have no stack yet: 56 MB. */
	WAITS_KEPT_MAX = 1024 * 1024,
	/* On CPUs with higher numbers, missing switches are not detected. */
	WAIT_CPUS_MAX = 64 * 1024,
};

void waits_init(struct waits *w, struct profile *p, struct processes *processes);
void waits_release(struct waits *w);

/* Takes each record of a switch, fork, exec or exit, in order of time. */
void waits_take(struct waits *w, const struct record *r);

/* The same for wick's own records, except samples: those go to waits_sample(). */
void waits_take_own(struct waits *w, const struct record *r, const struct wait_record *own);

/* Has the thread been blocked at least since that time?  Then a sample is valid. */
bool waits_is_blocked(const struct waits *w, uint32_t tid, uint64_t since);
void waits_sample(struct waits *w, uint32_t tid, const struct blocked_sample *sample);

/* The number of running threads, including the one that was just sampled; 0: unknown. */
size_t waits_running(struct waits *w, uint32_t pid, uint32_t tid);

/* The thread is about to be switched out, with this stack and reason if it then waits. */
void waits_out(struct waits *w, const struct record *r, const struct blocked_sample *sample);

/* Takes a wakeup of the thread.  waits_knows(): are the waits of the thread recorded? */
void waits_woken(struct waits *w, uint32_t tid, uint64_t time, const struct wait_waking *by);
bool waits_knows(const struct waits *w, uint32_t tid);

/* Is it a thread of that process, which has started and has not ended? */
bool waits_has_thread(const struct waits *w, uint32_t pid, uint32_t tid);

/*
 * wait_repeats.c: remembers what waits_out() or waits_woken() gets by its key (0: none), and repeats it for
 * a record that only has the key.
 */
void waits_remember_out(struct waits *w, uint64_t key, const struct blocked_sample *sample);
void waits_remember_waker(struct waits *w, uint64_t key, const struct wait_waking *by);
void waits_repeat_out(struct waits *w, const struct record *r, uint64_t key);
void waits_repeat_waker(struct waits *w, const struct record *r, uint64_t key, uint32_t tid);

/* Adds everything up to a time to the profile, including unfinished waits. */
void waits_flush(struct waits *w, uint64_t now);

/* After the last record: ends all waits, and gives them their stacks. */
void waits_finish(struct waits *w);

/* wait_stacks.c: gives the kept waits their stacks, and adds them to the profile. */
void waits_settle(struct waits *w);

/* Adds time off CPU to the profile and to the sums. */
struct wait_time {
	uint64_t begin, end, weight; /* weight: less than the time if a part was CPU wait */
	thread_id thread;
	link_id link;
};
void waits_add(struct waits *w, const struct wait_time *t, const struct blocked_sample *sample);

/* Adds an interval of one of these events to the profile, but not to the sums. */
void waits_add_interval(struct waits *w, enum wait_event which, const struct wait_time *t,
			const struct blocked_sample *sample);

/* wait_running.c: a sample of CPU time: the thread runs.  Returns the weight of the sample. */
uint64_t waits_take_sample(struct waits *w, const struct record *r);

/*
 * waits_share_time() divides the time up to now among the running threads.  waits_set_runs() says whether the
 * thread is one of them.
 */
void waits_share_time(struct waits *w, uint64_t now);
void waits_set_runs(struct waits *w, struct wait_task *task, bool runs);

/* The thread has run until now. */
void waits_end_run(struct waits *w, struct wait_task *task, uint64_t now);

/* The thread gets no more samples: adds the CPU time that they do not account for. */
void waits_end_samples(struct waits *w, struct wait_task *task);

/* Adds CPU time of a thread that has no samples to the profile: EVENT_UNSAMPLED. */
void waits_add_rest(struct waits *w, struct wait_task *task, const struct wait_time *t);

/* A sample without a stack: only the reason. */
struct blocked_sample waits_reason(struct waits *w, enum wait_reason reason);

/* The stack of a blocked thread with the reason as its leaf. */
stack_id waits_push_reason(struct waits *w, stack_id stack, enum wait_reason reason);

/* Its labels: the reason, and the lock if there is one. */
label_id waits_labels(struct waits *w, enum wait_reason reason, str_id lock);

#endif
