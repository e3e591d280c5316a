/*
 * A frame's samples of both sides are taken as one heap: without a change, which of them are
 * after's is drawn blindly.  That distribution is hypergeometric for shares (Fisher's exact test), and
 * binomial for rates.  With a change it is the same with other odds, which gives the interval.
 *
 * docs/diff.md has the formulas; web/heap.js is the same for the page.
 */
#ifndef WICK_FOLD_HEAP_H
#define WICK_FOLD_HEAP_H

#include "fold/noise.h"

/* How many there are, and how they may lie. */
struct heap {
	enum noise_model model;
	double nr;	  /* samples of the frame on both sides */
	double size[2];	  /* samples or time of a side */
	double low, high; /* how many of them can be after's */
	double x;	  /* how many are */
	double null;	  /* how many would be, without a change */
	bool large;	  /* so many that the normal distribution is as good */
};

void heap_init(struct heap *h, const struct noise *n, const struct noise_item *item);

/* The variance of after's part when m of it are expected. */
double heap_variance(const struct heap *h, double m);

/* How likely x or more, and x or fewer, are when m are expected. */
void heap_tails(const struct heap *h, double m, double *up, double *down);

/* How likely it is to lie at least as unevenly as it does, without a change. */
double heap_chance(const struct heap *h);

#endif
