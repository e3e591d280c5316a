/*
 * The threads whose states waits.c follows, by tid.  One that has ended stays until it is dropped: waits that are kept
 * refer to it by its place.
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
	double rate; /* the sampling rate of blocked threads then: Hz; WAIT_ALWAYS: each wait */
	uint64_t since, time; /* when the sample began, and its end */
	uint64_t wait_began; /* once its wait is kept: when that began, of which it may be a part */
	uint32_t holder;     /* the tid that held its lock then; 0: unknown */
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
	/* How much of running neither samples nor UNSAMPLED account for yet; below 0: samples are ahead. */
	int64_t owed;
	/* Since UNSAMPLED was last added: how long it ran, and its share of the time in which any thread did: ns. */
	double ran, shared;
	/* … up to these values of shared_at and shared of struct waits. */
	uint64_t ran_at;
	double shared_at;
	double parallelism; /* how many threads ran while it did, on average, of late; 0: unknown */
	uint32_t cpu;	    /* of its last switch, if that is known */
	uint64_t running, ready, blocked; /* ns so far */
	uint64_t delay;			  /* CPU wait by the kernel's accounting: ns, may be 0 */
	uint64_t moved;	       /* the part of blocked that was CPU wait, by that accounting */
	uint64_t nr_in;	       /* switches to it, … */
	uint64_t nr_accounted; /* … until its last account, and how long they took by that: ns */
	int64_t switching;
	/* What it had run by the first QUEUED record, but not by records of switches: ns, modulo 2^64. */
	uint64_t ran_before;
	bool knows_ran;	      /* … that record has come */
	uint64_t nr_switched; /* … until waits were last shortened by them, and by how much: ns */
	uint64_t switched;
	uint64_t switch_ns;	      /* the time of one, on average, of late; 0: unknown */
	struct blocked_sample sample; /* of its current wait */
	bool has_sample;
	bool is_watched; /* … which is not only of the switch from it */
	bool is_lost;	 /* its beginning was not recorded */
	bool is_new;	 /* its process began, or executed its program, during the recording */
	/* Where the holder of its lock was blocked at the time of the sample; 0: unknown. */
	stack_id held_at;
	/* A wait has parts, with a holder each; `since` is the beginning of the last one.  0: it has one. */
	uint64_t parts_since;
	/* Its stack at its last switch out, or at the coming one; and the time, 0: unknown. */
	struct blocked_sample out;
	uint64_t out_at;
	/* When it was last woken (0: unknown), and its waker. */
	uint64_t woken;
	struct wait_waking waker;
	bool is_queued; /* that is when it was put on a run queue, by the kernel's account */
	/* Its last sampled wait, which may be while it held a lock; end 0: none. */
	struct {
		uint64_t begin, end;
		stack_id stack;
	} last;
	bool counted; /* in nr_thread of the sums */
	bool runs;    /* … and in nr_running */
};

struct wait_tasks {
	struct wait_task *task;
	uint32_t *slot; /* a hash table by tid: 1 + the newest task with that tid; 0: empty */
	size_t nr, cap, nr_slot;
	size_t nr_gone; /* those that have ended; counted by the caller, which sets their state */
};

enum {
	/* Further simultaneous threads are not tracked: 128 MB. */
	WAIT_TASKS_MAX = 512 * 1024,
};

void wait_tasks_release(struct wait_tasks *t);

/* The newest task with that tid, or NULL. */
struct wait_task *wait_tasks_find(const struct wait_tasks *t, uint32_t tid);

/* NULL: there are too many.  Others may move. */
struct wait_task *wait_tasks_add(struct wait_tasks *t, uint32_t pid, uint32_t tid);

/* Removes the tasks that are gone, and those of the same number before them: others get another place. */
void wait_tasks_drop_gone(struct wait_tasks *t);

#endif
