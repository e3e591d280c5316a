/*
 * Is `after` really less than `before`?  The ratio of repeated measurements, with a confidence
 * interval.  docs/bench.md has the method and its limits.
 *
 * Measurements are compared on a logarithmic scale, by their trimmed mean.  The interval is a
 * bootstrap over pairs, and another one over groups of consecutive pairs, since neighboring pairs
 * may share an error; the wider one counts.  A verdict also needs a randomization test of ranks,
 * which holds for any distribution.
 *
 * Pairs come in blocks of two, in the order ABBA or BAAB, chosen by a random number.  The first pair is
 * a block of its own, so that ten pairs have six random numbers: fewer cannot prove anything, since
 * five coins all fall alike in 6 % of cases.
 */
#ifndef WICK_FOLD_RATIO_H
#define WICK_FOLD_RATIO_H

#include <stddef.h>

enum ratio_verdict { RATIO_SAME, RATIO_LESS, RATIO_MORE };

struct ratio {
	enum ratio_verdict verdict;
	double value;	   /* after / before */
	double low, high;  /* its interval; 0 and infinite if there are too few measurements */
	double detectable; /* the smallest change that exceeds the noise: 0.012 is 1.2 % */
};

/*
 * The confidence to use for 95 % if measuring stops as soon as the interval is narrow: it may be narrow by chance,
 * and is then wrong more often.
 */
#define RATIO_UNTIL 0.98

/*
 * before[i] and after[i] are a pair: measured one right after the other, in random order.
 * Measurements are not negative.
 */
struct ratio ratio_of_pairs(const double *before, const double *after, size_t nr,
			    double confidence);

/* The same if the sides were measured independently. */
struct ratio ratio_of_sides(const double *before, size_t nr_before, const double *after,
			    size_t nr_after, double confidence);

/* How precisely the typical value of one side is known: half of its interval, as a share of it. */
double ratio_precision(const double *value, size_t nr, double confidence);

#endif
