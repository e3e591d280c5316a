/* What really changed, as a table for people. */
#ifndef WICK_CMD_DIFF_REPORT_H
#define WICK_CMD_DIFF_REPORT_H

#include "cmd/diff.h"

struct diff_report_opts {
	unsigned most;	   /* rows of a table */
	bool fails;	   /* is there a limit? */
	double fail_above; /* a function may have got that much more, as a share of 1 */
};

/*
 * Prints the report on standard output.  Returns 0, 1 when something got more than the limit
 * allows (which standard error is told), or -1.
 */
int diff_report(const struct diff_opts *o, const struct diff_result *r,
		const struct diff_report_opts *how, struct error *e);

#endif
