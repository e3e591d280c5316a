/* How the page that is read compared two recordings (docs/pack.md, section `v`): drawn again, it does so still. */
#ifndef WICK_READ_COMPARED_H
#define WICK_READ_COMPARED_H

#include "base/span.h"

/* A comparison of more runs is one of shares when it is drawn again. */
enum { COMPARED_RUNS_MAX = 256 };

struct compared {
	bool either;			    /* the wider side decides about widths */
	bool not_normalized;		    /* weights are held against each other, not shares */
	bool in_time;			    /* … as if both had taken the same time */
	double confidence;		    /* 0: nothing is said */
	size_t nr_run[2];		    /* runs whose times are told, of each side */
	double run_time[COMPARED_RUNS_MAX]; /* seconds, before's first */
};

/* Takes a setting of the view; what makes no sense is passed over. */
void compared_set(struct compared *c, struct span key, struct span value);

/* Are the times there that the comparison needs? */
bool compared_has_times(const struct compared *c);

#endif
