/*
 * The time of all threads by state, in one line, at the end of a recording and in brief reports: "10.0 s:
 * 3.1 s CPU, 5.9 s waiting (4.2 s lock, 1.7 s disk), 1.0 s waiting for a CPU".
 */
#ifndef WICK_CMD_WAIT_SUMMARY_H
#define WICK_CMD_WAIT_SUMMARY_H

#include "base/strbuf.h"
#include "ingest/waits.h"
#include "profile/profile.h"

struct wait_summary {
	struct wait_sums sums; /* nr_thread 0: unknown */
	bool knows_running;
	uint64_t elapsed;  /* ns; 0: unknown */
	uint64_t recorded; /* the part of that in which waits were recorded */
};

/* The time in which threads were blocked: without waiting for a CPU. */
uint64_t wait_sums_blocked(const struct wait_sums *s);

void wait_summary_add(struct strbuf *text, const struct wait_summary *s);

/* Adds what the counts of a profile do not contain as facts: times and the number of threads. */
void wait_summary_inform(struct profile *p, const struct wait_summary *s);

/*
 * Finds the summary of a profile that no filter has changed.  Without those facts, CPU time is that of
 * clocks, if there are any.  False: it has no waits.
 */
bool wait_summary_find(struct wait_summary *s, const struct profile *p);

#endif
