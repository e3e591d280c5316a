/*
 * The states of threads over time: running, ready (runnable, but another thread had the CPU) or
 * blocked.  Context switch records give the times; the recorder's own records (perf/wait_record.h)
 * give place and reason of a wait.  Time off CPU becomes intervals of the event `off-cpu`.
 *
 * With the scheduler's tracepoints, each wait has its own stack, recorded at its beginning, and its
 * waker, recorded at its end.  Otherwise, blocked threads are sampled at random times, so that
 * nearly all long waits are sampled, and few short ones.  A sampled wait has its own stack.  The
 * time of waits that were not sampled is known, too, and is distributed over the sampled stacks
 * (wait_stacks.c), so that each thread's sum is exact and short waits have their due weight.
 *
 * A switch does not say when a blocked thread was woken, so its wait ends when it runs again, unless
 * a tracepoint gives the time.  The kernel's accounting of each thread has the total time that it
 * waited for a CPU, which is subtracted proportionally from all its waits.
 *
 * A switch to a thread is recorded when it is over, but the kernel accounts it to that thread, as
 * CPU time.  So does wick: what the accounting has more than the records, divided by the number of
 * switches, is the duration of one, and waits end that much earlier.
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

/* The events that are made of states: OFF_CPU and UNSAMPLED. */
enum wait_event { EVENT_OFF_CPU, EVENT_UNSAMPLED, NR_WAIT_EVENTS };

struct waits {
	struct profile *p;
	struct processes *processes;
	uint32_t event[NR_WAIT_EVENTS]; /* numbers in the profile; UINT32_MAX: not there yet */
	bool runs;			/* the recording has begun, and is not paused */
	bool sampled;	/* CPU time is sampled: a thread without a sample hardly had a CPU */
	bool stopped;	/* … it is, as switches are too many: further ones are older */
	bool on;	/* set by the caller: switches are recorded */
	bool sums_only; /* set by the caller: nothing is added to the profile */
	enum wait_scope scope;
	uint64_t period; /* of the last sample of CPU time: ns */
	bool knows_cpus; /* set by the caller: records of switches have their CPU */
	bool is_own;	 /* wick has recorded it, and samples blocked threads */
	bool is_exact;	 /* tracepoints give each wait its stack, at least for some time */
	uint64_t begin;	 /* when the recording began, or went on after a pause */
	uint64_t latest; /* the time of the last record */
	struct wait_sums sums;
	struct wait_tasks tasks;
	uint32_t *on_cpu; /* by CPU: the tid that was switched to last; 0: none, or idle */
	size_t nr_cpu, cap_cpu;
	size_t nr_running;
	/* The sum of time / nr_running up to shared_at: what a thread that always ran has of the time in which any did: ns. */
	double shared;
	uint64_t shared_at;
	bool keeps_labels; /* set by the caller: CPU time without samples says how many threads ran */
	/* Waits that have ended, and have no final stack yet. */
	struct wait {
		uint64_t begin, end;
		uint32_t task;
		uint32_t sample; /* 1 + its sample; 0: none */
		thread_id thread;
		link_id link;	   /* to its waker and the holder of its lock; 0: unknown */
		uint64_t woken;	   /* when it became runnable; 0: unknown */
		int64_t switching; /* is_queued: how long the switches to the thread before took: ns */
		bool is_queued;	   /* the kernel's account says when it became runnable, and: */
		bool is_seen;	   /* that sample is its own */
		bool is_ready;	   /* it only waited for a CPU */
		bool is_part;	   /* … of a wait whose next one follows */
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
	/* On average, a longer switch is none: the accounts differ by something else. */
	SWITCH_MAX_NS = 20000,
	/* Waits that are kept before they get their stacks: 56 MB. */
	WAITS_KEPT_MAX = 1024 * 1024,
	/* What runs on CPUs with higher numbers is not compared. */
	WAIT_CPUS_MAX = 64 * 1024,
};

void waits_init(struct waits *w, struct profile *p, struct processes *processes);
void waits_release(struct waits *w);

/* Takes each record of a switch, fork, exec or exit, in order of time. */
void waits_take(struct waits *w, const struct record *r);

/* The same for a record of the recorder itself; samples go to waits_sample(). */
void waits_take_own(struct waits *w, const struct record *r, const struct wait_record *own);

/* Has the thread been blocked since that time or longer?  Then a sample is valid. */
bool waits_is_blocked(const struct waits *w, uint32_t tid, uint64_t since);
void waits_sample(struct waits *w, uint32_t tid, const struct blocked_sample *sample);

/* The number of running threads, including the one that was just sampled; 0: unknown. */
size_t waits_running(struct waits *w, uint32_t pid, uint32_t tid);

/* The thread is about to be switched out, with this stack and reason if it then waits. */
void waits_out(struct waits *w, const struct record *r, const struct blocked_sample *sample);

/* The thread was woken; and: is it a thread whose waits are recorded? */
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

/* … to the profile only, as an event of its own. */
void waits_add_interval(struct waits *w, enum wait_event which, const struct wait_time *t,
			const struct blocked_sample *sample);

/* wait_running.c: a sample of CPU time: the thread runs.  Returns the weight of the sample. */
uint64_t waits_take_sample(struct waits *w, const struct record *r);

/* Each thread that runs has its share of the time, up to now; and: does this one? */
void waits_share_time(struct waits *w, uint64_t now);
void waits_set_runs(struct waits *w, struct wait_task *task, bool runs);

/* The thread has run until now. */
void waits_end_run(struct waits *w, struct wait_task *task, uint64_t now);

/* No sample follows: what the thread ran since the last one is less than a period, or its whole life. */
void waits_end_samples(struct waits *w, struct wait_task *task);

/* Adds CPU time without samples of a thread to the profile: EVENT_UNSAMPLED. */
void waits_add_rest(struct waits *w, struct wait_task *task, const struct wait_time *t);

/* A sample without a stack: only the reason. */
struct blocked_sample waits_reason(struct waits *w, enum wait_reason reason);

/* The stack of a blocked thread with the reason as its leaf. */
stack_id waits_push_reason(struct waits *w, stack_id stack, enum wait_reason reason);

/* Its labels: the reason, and the lock if there is one. */
label_id waits_labels(struct waits *w, enum wait_reason reason, str_id lock);

#endif
