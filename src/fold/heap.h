/*
 * The exact test of a frame's change.  The frame's samples of both sides are pooled in one heap:
 * without a change, which of them are after's is drawn at random.  How many that are is distributed
 * hypergeometrically for shares (Fisher's exact test), and binomially for rates.  A change means
 * other odds, from which the confidence interval is found.
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
	double low, high; /* the least and the most of nr that can be after's */
	double x;	  /* how many of nr are after's */
	double null;	  /* how many are expected to be, without a change; no integer */
	bool large;	  /* so many that the normal distribution is as good */
};

void heap_init(struct heap *h, const struct noise *n, const struct noise_item *item);

/* The variance of x when m is expected. */
double heap_variance(const struct heap *h, double m);

/* The chances of x or more (up), and of x or fewer (down), when m is expected. */
void heap_tails(const struct heap *h, double m, double *up, double *down);

/* The two-sided p-value: the chance of a split at least as uneven as this, without a change. */
double heap_chance(const struct heap *h);

#endif
