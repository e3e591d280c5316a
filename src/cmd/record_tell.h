/* What wick record says, while it records and at the end. */
#ifndef WICK_CMD_RECORD_TELL_H
#define WICK_CMD_RECORD_TELL_H

#include "cmd/capture.h"
#include "cmd/tell.h"

enum {
	/* So many samples a second meet most short threads; more would themselves take too much time. */
	MANY_SAMPLES = 20000,
	/* Fewer samples than this may be missing by chance: nothing is said of them. */
	FEW_SAMPLES = 20,
	/* So many events are named, and the others counted: a pattern may stand for hundreds. */
	NAMED_MAX = 6,
};

/* A line on the terminal that tells how the recording goes, if no command has the terminal. */
struct record_line {
	bool on;       /* set by the caller */
	bool shown;    /* there is something to be wiped off */
	uint64_t last; /* session_now() when it was shown last */
	uint64_t nr;   /* how many samples there were then */
};

/* A session_tick; the argument is a struct record_line. */
void record_line_show(void *line, const struct session *s);
void record_line_end(struct record_line *l);

/* "1 234 samples of cpu-clock in 1.25 s", and how, where events were refused. */
void record_tell_samples(const struct capture *c, const struct capture_opts *o);

/* "missing: …": what the machine refused, and what was lost; in one line, with what helps. */
void record_tell_missing(const struct capture *c, const struct capture_opts *o, enum tell how);

/*
 * The stacks took as much memory as they may: how many samples are in the picture, and where the
 * others are.  spilled: in a file of their own; else `data` was asked for, and has all samples.
 */
void record_tell_full(const struct capture *c, size_t memory, const char *picture, const char *data,
		      bool spilled);

/* record_nothing.c: the error for a recording without samples: why, and what helps.  Always -1. */
/* can_repeat: the command line has --runs. */
int record_nothing(const struct capture *c, const struct capture_opts *o, bool can_repeat,
		   struct error *e);

#endif
