/* The messages of wick record, during the recording and at its end. */
#ifndef WICK_CMD_RECORD_RECORD_SUMMARY_H
#define WICK_CMD_RECORD_RECORD_SUMMARY_H

#include "capture/capture.h"
#include "cmd/print_notes.h"
#include "cmd/wait_summary.h"

enum {
	/*
	 * A sampling rate that catches most short threads; a higher one would itself cost too much.
	 */
	MANY_SAMPLES = 20000,
	/* Fewer missing samples than this may be chance, and are not reported. */
	FEW_SAMPLES = 20,
	/* CPU time in the kernel that is worth a mention: ns. */
	SOME_KERNEL_NS = 10 * 1000 * 1000,
	/* Events listed by name; further ones are only counted, since a pattern may match hundreds. */
	NAMED_MAX = 6,
};

/* A progress line on the terminal, if no command uses the terminal. */
struct record_line {
	bool on;       /* set by the caller */
	bool shown;    /* there is a line to erase */
	uint64_t last; /* session_now() when it was last shown */
	uint64_t nr;   /* the number of samples then */
};

/* A session_tick; the argument is a struct record_line. */
void record_line_show(void *line, const struct session *s);
void record_line_end(struct record_line *l);

/* "1,234 samples of cpu-clock in 1.25 s", and the fallback if perf events were refused. */
void record_print_samples(const struct capture *c, const struct capture_opts *o);

/*
 * "10.0 s: 3.1 s CPU, 5.9 s waiting (4.2 s lock, 1.7 s disk), 1.0 s waiting for a CPU; see …": the
 * time of all threads.  shows: the command that draws the waits; NULL: the picture shows them.
 */
void record_print_waits(const struct capture *c, const char *shows);

/* The same for the profile, so that reports of it have that line, too. */
struct wait_summary record_wait_summary(const struct capture *c);

/* Are there waits worth drawing, although nothing ran long enough for a sample? */
bool record_has_waited(const struct capture *c);

/* "missing: …": what the machine refused, was lost or was not requested, in one line, with the fix. */
void record_print_missing(const struct capture *c, const struct capture_opts *o,
			  enum note_detail how);

/*
 * The stacks reached their memory limit: reports how many samples are in the picture, and where the
 * others are.  spilled: in a separate file; else `data` was requested and has all samples.
 */
void record_print_full(const struct capture *c, size_t memory, const char *picture,
		       const char *data, bool spilled);

/*
 * no_samples.c: sets the error for a recording without samples, with the cause and a fix.  Always
 * -1.
 */
/* can_repeat: the command line has --runs. */
int record_nothing(const struct capture *c, const struct capture_opts *o, bool can_repeat,
		   struct error *e);

#endif
