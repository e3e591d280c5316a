/*
 * Can a change be told from the noise of sampling?  docs/diff.md has the formulas, their
 * assumptions and their limits.  web/noise.js is the same for the page; tests/noise holds both to
 * one set of cases.
 *
 * A family is what is tested together: the frames of a tree, say.  Fill the first half of struct
 * noise, call noise_level(), and where a side has several runs, noise_spread(); then items can be
 * judged.
 */
#ifndef WICK_FOLD_NOISE_H
#define WICK_FOLD_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum noise_model {
	NOISE_SHARE, /* of all samples of a side: twice as many of everything is no change */
	NOISE_RATE,  /* samples in a time, or in as many runs: twice as many is a change */
};

/* A change that noise explains, or a real one. */
enum noise_verdict { NOISE_INSIDE, NOISE_MORE, NOISE_LESS };

/* Numbers of samples, not weights. */
struct noise_item {
	double count[2];   /* before, after */
	const double *run; /* the same by run, before's runs first; NULL: one run a side */
	bool same;	   /* another item has the very same samples: this is no further test */
};

struct noise {
	enum noise_model model;
	double confidence; /* 0.95: at most one family in twenty has a false claim */
	double total[2];   /* samples of a side */
	double time[2];	   /* for NOISE_RATE: in what time they were taken, in any unit */
	size_t nr_run[2];  /* with 2 or more, the spread between runs counts */
	const double *run; /* by run: its samples, or for NOISE_RATE its time */
	/* Made by noise_level() */
	double nr_test; /* how many tests share the allowed error, 1 - confidence */
	double level;	/* … so that a test may have this much: the largest p-value of a change */
	double z;	/* the normal quantile of level / 2 */
	/* Made by noise_spread() */
	bool spread;	   /* there are several runs, and the following is set */
	double typical;	   /* dispersion of a frame: variance between runs / variance of sampling */
	double typical_df; /* its degrees of freedom; infinite: all frames vary alike */
	double most_df;	   /* the most degrees of freedom that the runs give any estimate */
	double quantile
		[4]; /* Student's t, by which sides have samples: 1 before, 2 after, 3 both */
};

/* Do both sides have samples (and for rates, a time)?  If not, nothing else may be called. */
bool noise_can_tell(const struct noise *n);

/* Divides the allowed error, 1 - confidence, among the items that could pass a test at all. */
void noise_level(struct noise *n, const struct noise_item *item, size_t nr);

/*
 * Estimates how much the runs of a side differ.  parent[i] < i is the item that has all samples of
 * item i and more; item 0 has none.
 */
void noise_spread(struct noise *n, const struct noise_item *item, const uint32_t *parent,
		  size_t nr);

/* Uses the spread of another family of the same runs instead; the level must have been made. */
void noise_spread_like(struct noise *n, const struct noise *other);

/* How far from 0 a change may be by the spread between runs alone; only after noise_spread(). */
double noise_reach(const struct noise *n, const struct noise_item *item);

/* The p-value: how likely so large a difference is without a change, by sampling alone. */
double noise_chance(const struct noise *n, const struct noise_item *item);

enum noise_verdict noise_judge(const struct noise *n, const struct noise_item *item);

/* After less before: the difference of the shares, or for rates, relative to all of before's. */
double noise_change(const struct noise *n, const struct noise_item *item);

/* The confidence interval of the change; it has 0 in it exactly when the verdict is noise. */
void noise_interval(const struct noise *n, const struct noise_item *item, double *low,
		    double *high);

#endif
