/*
 * What threads did with their time: they ran, could have run (ready: another one had the CPU), or
 * were blocked.  Switch records give the times; a recorder's own records (perf/wait_record.h) say
 * where and why a thread was blocked.  The time off CPU becomes intervals of the event `off-cpu`.
 *
 * Where the recorder may use the scheduler's tracepoints, the stack of each wait comes with its
 * beginning, and who ended it with its end.  Otherwise
 * a blocked thread is looked at at random times, so a long wait is nearly always seen, and a short
 * one rarely.  A wait that was seen has its own stack.  The time of those that were not is known,
 * too, and is shared out over the stacks that were seen (wait_stacks.c), so that each thread's sum
 * is exact and short waits weigh what they should.
 *
 * A switch does not say when a blocked thread was woken, so its wait ends when it runs again, unless
 * a tracepoint tells.  The
 * kernel's own account of each thread says how much of that was waiting for a CPU: as a sum, which
 * is taken from all its waits alike.
 */
#ifndef WICK_INGEST_WAITS_H
#define WICK_INGEST_WAITS_H

#include "ingest/process.h"
#include "perf/event.h"
#include "perf/wait_record.h"

#include <math.h>

enum wait_state {
	STATE_UNKNOWN,
	STATE_ON,  /* runs or is ready: its first switch tells which */
	STATE_NEW, /* just started: ready, if it turns out to be one of those that are recorded */
	STATE_RUNNING,
	STATE_READY,
	STATE_BLOCKED,
	STATE_GONE,
};

/* Where a blocked thread was, and why. */
struct wait_look {
	stack_id base;	/* its stack … */
	stack_id stack; /* … with the reason as its leaf */
	label_id labels;
	enum wait_reason reason;
	double rate; /* how often threads were looked at then: in a second; WAIT_ALWAYS: each wait */
	uint64_t time;
	uint32_t holder; /* the tid of who held its lock then; 0: unknown */
};

#define WAIT_ALWAYS INFINITY

/* Who woke a thread: as the profile has it, its tid, and how much is known of it. */
struct wait_waking {
	link_id link;
	uint32_t tid;
	bool is_whole; /* the stack is, with its user part */
};

/* One thread, or one of several that had the same number one after the other. */
struct wait_task {
	uint32_t pid, tid;
	enum wait_state state;
	uint64_t since;			  /* the time of its last change of state */
	uint64_t running, ready, blocked; /* ns so far */
	uint64_t delay;	       /* the kernel's account of its waiting for a CPU: ns, maybe 0 */
	uint64_t moved;	       /* how much of blocked was such waiting, by that account */
	struct wait_look look; /* of its current wait */
	bool has_look;
	/* Where it was when it was last switched from, or is about to be; and that time: 0: unknown. */
	struct wait_look out;
	uint64_t out_at;
	/* When it was last woken (0: unknown), and its waker. */
	uint64_t woken;
	struct wait_waking waker;
	/* Its last wait that was seen, which may be while it held a lock; end 0: there is none. */
	struct {
		uint64_t begin, end;
		stack_id stack;
	} last;
	bool counted; /* among the threads of the sums */
	bool runs;    /* … and among those that run */
};

/* The time that was spent in one way or another, of all threads: ns. */
struct wait_sums {
	uint64_t running;
	uint64_t off[NR_WAIT_REASONS]; /* WAIT_CPU: ready */
	uint64_t nr_thread;
	uint64_t nr_switch;  /* switches away from a thread */
	uint64_t nr_wait;    /* how often a thread was blocked … */
	uint64_t nr_seen;    /* … and how many of these waits were looked at */
	uint64_t nr_no_look; /* looks that came to nothing, as the thread ran meanwhile */
	uint64_t nr_waker;   /* waits whose waker is known */
};

