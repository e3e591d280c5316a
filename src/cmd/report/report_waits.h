/*
 * Waits by function.  The leaf of each wait is its reason, so the self time of functions does not show where a
 * program waits: here, a wait counts for the function of the program that waits.
 */
#ifndef WICK_CMD_REPORT_REPORT_WAITS_H
#define WICK_CMD_REPORT_REPORT_WAITS_H

#include "base/intern.h"
#include "cmd/report/report_facts.h"

enum wait_cell { CELL_REASON, CELL_FUNCTION, CELL_MODULE, CELL_LOCK, NR_CELLS };

struct report_waits {
	struct intern cells; /* the texts of a row, each followed by a NUL */
	struct report_wait {
		uint32_t cells;
		weight_sum sum;
	} * row; /* the largest first, then by text */
	size_t nr, cap;
	weight_sum all;
};

/* Of the shown events; there may be none.  Needs report_waits_release(). */
void report_waits_find(struct report_waits *w, const struct report *r);
void report_waits_release(struct report_waits *w);

/*
 * The text of a row; "": unknown.  CELL_FUNCTION is the innermost function outside of the kernel and of
 * libc, if there is one, and CELL_MODULE its module.
 */
struct span report_wait_cell(const struct report_waits *w, const struct report_wait *row,
			     enum wait_cell cell);

#endif
