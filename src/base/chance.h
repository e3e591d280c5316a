/*
 * Tail probabilities and quantiles of distributions.  web/chance.js computes the same with the same
 * steps, so the page and the report agree.
 */
#ifndef WICK_BASE_CHANCE_H
#define WICK_BASE_CHANCE_H

/* P(Z >= z) of the normal distribution. */
double normal_tail(double z);

/* The z >= 0 with that tail; tail is above 0 and at most 1/2. */
double normal_quantile(double tail);

/* P(T >= t) of Student's distribution; df > 0 need not be whole, t >= 0. */
double student_tail(double t, double df);

/* The t >= 0 with that tail; tail is above 0 and at most 1/2. */
double student_quantile(double tail, double df);

/* The derivatives of ln Γ(x), x > 0. */
double digamma(double x);
double trigamma(double x);

/* The x > 0 with trigamma(x) = y, y > 0. */
double trigamma_inverse(double y);

#endif
