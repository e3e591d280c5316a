/*
 * The threads whose states waits.c tracks, by tid.  A thread that has exited stays until
 * wait_tasks_drop_gone(), because waits without a stack yet refer to it by index.
 */
#ifndef WICK_INGEST_WAIT_TASKS_H
#define WICK_INGEST_WAIT_TASKS_H

#include "perf/wait_record.h"
#include "profile/profile.h"

#include <math.h>

enum wait_state {
	STATE_UNKNOWN,
	STATE_ON,  /* runs or is ready: its first switch shows which */
	STATE_NEW, /* just started: ready, if it turns out to be a recorded thread */
	STATE_RUNNING,
	STATE_READY,
	STATE_BLOCKED,
	STATE_GONE,
};

/* A sample of a blocked thread: stack and reason. */
struct blocked_sample {
	stack_id base;	/* its stack … */
	stack_id stack; /* … with the reason as its leaf */
	label_id labels;
	enum wait_reason reason;
	double rate; /* sampling rate of blocked threads at that time: Hz; WAIT_ALWAYS: no wait is missed */
	uint64_t since, time; /* when wick began to read the thread, and when it was done */
	/* Set when the wait has ended: when its first part began. */
	uint64_t wait_began;
	uint32_t holder; /* the tid that held the lock at that time; 0: unknown */
};

#define WAIT_ALWAYS INFINITY

/* The waker of a thread: its link in the profile, and its tid. */
struct wait_waking {
	link_id link;
	uint32_t tid;
	bool is_whole; /* its stack includes the user part */
};

/* One thread; several may have had the same tid, one after the other. */
struct wait_task {
	uint32_t pid, tid;
	enum wait_state state;
	uint64_t since;	  /* the time of its last change of state */
	uint64_t sampled; /* … and of its last sample of CPU time */
	/*
	 * The part of `running` that neither samples nor UNSAMPLED account for yet; below 0: samples are
	 * ahead: ns.
	 */
	int64_t owed;
	/* Since its parallelism was last computed: how long it ran, and its share of wall-clock time: ns. */
	double ran, shared;
	/* Both are up to date to these values of `shared_at` and `shared` in struct waits. */
	uint64_t ran_at;
	double shared_at;
	double parallelism; /* recent average number of threads that ran while it did; 0: unknown */
	uint32_t cpu;	    /* of its last switch, if that is known */
	uint64_t running, ready, blocked; /* ns so far */
	uint64_t delay;			  /* CPU wait by the kernel's accounting: ns, may be 0 */
	uint64_t moved;	       /* the part of blocked that was CPU wait, by that accounting */
	uint64_t nr_in;	       /* switches to it so far */
	uint64_t nr_accounted; /* nr_in at the last reading of the kernel's accounting, … */
	int64_t switching;     /* … and by that, the duration of these switches: ns */
	/* CPU time by the kernel's accounting minus `running`, at the first QUEUED record: ns, modulo 2^64. */
	uint64_t ran_before;
	bool knows_ran;	      /* that record was received */
	uint64_t nr_switched; /* nr_in when waits were last shortened by the duration of switches */
	uint64_t switched;    /* … and by how much so far: ns */
	uint64_t switch_ns;   /* recent average duration of a switch: ns; 0: unknown */
	struct blocked_sample sample; /* of its current wait */
	bool has_sample;
	bool is_watched; /* the watcher has sampled it, too, not only the switch out */
	bool is_lost;	 /* the switch that began the wait was lost */
	bool is_new;	 /* its process started, or called exec, during the recording */
	/* Where the holder of its lock was blocked at the time of the sample; 0: unknown. */
	stack_id held_at;
	/*
	 * A wait is split into parts where the holder of its lock changes, and `since` is the beginning of
	 * the current part.  This is the beginning of the first one; 0: there is only one.
	 */
	uint64_t parts_since;
	/* Stack and reason recorded just before a switch out, until that switch is read, and their time; 0: none. */
	struct blocked_sample out;
	uint64_t out_at;
	/* When it was last woken (0: unknown), and its waker. */
	uint64_t woken;
	struct wait_waking waker;
	bool is_queued; /* `woken` is when it was put on a run queue, by the kernel's accounting */
	/* Its last sampled wait, during which it may have held a lock; end 0: none. */
	struct {
		uint64_t begin, end;
		stack_id stack;
	} last;
	bool counted; /* included in nr_thread of the sums */
	bool runs;    /* included in nr_running */
};

struct wait_tasks {
	struct wait_task *task;
	uint32_t *slot; /* a hash table by tid: 1 + the newest task with that tid; 0: empty */
	size_t nr, cap, nr_slot;
	size_t nr_gone; /* tasks in STATE_GONE; counted by the caller, which sets the state */
};

enum {
	/* Further simultaneous threads are not tracked: 128 MB. */
	WAIT_TASKS_MAX = 512 * 1024,
};

void wait_tasks_release(struct wait_tasks *t);

/* The newest task with that tid, or NULL. */
struct wait_task *wait_tasks_find(const struct wait_tasks *t, uint32_t tid);

/* NULL: limit reached.  Invalidates pointers to other tasks. */
struct wait_task *wait_tasks_add(struct wait_tasks *t, uint32_t pid, uint32_t tid);

/* Removes the tasks in STATE_GONE.  The others get new indices. */
void wait_tasks_drop_gone(struct wait_tasks *t);

#endif
