/* The samples of a thread of a profile of the Firefox Profiler's: what they weigh, and when they were. */
#ifndef WICK_READ_FIREFOX_SAMPLES_H
#define WICK_READ_FIREFOX_SAMPLES_H

#include "read/firefox.h"

struct firefox_samples {
	int64_t start;	  /* all times are since then: ns since 1970; 0: unknown */
	const char *unit; /* of processor time; NULL: it is not told */
};

/* As the profile calls the unit of processor time. */
void firefox_samples_unit(struct firefox_samples *s, struct span unit);

/*
 * Counts those of the thread, whose samples are in `own`: by their weights as
 * one event, and by the processor time since the sample before as another.
 */
int firefox_samples_count(const struct firefox_samples *s, const struct firefox_frames *f,
			  const struct firefox_tables *own, struct error *e);

#endif
