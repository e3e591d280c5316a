/* wick diff: what changed between two sets of inputs. */
#ifndef WICK_CMD_DIFF_H
#define WICK_CMD_DIFF_H

#include "cmd/collapse.h"

struct diff_opts {
	struct collapse_opts in; /* what is read; its files are not used */
	const char *const *before, *const *after;
	size_t nr_before, nr_after;
	bool normalize; /* before is made to weigh what after does */
	bool strip_hex; /* addresses in names are all the same: 0x... */
};

struct diff_result {
	struct profile p; /* events before and after */
	unsigned spelling;
	size_t nr_line;
};

/*
 * Reads both sides into one profile with the events before and after, and writes it as
 * folded stacks with two counts.  The result must be released, also after -1.
 */
int diff(const struct diff_opts *o, struct diff_result *r, struct error *e);
void diff_release(struct diff_result *r);

int diff_main(int argc, char **argv);

#endif
