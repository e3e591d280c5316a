/*
 * How the page that is read shows a comparison of two recordings (docs/pack.md,
 * section `v`), so that it is drawn again in the same way.
 */
#ifndef WICK_READ_COMPARED_H
#define WICK_READ_COMPARED_H

#include "base/span.h"

/* If there are more runs, their times are not kept, and shares are compared instead. */
enum { COMPARED_RUNS_MAX = 256 };

struct compared {
	bool either;	     /* a frame is as wide as its wider side, not as `after` */
	bool not_normalized; /* weights are compared, not shares of the total */
	bool in_time;	     /* … scaled as if both sides had run equally long */
	double confidence;   /* below 1; 0: not given */
	size_t nr_run[2];    /* runs with a time: before, after */
	double run_time[COMPARED_RUNS_MAX]; /* their seconds, those of before first */
};

/* Takes one setting of the view; unknown keys and invalid values are ignored. */
void compared_set(struct compared *c, struct span key, struct span value);

/* Is it a comparison in the same time, and does each side have run times? */
bool compared_has_times(const struct compared *c);

#endif
