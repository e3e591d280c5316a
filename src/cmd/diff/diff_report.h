/* Significant changes as tables or JSON.  docs/diff.md. */
#ifndef WICK_CMD_DIFF_DIFF_REPORT_H
#define WICK_CMD_DIFF_DIFF_REPORT_H

#include "cmd/diff/diff.h"

enum diff_format { DIFF_TEXT, DIFF_MARKDOWN, DIFF_JSON };

struct diff_report_opts {
	enum diff_format format;
	unsigned most;	   /* rows per table; JSON has all */
	bool fails;	   /* there is a limit: */
	double fail_above; /* how much a function may grow, as a fraction of the total */
};

/*
 * Prints the report on standard output.  Returns 0; 1 if a function grew by more than the limit,
 * which is reported on standard error; or -1.
 */
int diff_report(const struct diff_opts *o, const struct diff_result *r,
		const struct diff_report_opts *how, struct error *e);

#endif
