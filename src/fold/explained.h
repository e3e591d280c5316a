/*
 * How much of the difference of two commands one function makes, and how sure that is.  Recorded runs
 * tell its share of the CPU time of a side, timed runs how much that is.
 */
#ifndef WICK_FOLD_EXPLAINED_H
#define WICK_FOLD_EXPLAINED_H

#include <stddef.h>

struct explained_side {
	const double
		*cpu; /* CPU time of each timed run, in any unit; those of both sides are pairs */
	size_t nr_cpu;
	const double *part, *all; /* of each recorded run: samples in the function, and of all */
	size_t nr_run;
};

struct explained {
	double before, after; /* the CPU time of a run that the function takes */
	double share; /* of the difference of all CPU time; NAN if that may be none at all */
	double error; /* the true share is likely from share - error to share + error */
};

struct explained explained_by(const struct explained_side side[2], double confidence);

#endif
