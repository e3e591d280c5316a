/* wick diff: what changed between two sets of inputs. */
#ifndef WICK_CMD_DIFF_H
#define WICK_CMD_DIFF_H

#include "cmd/collapse.h"
#include "fold/changes.h"

struct diff_opts {
	struct collapse_opts in; /* how each file is read; in.file is not used */
	const char *const *before, *const *after;
	size_t nr_before, nr_after;
	enum normalize normalize;
	bool strip_hex;		 /* hex numbers in names become 0x..., so that names match */
	bool counts_are_samples; /* counts without a unit (folded text) are samples */
	double confidence;	 /* of claims about changes: 0 to 1 */
};

struct diff_result {
	struct profile p; /* two events, before and after; RUN_LABEL tells files of a side apart */
	unsigned spelling;
	bool known;	  /* the numbers of samples are known on both sides */
	bool untold;	  /* a file does not say whether its counts are samples, as folded text */
	bool other_event; /* the sides are of different events */
	double *run_time; /* by file, those of before first: seconds; 0: its samples have no times */
	size_t nr_run;	  /* files read */
	size_t nr_line;	  /* written */
};

/* The steps: reads both sides; writes them as folded stacks with two counts.  Both also change r->p. */
int diff_read(const struct diff_opts *o, struct diff_result *r, struct error *e);
int diff_write(const struct diff_opts *o, struct diff_result *r, struct error *e);

/* Both steps.  The result must be released, also after -1. */
int diff(const struct diff_opts *o, struct diff_result *r, struct error *e);
void diff_release(struct diff_result *r);

int diff_main(int argc, char **argv);
extern const struct option_table diff_table;

#endif
