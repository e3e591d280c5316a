/* What changed by more than noise, as a table for people. */
#ifndef WICK_CMD_DIFF_REPORT_H
#define WICK_CMD_DIFF_REPORT_H

#include "cmd/diff.h"

struct diff_report_opts {
	unsigned most;	   /* rows of a table */
	bool fails;	   /* there is a limit: */
	double fail_above; /* how much a function may grow, as a fraction of the total */
};

/*
 * Prints the report on standard output.  Returns 0; 1 if a function grew by more than the limit,
 * which is also said on standard error; or -1.
 */
int diff_report(const struct diff_opts *o, const struct diff_result *r,
		const struct diff_report_opts *how, struct error *e);

#endif
