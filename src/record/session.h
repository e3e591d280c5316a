/*
 * A recording while it lasts: rings are emptied, signals answered, and every
 * record given on in the order of time.
 */
#ifndef WICK_RECORD_SESSION_H
#define WICK_RECORD_SESSION_H

#include "event/queue.h"
#include "record/sampler.h"
#include "record/signals.h"

/* Is given each record, in order, with the number of its event, and as the kernel wrote it. */
typedef int session_sink(void *arg, const struct record *r, size_t event, struct span bytes,
			 struct error *e);

/* Is given each as it comes in, before its turn: who is told of may still be there. */
typedef void session_watch(void *arg, const struct record *r);

struct session;

/* Is called several times a second. */
typedef void session_tick(void *arg, const struct session *s);

struct session {
	/* Set by the caller. */
	struct sampler *sampler;
	const struct launch_signals *before;
	struct launch *launch; /* whose end ends all; or pid is 0 */
	const pid_t *wait_for; /* … or the end of all of these; none: nobody's */
	size_t nr_wait_for;
	uint64_t begin;		  /* session_now(), before the command was let run */
	uint64_t duration, delay; /* ns; 0: none */
	bool by_signal;		  /* sampling begins, and pauses, with SIGNAL_TOGGLE */
	bool until_gone;	  /* … or the end of the only task there is */
	session_sink *sink;
	session_watch *watch; /* or NULL */
	session_tick *tick;   /* or NULL */
	void *arg;
	/* Told. */
	uint64_t nr_sample, nr_lost;
	uint64_t end;
	bool interrupted; /* somebody wanted it to end, by a signal */
	/* Its own. */
	struct queue queue;
	int epoll, signals;
	size_t nr_waiting;
	size_t nr_gone;
	int nice; /* what it was before */
	bool ending, raised, sampling;
	bool news;	  /* somebody started, or mapped something, since the last look */
	bool sampled;	  /* there was a sample since the last look */
	bool longer;	  /* a copy was full in this one: the stack may be longer */
	int patience;	  /* ms until the next one */
	uint64_t started; /* when that was first; 0: not yet */
};

/* Runs until the end. */
int session_run(struct session *s, struct error *e);

/* CLOCK_MONOTONIC, as records have it: ns. */
uint64_t session_now(void);

#endif
