#include "fold/steady.h"

#include "base/alloc.h"
#include "base/chance.h"

#include <math.h>
#include <stdlib.h>

enum {
	FEWEST = 5,	   /* fewest measurements to search for outliers */
	FEWEST_TREND = 10, /* … and a trend */
};

static const double FENCE = 3;		 /* interquartile ranges above the upper quartile */
static const double LEAST = 0.02;	 /* smaller deviations from the median are never reported */
static const double TREND_LEVEL = 0.001; /* the largest p-value of a trend */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double *sorted(const double *value, size_t nr)
{
	double *copy = xcalloc(nr + 1, sizeof(*copy));

	for (size_t i = 0; i < nr; i++)
		copy[i] = value[i];
	qsort(copy, nr, sizeof(*copy), ascending);
	return copy;
}

static double quantile(const double *in_order, size_t nr, double q)
{
	double at = q * (double)(nr - 1);
	size_t i = (size_t)at;

	return i + 1 < nr ? in_order[i] + (at - (double)i) * (in_order[i + 1] - in_order[i])
			  : in_order[nr - 1];
}

double quantile_of(const double *value, size_t nr, double q)
{
	double *in_order = sorted(value, nr), found = nr ? quantile(in_order, nr, q) : 0;

	free(in_order);
	return found;
}

double median_of(const double *value, size_t nr)
{
	return quantile_of(value, nr, 0.5);
}

/* Kendall's test: do more pairs go up than down (or the reverse) than chance explains? */
static bool has_trend(const double *value, size_t nr)
{
	double up = 0, n = (double)nr;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = i + 1; k < nr; k++)
			up += (value[k] > value[i]) - (value[k] < value[i]);
	return 2 * normal_tail(fabs(up) / sqrt(n * (n - 1) * (2 * n + 5) / 18)) <= TREND_LEVEL;
}

/* Limit of measurements compared in pairs: of more, every second, third, … one is used. */
enum { TREND_MOST = 1000 };

static double drift_of(const double *value, size_t nr)
{
	size_t step = nr / TREND_MOST + 1, n = 0;
	double *some, first, last, drift = 0;

	if (nr < FEWEST_TREND)
		return 0;
	some = xcalloc(nr, sizeof(*some));
	for (size_t i = 0; i < nr; i += step)
		some[n++] = value[i];
	first = median_of(some, n / 3);
	last = median_of(some + n - n / 3, n / 3);
	if (first > 0 && fabs(last / first - 1) >= LEAST && has_trend(some, n))
		drift = last / first - 1;
	free(some);
	return drift;
}

struct steady steady_judge(const double *value, size_t nr)
{
	struct steady s = { 0 };
	double *in_order, median, fence;

	if (nr < FEWEST)
		return s;
	in_order = sorted(value, nr);
	median = quantile(in_order, nr, 0.5);
	fence = quantile(in_order, nr, 0.75) +
		FENCE * (quantile(in_order, nr, 0.75) - quantile(in_order, nr, 0.25));
	fence = fmax(fence, median * (1 + LEAST));
	s.is_cold = value[0] > fence;
	s.first = median > 0 ? value[0] / median - 1 : 0;
	for (size_t i = s.is_cold; i < nr; i++)
		s.nr_outlier += value[i] > fence;
	free(in_order);
	s.drift = drift_of(value + s.is_cold, nr - s.is_cold);
	return s;
}
