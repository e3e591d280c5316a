/*
 * Which functions cause the difference between two commands, how much of it each one causes, and how certain that
 * is.  Recorded runs give a function's share of the CPU time of a side, timed runs the CPU time.  docs/bench.md
 * describes the method.
 */
#ifndef WICK_FOLD_EXPLAINED_H
#define WICK_FOLD_EXPLAINED_H

#include "fold/ratio.h"

#include <stdbool.h>
#include <stddef.h>

struct explaining {
	double cpu;	    /* CPU time of a run before, in any unit */
	struct ratio ratio; /* of the CPU time after to that */
	const double *all;  /* samples of each recorded run, those before first */
	size_t nr_run[2];   /* before, after */
	/* Also that of the ratio; 0.95: at most one comparison in twenty is wrong. */
	double confidence;
};

struct explained {
	const double *part;   /* set by the caller: as explaining.all, samples in the function */
	bool changed;	      /* by more than chance explains */
	double before, after; /* the CPU time of a run that the function takes */
	double share;	      /* share of the difference in CPU time; NAN: that may be 0 */
	double error;	      /* the true share is likely from share - error to share + error */
};

/*
 * Judges all functions with samples, none of which they share.  Returns how many times as many recorded runs are
 * needed to find, 9 times in 10, a function that causes the whole difference: at most 1 if there are enough runs, 0
 * if there is no difference to explain, infinite if no number is enough.  The result depends on the variation
 * between runs, not on the changes found, so runs may be added until there are enough.
 */
double explain(const struct explaining *o, struct explained *function, size_t nr);

#endif
