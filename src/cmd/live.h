/*
 * A recording that is looked at while it lasts.  One thread records, as always; a second one
 * takes what is new every so often, finds its names and makes a picture of everything so far; whoever
 * looks takes the newest.  Nobody waits for anybody, and no two see the same profile.
 */
#ifndef WICK_CMD_LIVE_H
#define WICK_CMD_LIVE_H

#include "cmd/capture.h"
#include "cmd/collapse.h"
#include "tui/model.h"

struct live_opts {
	const struct capture_opts *capture;
	const struct collapse_opts *choose; /* which events are shown */
	uint64_t interval;		    /* ns */
	uint64_t half_life; /* ns after which a sample counts half as much; 0: all count the same */
};

/* Everything up to a moment. */
struct live_picture {
	struct collapse_result read;
	struct chosen chosen;
	struct model model;
	uint64_t nr_sample, nr_lost;
	uint64_t time;	    /* ns that were recorded */
	uint64_t half_life; /* as in the options; 0: all count the same */
};

void live_picture_free(struct live_picture *p);

struct live;

/* Returns when it records, or NULL when it cannot.  Signals must be blocked. */
struct live *live_start(const struct live_opts *o, struct error *e);

/* Can be read when there is a new picture, or when it has ended. */
int live_fd(const struct live *l);

/* The newest picture, if there is one that was not taken yet; it is the caller's. */
struct live_picture *live_take(struct live *l);

/* The next picture begins with nothing. */
void live_reset(struct live *l);

/* From the next picture on, samples count half as much after so many ns; what counts nothing any more is forgotten. */
void live_fade(struct live *l, uint64_t half_life);

/* Has what was recorded ended, or somebody wanted it to? */
bool live_ended(struct live *l);

/* Threads are stopped to be looked at: whoever looks must not be stopped himself meanwhile. */
bool live_is_traced(struct live *l);

/* Ends it.  What was recorded runs on. */
int live_stop(struct live *l, struct error *e);

#endif
