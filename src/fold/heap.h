/*
 * The exact test of a frame's change.  The frame's samples of both sides are pooled in one heap: without a change,
 * it is random which of them belong to after.  Their number has a hypergeometric distribution for shares (Fisher's
 * exact test), and a binomial one for rates.  A change means other odds, from which the confidence interval is
 * found.
 *
 * docs/diff.md has the formulas; web/heap.js is the same for the page.
 */
#ifndef WICK_FOLD_HEAP_H
#define WICK_FOLD_HEAP_H

#include "fold/noise.h"

/* The pooled samples of one frame; all numbers of samples are integers in a double. */
struct heap {
	enum noise_model model;
	double nr;	  /* samples of the frame on both sides */
	double size[2];	  /* of a side: all of its samples, or for rates its time */
	double low, high; /* the smallest and the largest number of these that can be in after */
	double x;	  /* how many of these are in after */
	double null;	  /* its expected value without a change; not an integer */
	bool large;	  /* large enough for the normal distribution */
};

void heap_init(struct heap *h, const struct noise *n, const struct noise_item *item);

/* The variance of x if its expected value is m. */
double heap_variance(const struct heap *h, double m);

/* The probabilities of x or more (up), and of x or less (down), if its expected value is m. */
void heap_tails(const struct heap *h, double m, double *up, double *down);

/*
 * The two-sided p-value: the probability of a split at least as uneven as this, without a change.
 */
double heap_chance(const struct heap *h);

#endif
