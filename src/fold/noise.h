/*
 * Is a change more than noise?  docs/diff.md has the formulas, their assumptions and their limits.
 * web/noise.js is the same for the page; tests/noise runs the same cases against both.
 *
 * A family is a set of items that are tested together, such as the frames of a tree.  Fill the
 * first half of struct noise, call noise_level() and, if a side has several runs, noise_spread();
 * then items can be judged.
 */
#ifndef WICK_FOLD_NOISE_H
#define WICK_FOLD_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How much recordings of one program vary beyond sampling, if there is one run per side: standard
 * deviations of a frame's odds, relative to them, of its share of the total, and of its time in the
 * kernel, relative to that.  docs/diff.md says how they were measured; web/noise.js has the same numbers.
 */
#define NOISE_FLOOR_ODDS   0.05
#define NOISE_FLOOR_SHARE  0.003
#define NOISE_FLOOR_KERNEL 0.5
#define NOISE_FLOOR_TEXT   "5 % of a share, 0.3 points, and 50 % of its time in the kernel"

enum noise_model {
	NOISE_SHARE, /* of all samples of a side: doubling everything is not a change */
	NOISE_RATE,  /* samples per time, or per run: doubling everything is a change */
};

/* A change within the noise, or a real one. */
enum noise_verdict { NOISE_INSIDE, NOISE_MORE, NOISE_LESS };

/* Numbers of samples, or measured values; never weights of samples. */
struct noise_item {
	double count[2];   /* before, after */
	double kernel[2];  /* … those whose leaf is a kernel function */
	double hidden;	   /* the share of a side whose truncated stacks may explain the change */
	const double *run; /* the same by run, before's runs first; NULL: one run per side */
	bool same;	   /* another item has exactly the same samples: not another test */
};

/* With fewer runs per side, the variance of measurements is too uncertain. */
enum { NOISE_MEASURED_RUNS = 3 };

struct noise {
	enum noise_model model;
	bool measured;	   /* not sampled: the only noise is the variation between runs */
	double confidence; /* 0.95: at most one family in twenty has a false claim */
	double total[2];   /* samples of a side */
	double kernel[2];  /* … those whose leaf is in the kernel */
	double missed;	   /* the share of its CPU time that a side did not sample */
	double time[2];	   /* for NOISE_RATE: the duration, in any unit */
	size_t nr_run[2];  /* with 2 or more, the variation between runs counts */
	const double *run; /* by run: its samples, or for NOISE_RATE its time */
	/* Set by noise_level() */
	double nr_test; /* the number of tests that share the allowed error, 1 - confidence */
	double level;	/* the part of each: the largest p-value of a significant change */
	double z;	/* the normal quantile of level / 2 */
	/* Set by noise_spread() */
	bool spread;	   /* there are several runs, and the following are set */
	double typical;	   /* dispersion of a frame: variance between runs / variance of sampling;
			      if measured, / the square of its odds (or of its rate) */
	double typical_df; /* its degrees of freedom; infinite: all frames vary to the same degree */
	double most_df;	   /* upper limit for the degrees of freedom of any estimate */
	double quantile
		[4]; /* Student's t, by which sides have samples: 1 before, 2 after, 3 both */
};

/*
 * Do both sides have samples (and for rates, a time), or measurements of enough runs?  If not, the
 * other functions must not be called.
 */
bool noise_is_testable(const struct noise *n);

/* Divides the allowed error, 1 - confidence, among the items that could pass a test at all. */
void noise_level(struct noise *n, const struct noise_item *item, size_t nr);

/*
 * Estimates the variation between the runs of a side.  parent[i] < i is the item that includes all
 * samples of item i; item 0 has none.
 */
void noise_spread(struct noise *n, const struct noise_item *item, const uint32_t *parent,
		  size_t nr);

/*
 * Uses the spread of another family of the same runs instead; noise_level() must have been called.
 */
void noise_spread_like(struct noise *n, const struct noise *other);

/*
 * Variance between runs / variance of sampling of one item, and the degrees of freedom of that
 * estimate; noise_spread() must have found several runs.
 */
double noise_dispersion(const struct noise *n, const struct noise_item *item, double *df);

/*
 * The largest change that can be explained by sampling, by the variation between runs (measured by noise_spread(),
 * or the floor if there is one run per side), by time that was not sampled and by truncated stacks.
 */
double noise_reach(const struct noise *n, const struct noise_item *item);

/* The p-value: the probability of a difference this large without a change, by sampling alone. */
double noise_chance(const struct noise *n, const struct noise_item *item);

enum noise_verdict noise_judge(const struct noise *n, const struct noise_item *item);

/* After minus before: the difference of the shares, or for rates, relative to before's total. */
double noise_change(const struct noise *n, const struct noise_item *item);

/* The confidence interval of the change; it contains 0 exactly if the verdict is noise. */
void noise_interval(const struct noise *n, const struct noise_item *item, double *low,
		    double *high);

#endif
