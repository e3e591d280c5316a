/* wick diff: what changed between two sets of inputs. */
#ifndef WICK_CMD_DIFF_H
#define WICK_CMD_DIFF_H

#include "cmd/collapse.h"
#include "fold/changes.h"

struct diff_opts {
	struct collapse_opts in; /* what is read; its files are not used */
	const char *const *before, *const *after;
	size_t nr_before, nr_after;
	enum normalize normalize;
	bool strip_hex;		 /* addresses in names are all the same: 0x... */
	bool counts_are_samples; /* those of inputs that do not tell */
	double confidence;	 /* of what is said about changes */
};

struct diff_result {
	struct profile p; /* events before and after; counts of several files have a label each */
	unsigned spelling;
	bool known;  /* numbers of samples are, on both sides */
	bool untold; /* some file does not tell whether its counts are samples, as folded text */
	bool other_event; /* after counts another event than before */
	double *run_time; /* seconds of every file, before's first; 0: its samples have no times */
	size_t nr_run;	  /* read */
	size_t nr_line;	  /* written */
};

/* The steps: reads both sides, and writes them as folded stacks with two counts. */
int diff_read(const struct diff_opts *o, struct diff_result *r, struct error *e);
int diff_write(const struct diff_opts *o, struct diff_result *r, struct error *e);

/* Both steps.  The result must be released, also after -1. */
int diff(const struct diff_opts *o, struct diff_result *r, struct error *e);
void diff_release(struct diff_result *r);

int diff_main(int argc, char **argv);
extern const struct option_table diff_table;

#endif
