/*
 * Whether a change can be told from the noise of sampling: docs/diff.md has the formulas, their
 * assumptions and their limits.  web/noise.js is the same for the page; tests/noise holds both to one
 * set of cases.
 *
 * A family is all that is tested together, the frames of a tree say.  Its level is made first
 * (noise_level), then, where a side has several runs, the spread between them (noise_spread).
 */
#ifndef WICK_FOLD_NOISE_H
#define WICK_FOLD_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum noise_model {
	NOISE_SHARE, /* of all samples of a side: a whole that grows is no change */
	NOISE_RATE,  /* samples in a time, or in as many runs: it is */
};

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
	double time[2];	   /* of NOISE_RATE: in what time they were taken */
	size_t nr_run[2];  /* with 2 or more, the spread between runs counts */
	const double *run; /* by run: its samples, or for NOISE_RATE its time */
	/* Made by noise_level() */
	double nr_test; /* what the confidence is divided among */
	double level;	/* 1 - confidence of a single test */
	double z;	/* the normal quantile of level / 2 */
	/* Made by noise_spread() */
	bool spread;
	double typical;	    /* dispersion: variance between runs / variance of sampling */
	double typical_df;  /* how much it is worth; infinite: all frames vary alike */
	double most_df;	    /* no estimate is worth more than what it is made of */
	double quantile[4]; /* Student's, by which sides have samples: 1 before, 2 after */
};

/* Is there anything to compare at all? */
bool noise_can_tell(const struct noise *n);

/* Divides what is left of certainty among the tests that could come out at all. */
void noise_level(struct noise *n, const struct noise_item *item, size_t nr);

/*
 * How much runs of a side differ.  An item that has a parent (an index below its own) is
 * part of it.
 */
void noise_spread(struct noise *n, const struct noise_item *item, const uint32_t *parent,
		  size_t nr);

/* Takes the spread that another family of the same runs showed. */
void noise_spread_like(struct noise *n, const struct noise *other);

/* How far a change may be off, as the runs differ. */
double noise_reach(const struct noise *n, const struct noise_item *item);

/* How likely a difference as large as this one is without a change, by sampling alone. */
double noise_chance(const struct noise *n, const struct noise_item *item);

enum noise_verdict noise_judge(const struct noise *n, const struct noise_item *item);

/* After less before: a share of 1, or of what before was in the same time. */
double noise_change(const struct noise *n, const struct noise_item *item);

/* Where the change is at the confidence of the family: 0 is not within exactly when it is judged a change. */
void noise_interval(const struct noise *n, const struct noise_item *item, double *low,
		    double *high);

#endif
