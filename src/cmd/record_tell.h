/* What wick record says, while it records and at the end. */
#ifndef WICK_CMD_RECORD_TELL_H
#define WICK_CMD_RECORD_TELL_H

#include "cmd/capture.h"
#include "cmd/tell.h"

/* As many a second meet most threads, and more take too much time themselves. */
enum { MANY_SAMPLES = 20000 };

/* A line on the terminal, where no command is there to write on it too. */
struct record_line {
	bool on, shown;
	uint64_t last; /* when it was shown */
	uint64_t nr;   /* samples there were then */
};

/* A session_tick. */
void record_line_show(void *line, const struct session *s);
void record_line_end(struct record_line *l);

/* "1 234 samples of cpu-clock in 1.25 s", and how they were taken where that is not the usual way. */
void record_tell_samples(const struct capture *c, const struct capture_opts *o);

/* "missing: …": what the machine refused, and what was lost; in one line, with what helps. */
void record_tell_missing(const struct capture *c, const struct capture_opts *o, enum tell how);

/*
 * The stacks took as much memory as they may: how many samples the picture has, and in which file the
 * others are, or (a file of its own was not needed) all.
 */
void record_tell_full(const struct capture *c, size_t memory, const char *picture, const char *data,
		      bool spilled);

/* record_nothing.c: says why there is nothing to show; can_repeat: there is --runs. */
int record_nothing(const struct capture *c, const struct capture_opts *o, bool can_repeat,
		   struct error *e);

#endif
