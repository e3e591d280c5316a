/* wick diff: compares two sets of inputs. */
#ifndef WICK_CMD_DIFF_DIFF_H
#define WICK_CMD_DIFF_DIFF_H

#include "fold/changes.h"
#include "fold/roots.h"
#include "load/load.h"

struct diff_opts {
	struct load_opts in; /* how files are read; in.file is not used */
	struct choose_opts choose;
	const char *output; /* of folded stacks; NULL: standard output */
	const char *const *before, *const *after;
	size_t nr_before, nr_after;
	enum normalize normalize;
	bool strip_hex;		 /* hex numbers in names become 0x..., so that names match */
	bool counts_are_samples; /* counts without a unit (folded text) are samples */
	bool match_roots; /* match renamed processes (fold/roots.h), and functions with and without marks */
	bool judged; /* changes are compared with noise, so both sides need samples of the same kinds */
	bool set_apart;	   /* interrupts and preemption become separate events: fold/apart.h */
	double confidence; /* of claims about changes: 0 to 1 */
};

struct diff_result {
	struct profile p; /* two events, before and after; RUN_LABEL identifies the file */
	unsigned spelling;
	bool unmarked; /* a file has no function with a mark, as in `name_[k]` */
	enum change_basis basis;
	bool untold; /* a file does not say whether its counts are samples, such as folded stacks */
	bool other_event; /* the sides have different events */
	struct root_matches matches;
	double apart[2]; /* what was set apart, by side: samples, or amounts of another basis */
	/* By file, those of before first: seconds; 0: its samples have no timestamps. */
	double *run_time;
	double *period; /* … between counted samples, in ns for example; 0: unknown */
	/*
	 * By file: the divisor of its counts.  With NORMALIZE_DURATION its duration, in units of
	 * its period; with NORMALIZE_NONE its part of the side.  NULL: the same for all.
	 */
	double *run_size;
	size_t nr_run;	     /* files read */
	size_t nr_user_only; /* … of which have samples of user code only */
	bool no_kernel;	     /* some have, so that samples in the kernel are excluded */
	size_t nr_line;	     /* written */
};

/* The steps: reads both sides; writes them as folded stacks with two counts, and may scale r->p. */
int diff_read(const struct diff_opts *o, struct diff_result *r, struct error *e);
int diff_write(const struct diff_opts *o, struct diff_result *r, struct error *e);

/* Both steps.  The result must be released, even after -1. */
int diff(const struct diff_opts *o, struct diff_result *r, struct error *e);
void diff_release(struct diff_result *r);

int diff_main(int argc, char **argv);
extern const struct option_table diff_table;

#endif
