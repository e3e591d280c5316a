/*
 * The main loop of a recording: reads ring buffers, handles signals, and passes every record to the
 * caller in order of time, until the command or the awaited processes end, the time is over, or a
 * signal ends it.
 *
 * Records of several CPUs are sorted in rounds (queue.h): a record is passed on when every ring
 * buffer was read once more after it was read.
 */
#ifndef WICK_RECORD_SESSION_H
#define WICK_RECORD_SESSION_H

#include "perf/queue.h"
#include "record/launch/signals.h"
#include "record/perf_events/drain.h"
#include "record/perf_events/sampler.h"

/* Called for each record in order of time: decoded, with the number of its event, and its bytes. */
typedef int session_sink(void *arg, const struct record *r, size_t event, struct span bytes,
			 struct error *e);

/*
 * Called for each record except samples as soon as it is read, before its turn: the process or file
 * that it refers to is more likely to still exist.
 */
typedef void session_watch(void *arg, const struct record *r);

struct session;

/* Called after each reading of the ring buffers, about ten times a second or more. */
typedef void session_tick(void *arg, const struct session *s);

struct session {
	/* Set by the caller. */
	struct sampler *sampler;
	const struct launch_signals *before; /* from signals_take(), called by the caller */
	struct launch *launch; /* the command, whose end ends the recording; pid 0: none */
	const pid_t *wait_for; /* processes: the exit of the last one also ends the recording */
	size_t nr_wait_for;    /* 0: the recording does not end with any process */
	bool until_gone;       /* … but when the sampler's only task has exited */
	uint64_t begin;	       /* session_now() before the command's exec */
	uint64_t delay;	       /* before the first sample: ns */
	uint64_t duration;     /* from the first sample on: ns; 0: no end */
	bool by_signal;	       /* SIGNAL_TOGGLE starts and pauses sampling */
	session_sink *sink;
	session_watch *watch; /* or NULL */
	session_tick *tick;   /* or NULL */
	void *arg;
	/* Changed by the caller's tick(): */
	struct strbuf *own; /* the caller's own records, which are sorted like others; or NULL */
	/* The next tick must not be later than this: session_now(); 0: any time. */
	uint64_t wake_at;
	/* The result. */
	uint64_t nr_sample, nr_lost;
	uint64_t nr_switch_lost; /* at the end: records of context switches that were lost */
	uint64_t nr_wake[2];	 /* samples of wakeups, by enum sampler_whose */
	uint64_t end;		 /* session_now() at the end */
	bool interrupted;	 /* by a signal such as SIGINT */
	/* Private. */
	struct queue queue;
	/* RING_SAMPLES: started when wick is late to read them. */
	struct drain drain[NR_RING_KINDS];
	int epoll, signals; /* descriptors */
	int *pidfd;	    /* by process of wait_for; -1: it has ended */
	size_t nr_waiting;  /* of wait_for: those that still run */
	size_t nr_live;	    /* ring buffers whose tasks have not all ended */
	int nice;	    /* wick's own, before it was raised */
	bool ending;	    /* the loop ends after this round */
	bool sampling;	    /* with a delay or by_signal: samples are taken now */
	uint64_t started;   /* session_now() when samples were first taken; 0: not yet */
	int patience;	    /* how long to wait until the next reading: ms */
	bool has_lost;	    /* records of any kind were lost */
	bool loses;	    /* records were lost that check_losses() has not counted yet */
	uint64_t losses_at; /* session_now() when it last counted */
	bool is_over;	    /* all records have been read */
	/* Of the last reading of the ring buffers: */
	bool news;    /* a process started, or mapped something */
	bool sampled; /* there was a sample */
	bool longer;  /* a sample filled its stack copy: the stack may be longer */
};

/* Opens the descriptors of the main loop.  To be called before the command runs, since it may fail. */
int session_open(struct session *s, struct error *e);

/*
 * May enough files be opened to read programs and libraries while stacks are unwound?  Without
 * them, no stack would have a root.
 */
bool session_has_files(const struct session *s);

/* For a session that is open but not run. */
void session_close(struct session *s);

/* Runs until the end, passes on all records, and closes the session.  The sampler is then stopped, but not closed. */
int session_run(struct session *s, struct error *e);

/* CLOCK_MONOTONIC, the clock of records: ns. */
uint64_t session_now(void);

#endif
