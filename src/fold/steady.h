/* Were measurements made under steady conditions?  docs/bench.md has the rules. */
#ifndef WICK_FOLD_STEADY_H
#define WICK_FOLD_STEADY_H

#include <stdbool.h>
#include <stddef.h>

struct steady {
	bool is_cold;	   /* the first is much larger: caches were cold */
	double first;	   /* … by so much, relative to the median: 0.3 is 30 % more */
	size_t nr_outlier; /* far above all others; the first does not count if it is_cold */
	double drift;	   /* the last third relative to the first: 0.05 is 5 % more; 0: no trend */
};

/* Measurements in the order of time. */
struct steady steady_judge(const double *value, size_t nr);

double median_of(const double *value, size_t nr);

/* The q-quantile: 0 to 1 */
double quantile_of(const double *value, size_t nr, double q);

#endif
