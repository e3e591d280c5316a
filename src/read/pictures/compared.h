/*
 * How a page shows a comparison of two recordings (docs/pack.md, section `v`), so that it can be read
 * and drawn again in the same way.
 */
#ifndef WICK_READ_PICTURES_COMPARED_H
#define WICK_READ_PICTURES_COMPARED_H

#include "base/span.h"

/* With more runs, their sizes are not stored, and shares are compared instead. */
enum { COMPARED_RUNS_MAX = 256 };

struct compared {
	bool either;	     /* a frame is as wide as its wider side, not as `after` */
	bool not_normalized; /* weights are compared, not shares of the total */
	bool in_time;	     /* … scaled as if both sides had run equally long */
	double confidence;   /* below 1; 0: not given */
	size_t nr_run[2];    /* runs with a size: before, after */
	double run_size[COMPARED_RUNS_MAX]; /* the divisors of their weights, before's first */
};

/* Reads one setting of the view; unknown keys and invalid values are ignored. */
void compared_set(struct compared *c, struct span key, struct span value);

/* Are weights divided by the sizes of runs, and does each side have them? */
bool compared_has_sizes(const struct compared *c);

#endif
