/*
 * Finds out about the waits of threads what switch records do not say, while they are recorded:
 *
 * - what each thread did when the recording began;
 * - where and why it is blocked (blocked.h).  All that are blocked are looked at at random times,
 *   once in each wait.  The times are exponentially distributed, so that no wait can keep out of
 *   their way, and rarer where there are so many threads that looking would take too much time;
 * - how long it has waited for a CPU by the kernel's account, which is read from time to time.
 *
 * What it finds are records (perf/wait_record.h), which the session puts in order with others.
 * Threads are neither stopped nor sent signals.
 */
#ifndef WICK_RECORD_WAITS_WATCHER_H
#define WICK_RECORD_WAITS_WATCHER_H

#include "base/strbuf.h"
#include "perf/attrs.h"
#include "perf/wait_record.h"
#include "record/perf_events/sampler.h"
#include "record/waits/blocked.h"

/* How often something happens, and whether that is too often. */
struct watch_flood {
	uint64_t at, nr; /* session_now() of the last count, and that */
	unsigned times;	 /* how many times in a row there were too many since the one before */
};

struct watcher {
	/* Set by watcher_open(): */
	const struct attrs *attrs;
	size_t event;	   /* of the sampler, that records switches; SIZE_MAX: none */
	uint64_t id;	   /* in its records */
	struct strbuf *to; /* gets the records */
	uint64_t gap;	   /* between two rounds of looks, on average: ns */
	struct blocked_reader reader;
	/* Threads that are recorded; the table is by tid. */
	struct watched {
		pid_t pid, tid;
		uint64_t changed;     /* the time of its last switch */
		bool is_off;	      /* it was switched from, or not switched to yet */
		bool is_seen;	      /* … and has been looked at since */
		uint64_t delay_first; /* the kernel's account when the recording began: ns, … */
		uint64_t delay;	      /* … and at the last reading */
	} * thread;
	size_t nr, cap;
	uint32_t *slot; /* 1 + a thread; 0: empty */
	size_t nr_slot;
	size_t next_delay; /* the thread whose account is read next */
	uint64_t random;
	uint64_t next_round;	     /* session_now() */
	uint64_t last_round;	     /* that of the round before */
	double real_gap, round_cost; /* averages: ns */
	uint64_t delays_at;	     /* session_now() of the last reading of accounts */
	uint64_t nr_switch;
	struct watch_flood flood;		/* of them */
	uint64_t nr_refused[NR_BLOCKED_STATES]; /* looks, by why they were refused */
	bool is_stopped;			/* there were too many switches */
	bool is_paused; /* nothing is recorded now, so nothing is found out */
};

enum {
	/* Rounds of looks a second: where waits were asked for, and where not. */
	WATCH_RATE_ASKED = 500,
	WATCH_RATE = 100,
	/* More switches a second than this are not recorded where nobody asked for waits; on each CPU, where CPUs are sampled. */
	WATCH_SWITCHES_MAX = 20000,
	/*
	 * With more switches a second than this, tracepoints of the scheduler cost too much; on each
	 * CPU, where CPUs are sampled.
	 */
	WATCH_STACKS_MAX = 5000,
	/* The same for wakeups of the whole machine, without copies of stacks; on each CPU. */
	WATCH_WAKES_MAX = 50000,
	/* More threads than this are not looked at. */
	WATCHED_MAX = 64 * 1024,
};

/*
 * If the sampler records switches.  `to` gets records, and is emptied by whoever takes them.  It
 * is paused until watcher_start().
 */
void watcher_open(struct watcher *w, const struct sampler *s, unsigned rate, struct strbuf *to);
void watcher_start(struct watcher *w);
void watcher_close(struct watcher *w);

/*
 * A thread is one of those that are recorded.  WATCH_RUNNING: it was there before the recording;
 * WATCH_MET: since when is not known, or it was added before.
 */
enum watch_since { WATCH_RUNNING, WATCH_STARTED, WATCH_MET };
void watcher_add(struct watcher *w, pid_t pid, pid_t tid, enum watch_since since);
void watcher_remove(struct watcher *w, pid_t tid);

/* Is it a thread of that process that is recorded? */
bool watcher_knows(const struct watcher *w, pid_t pid, pid_t tid);

/* A switch was read, maybe not in the order of time, and maybe of somebody else. */
void watcher_switch(struct watcher *w, const struct record *r);

/* The same in its turn, of a thread that is recorded: it is added if it is new. */
void watcher_met(struct watcher *w, const struct record *r);

/* From here on, so many rounds of looks a second. */
void watcher_hurry(struct watcher *w, unsigned rate);

/* Looks, if it is time to; returns session_now() of when to call it again, 0: never. */
uint64_t watcher_tick(struct watcher *w, uint64_t now);

/* There have been nr by now: were there more than `most` a second lately?  Called often. */
bool watch_is_flooded(struct watch_flood *f, uint64_t nr, uint64_t now, size_t most);

/* The recording ends or pauses (WAIT_RECORD_END), or records no switches any more. */
void watcher_end(struct watcher *w, uint64_t now, enum wait_record_kind how);

#endif
