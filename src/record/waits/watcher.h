/*
 * Samples blocked threads during a recording, to learn what context switch records do not contain:
 *
 * - the state of each thread when the recording begins;
 * - where and why it is blocked (blocked.h).  Each round samples all blocked threads whose current
 *   wait was not sampled yet.  The times between rounds are exponentially distributed, so that no
 *   wait can be in step with them, and longer if a round takes too much CPU time.  A thread that
 *   waits for a lock with a known holder is sampled again when the holder is another thread, or has
 *   begun to wait itself; each round reads a few of these locks;
 * - how long it has run and waited for a CPU according to the kernel's accounting, read from time to time;
 * - if records were lost: that it has exited, and when it last existed.
 *
 * The results are records (perf/wait_record.h), which the session merges with the others by time.
 * Threads are neither stopped nor sent signals.
 */
#ifndef WICK_RECORD_WAITS_WATCHER_H
#define WICK_RECORD_WAITS_WATCHER_H

#include "base/strbuf.h"
#include "perf/attrs.h"
#include "perf/wait_record.h"
#include "record/perf_events/sampler.h"
#include "record/waits/blocked.h"

/* Detects events that occur too often. */
struct watch_flood {
	uint64_t at, nr; /* session_now() of the last check, and the count then */
	unsigned times;	 /* consecutive checks that exceeded the limit */
	double rate;	 /* rate at the last check: per second */
};

/* The kernel's accounting of a thread: ns since it started. */
struct account {
	uint64_t ran;
	uint64_t waited; /* for a CPU */
};

struct watcher {
	/* Set by watcher_open(): */
	const struct attrs *attrs;
	size_t event;	       /* the sampler's event that records switches; SIZE_MAX: none */
	uint64_t id;	       /* its ID in records */
	struct strbuf *to;     /* receives the records */
	uint64_t gap;	       /* mean time between two rounds: ns */
	enum wait_scope scope; /* set by the caller */
	bool is_traced;	       /* ptrace sampling: a thread in a ptrace stop is stopped by wick */
	struct blocked_reader reader;
	/* Recorded threads; the hash table is by tid. */
	struct watched {
		pid_t pid, tid;
		uint64_t changed; /* the time of its last switch */
		bool is_off;	  /* it is off CPU */
		bool is_seen;	  /* … and was sampled since */
		bool was_held;	  /* … when it waited for a lock with a known holder, … */
		pid_t holder; /* … which was this thread at the last sample; 0: unknown, … */
		uint64_t holder_changed; /* … and the holder's last switch was at this time */
		bool is_gone;		 /* it has exited, and a WAIT_RECORD_GONE was written */
		uint64_t existed;	 /* session_now() when find_exits() last found it alive */
		struct account first;	 /* at the beginning, … */
		struct account last;	 /* … and at the last reading */
	} * thread;
	size_t nr, cap;
	uint32_t *slot; /* 1 + a thread; 0: empty */
	size_t nr_slot;
	size_t next_account; /* the thread whose accounting is read next, … */
	size_t next_again;   /* … and whose lock */
	uint64_t random;
	uint64_t next_round; /* session_now() */
	uint64_t last_round; /* session_now() of the round before */
	/* Averages: time between rounds, and CPU time of a round: ns. */
	double real_gap, round_cost;
	uint64_t accounts_at; /* session_now() of the last reading of the accounting */
	bool has_lost;	      /* set by the caller: records were lost, perhaps of exits */
	uint64_t next_exits;  /* session_now() of the next search for lost exits */
	uint64_t nr_switch;
	struct watch_flood flood;		/* of switches */
	uint64_t nr_refused[NR_BLOCKED_STATES]; /* failed samples, by reason */
	bool is_paused;				/* the recording is paused */
	bool is_stopped;			/* … because there are too many switches, … */
	uint64_t resume_at;			/* … until session_now() is this */
	uint64_t nr_stop;			/* how often that happened */
	uint64_t began_at;			/* session_now() when recording began or resumed */
	uint64_t recorded;			/* how long it recorded until the last pause: ns */
	uint64_t cost;				/* CPU time that the last start and stop took: ns */
};

enum {
	/* Rounds per second if waits were requested, and otherwise. */
	WATCH_RATE_ASKED = 500,
	WATCH_RATE = 100,
	/*
	 * Switches per second (per CPU, if CPUs are sampled) above which waits are only recorded for a part of the
	 * time, so that no more than that are recorded, unless waits were requested.
	 */
	WATCH_SWITCHES_MAX = 20000,
	/*
	 * Switches per second (per CPU, if CPUs are sampled) above which the scheduler's tracepoints
	 * cost too much.
	 */
	WATCH_STACKS_MAX = 5000,
	/* The same for wakeups of the whole machine, without stack copies; per CPU. */
	WATCH_WAKES_MAX = 50000,
	/* Further threads are not sampled. */
	WATCHED_MAX = 64 * 1024,
};

/*
 * Has no effect unless the sampler records switches.  The watcher appends records to `to`, and the caller removes
 * them.  It is paused until watcher_start().
 */
void watcher_open(struct watcher *w, const struct sampler *s, unsigned rate, struct strbuf *to);
void watcher_start(struct watcher *w);
void watcher_close(struct watcher *w);

/*
 * Adds a target thread.  WATCH_RUNNING: it existed before the recording; WATCH_MET: it is not known when it
 * started, or it was already added.
 */
enum watch_since { WATCH_RUNNING, WATCH_STARTED, WATCH_MET };
void watcher_add(struct watcher *w, pid_t pid, pid_t tid, enum watch_since since);
void watcher_remove(struct watcher *w, pid_t tid);

/* Takes a switch: possibly out of order, and possibly of a thread that is not a target. */
void watcher_switch(struct watcher *w, const struct record *r);

/* The same for switches in order of time and of target threads, which are added if they are new. */
void watcher_met(struct watcher *w, const struct record *r);

/* Changes the number of rounds per second. */
void watcher_hurry(struct watcher *w, unsigned rate);

/* Runs a round if it is due; returns session_now() of the next call, 0: never. */
uint64_t watcher_tick(struct watcher *w, uint64_t now);

/* Does the recent rate of a count exceed `most` per second?  `nr` is the count so far.  To be called often. */
bool watch_is_flooded(struct watch_flood *f, uint64_t nr, uint64_t now, size_t most);

/* Reads the kernel's accounting of all threads, just before the recording ends. */
void watcher_take_accounts(struct watcher *w, uint64_t now);

/* The recording ends or pauses. */
void watcher_end(struct watcher *w, uint64_t now);

/*
 * watcher_stop() pauses because there are more than `most` switches per second.  When watcher_resumes() returns
 * true, the pause is over: the caller records switches again, and calls watcher_start().
 */
void watcher_stop(struct watcher *w, uint64_t now, size_t most);
bool watcher_resumes(struct watcher *w, uint64_t now);

#endif
