/* The samples of a thread of a Firefox Profiler profile: their weights and times. */
#ifndef WICK_READ_FIREFOX_FIREFOX_SAMPLES_H
#define WICK_READ_FIREFOX_FIREFOX_SAMPLES_H

#include "read/firefox/firefox.h"

struct firefox_samples {
	int64_t start;	       /* base of all times: ns since 1970; 0: unknown */
	const char *unit;      /* of CPU time; NULL: unknown */
	struct source *source; /* the text that contains them */
	const char *end;
	/* Of the thread, if wick wrote the file; times as weights are then in ns. */
	struct span event, event_unit;
	struct span source_word; /* "measured", "sampled"; "": by their durations */
	uint64_t period;	 /* of sums of samples; 0: each is one sample */
	enum extent extent;	 /* of samples that are intervals */
};

/* The name of the unit of CPU time in the profile. */
void firefox_samples_unit(struct firefox_samples *s, struct span unit);

/* A time of the profile, in ns; 0: it is invalid or missing. */
uint64_t firefox_samples_time(const struct firefox_samples *s, int64_t since);

/*
 * Counts the samples of the thread, whose position is in `own`: by their weights as one event, and by
 * the CPU time since the previous sample as another.
 */
int firefox_samples_count(const struct firefox_samples *s, const struct firefox_frames *f,
			  const struct firefox_tables *own, struct error *e);

#endif
