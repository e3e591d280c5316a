/*
 * The loop of a recording: ring buffers are read, signals answered, and every
 * record is handed to the caller in the order of time, until the command ends,
 * or whoever is waited for, or the time is over, or a signal says so.
 *
 * Records of several processors are put in order by rounds (queue.h): a record
 * is handed on when every ring buffer was read once more after it came in.
 */
#ifndef WICK_RECORD_SESSION_H
#define WICK_RECORD_SESSION_H

#include "event/queue.h"
#include "record/sampler.h"
#include "record/signals.h"

/* Called with each record in its turn: decoded, with the number of its event, and its bytes. */
typedef int session_sink(void *arg, const struct record *r, size_t event, struct span bytes,
			 struct error *e);

/*
 * Called with each record but samples as soon as it is read, before its turn: the process or file
 * that it speaks of is more likely to be still there.
 */
typedef void session_watch(void *arg, const struct record *r);

struct session;

/* Called after each reading of the ring buffers, about ten times a second or more. */
typedef void session_tick(void *arg, const struct session *s);

struct session {
	/* Set by the caller. */
	struct sampler *sampler;
	const struct launch_signals *before; /* the caller took the signals, see signals.h */
	struct launch *launch; /* a command, whose end ends the recording; pid 0: none */
	const pid_t *wait_for; /* processes: the end of the last of them does so, too */
	size_t nr_wait_for;    /* 0: the recording does not end with any process */
	bool until_gone;       /* … but when the only task that the sampler has is gone */
	uint64_t begin;	       /* session_now(), before the command was let run */
	uint64_t delay;	       /* before the first sample: ns */
	uint64_t duration;     /* from the first sample on: ns; 0: no end */
	bool by_signal;	       /* SIGNAL_TOGGLE starts and pauses sampling */
	session_sink *sink;
	session_watch *watch; /* or NULL */
	session_tick *tick;   /* or NULL */
	void *arg;
	/* The result. */
	uint64_t nr_sample, nr_lost;
	uint64_t end;	  /* session_now() when it was over */
	bool interrupted; /* a signal like SIGINT came */
	/* Its own. */
	struct queue queue;
	int epoll, signals; /* descriptors */
	size_t nr_waiting;  /* of wait_for: those that still run */
	size_t nr_gone;	    /* ring buffers whose tasks have all ended */
	int nice;	    /* our own, before we raised it */
	bool raised;	    /* we have a real-time priority */
	bool ending;	    /* the loop ends after this round */
	bool sampling;	    /* with a delay or by_signal: samples are taken now */
	uint64_t started;   /* session_now() when samples were first taken; 0: not yet */
	int patience;	    /* how long to wait until the next reading: ms */
	/* What the last reading of the ring buffers brought: */
	bool news;    /* a process started, or mapped something */
	bool sampled; /* a sample */
	bool longer;  /* a sample that fills its copy: the stack may be longer */
};

/* Runs until the end, and hands on all records.  The sampler is stopped then, and not closed. */
int session_run(struct session *s, struct error *e);

/* CLOCK_MONOTONIC, as records have it: ns. */
uint64_t session_now(void);

#endif