struct waits {
	struct profile *p;
	struct processes *processes;
	uint32_t event;	 /* off-cpu; UINT32_MAX: not in the profile yet */
	bool runs;	 /* the recording has begun, and does not pause */
	bool sampled;	 /* CPU time is sampled: who has no sample has had no CPU for long */
	bool stopped;	 /* no more switches were recorded: what comes is of before */
	bool on;	 /* set by the caller: switches are recorded */
	bool sums_only;	 /* set by the caller: nothing is put into the profile */
	bool is_exact;	 /* stacks come with the beginnings of waits, at least for some time */
	uint64_t begin;	 /* when the recording began, or went on after a pause */
	uint64_t latest; /* the time of the last record */
	struct wait_sums sums;
	struct wait_task *task;
	uint32_t *slot; /* a hash table by tid: 1 + the newest task with that tid; 0: empty */
	size_t nr_task, cap_task, nr_slot;
	size_t nr_running;
	size_t nr_gone; /* of the tasks: those that have ended */
	/* Waits that have ended, and wait for their stacks. */
	struct wait {
		uint64_t begin, end;
		uint32_t task;
		uint32_t look; /* 1 + its look; 0: it was not looked at */
		thread_id thread;
		link_id link;	/* to its waker, and to who held its lock; 0: unknown */
		uint64_t woken; /* when it could run again; 0: unknown */
		bool is_seen;	/* that look is its own */
	} * wait;
	size_t nr_wait, cap_wait;
	struct wait_look *look;
	size_t nr_look, cap_look;
	/* What came once with a key, by place (WAIT_PLACES); NULL: nothing did. */
	struct wait_repeat {
		uint64_t key;
		enum wait_record_kind kind; /* WAIT_RECORD_OUT or WAIT_RECORD_WAKE */
		struct wait_look look;
		struct wait_waking waker;
	} * repeat;
};

enum {
	/* So many waits are kept before they get their stacks: 48 MB. */
	WAITS_KEPT_MAX = 1024 * 1024,
	/* More threads than this at the same time are not looked after: 128 MB. */
	WAIT_TASKS_MAX = 512 * 1024,
};

void waits_init(struct waits *w, struct profile *p, struct processes *processes);
void waits_release(struct waits *w);

/* Takes each record of a switch, a start, an exec or an end, in the order of time. */
void waits_take(struct waits *w, const struct record *r);

/* A sample of CPU time: the thread runs. */
void waits_take_sample(struct waits *w, uint32_t tid);

/* The same for what a recorder found out; a look is for waits_look(). */
void waits_take_own(struct waits *w, const struct record *r, const struct wait_record *own);

/* Is the thread blocked, since that time or longer?  Then a look is proved. */
bool waits_is_blocked(const struct waits *w, uint32_t tid, uint64_t since);
void waits_look(struct waits *w, uint32_t tid, const struct wait_look *look);

/* How many threads run, at least that one, which was just sampled; 0: it is not known. */
size_t waits_running(struct waits *w, uint32_t pid, uint32_t tid);

/* The thread is about to be switched from: what its wait is like, if it will be one. */
void waits_out(struct waits *w, const struct record *r, const struct wait_look *look);

/* The thread was woken.  Is that known to be a thread whose waits are recorded? */
void waits_woken(struct waits *w, uint32_t tid, uint64_t time, const struct wait_waking *by);
bool waits_knows(const struct waits *w, uint32_t tid);

/*
 * wait_repeats.c: remembers what waits_out() or waits_woken() is told by its key (0: none), and does the
 * same again for a record that only has the key.
 */
void waits_remember_out(struct waits *w, uint64_t key, const struct wait_look *look);
void waits_remember_waker(struct waits *w, uint64_t key, const struct wait_waking *by);
void waits_repeat_out(struct waits *w, const struct record *r, uint64_t key);
void waits_repeat_waker(struct waits *w, const struct record *r, uint64_t key, uint32_t tid);

/* Adds what is known up to a time to the profile, also of waits that go on. */
void waits_flush(struct waits *w, uint64_t now);

/* There are no more records: ends what is still open, and gives all waits their stacks. */
void waits_finish(struct waits *w);

/* wait_stacks.c: gives stacks to the waits that are kept, and puts them into the profile. */
void waits_settle(struct waits *w);

/* Adds time off CPU to the profile and to the sums. */
struct wait_time {
	uint64_t begin, end, weight; /* the weight is less than the time if a part was moved */
	thread_id thread;
	link_id link;
};
void waits_add(struct waits *w, const struct wait_time *t, const struct wait_look *look);

/* A look without a stack: only the reason. */
struct wait_look waits_reason(struct waits *w, enum wait_reason reason);

/* The stack of a blocked thread with the reason on top, and its label. */
stack_id waits_push_reason(struct waits *w, stack_id stack, enum wait_reason reason);

/* Its labels: the reason, and the lock if there is one. */
label_id waits_labels(struct waits *w, enum wait_reason reason, str_id lock);

#endif
