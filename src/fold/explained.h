/*
 * Which functions make the difference of two commands, how much of it each one makes, and how sure
 * that is.  Recorded runs tell a function's share of the CPU time of a side, timed runs how much that
 * is.  docs/bench.md has the method.
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
	double confidence; /* that of the ratio, too; 0.95: at most one comparison in twenty is wrong */
};

struct explained {
	const double *part;   /* set by the caller: as explaining.all, samples in the function */
	bool changed;	      /* by more than chance explains */
	double before, after; /* the CPU time of a run that the function takes */
	double share; /* of the difference of all CPU time; NAN if that may be none at all */
	double error; /* the true share is likely from share - error to share + error */
};

/*
 * Judges all functions with samples; they share none.  Returns how many times as many recorded runs
 * would find a function that makes all of the difference, 9 times in 10: up to 1 if there are enough, 0
 * if there is no difference to explain, and infinite if no number is enough.  It depends on the variation
 * between runs, not on the changes found: runs may be added until there are enough.
 */
double explain(const struct explaining *o, struct explained *function, size_t nr);

#endif
