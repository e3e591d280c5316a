/*
 * A recording that is shown while it runs.  Three threads, each with its own profiles:
 *
 *	recorder   records, and hands over a copy of the new samples on request
 *	painter    once per interval, adds these to the sum, symbolizes it, and builds a picture
 *	viewer     the caller: takes the newest picture
 *
 * Only the painter waits for another thread.
 */
#ifndef WICK_CAPTURE_LIVE_H
#define WICK_CAPTURE_LIVE_H

#include "capture/capture.h"
#include "load/choose.h"
#include "tui/model.h"

struct live_opts {
	const struct capture_opts *capture;
	const struct choose_opts *choose; /* which events are shown */
	uint64_t interval;		  /* between two pictures: ns */
	uint64_t half_life; /* ns after which a sample counts half as much; 0: all count the same */
};

/* All samples up to some moment. */
struct live_picture {
	struct profile p;
	struct chosen chosen;
	struct model model;
	uint64_t nr_sample, nr_lost;
	uint64_t time;	    /* duration of the recording of these samples: ns */
	uint64_t half_life; /* as in live_opts */
};
void live_picture_free(struct live_picture *p);

struct live;

/* Returns when recording has begun; NULL: it failed.  The caller must have blocked signals. */
struct live *live_start(const struct live_opts *o, struct error *e);

/* A descriptor to poll: readable when there is a new picture, or when recording has ended. */
int live_fd(const struct live *l);

/* The newest picture, which becomes the caller's; NULL: there is none since the last call. */
struct live_picture *live_take(struct live *l);

/* Drops all samples so far: the next picture begins with none. */
void live_reset(struct live *l);

/* Changes the half-life from the next picture on.  Samples that count almost nothing are dropped. */
void live_fade(struct live *l, uint64_t half_life);

/* Has the recording ended, because the target exited or by a signal? */
bool live_ended(struct live *l);

/* Is the target sampled by ptrace?  Then wick must not be suspended: a thread could stay stopped. */
bool live_is_traced(struct live *l);

/* Ends the recording and frees l; the target keeps running.  -1: the recording failed. */
int live_stop(struct live *l, struct error *e);

#endif
