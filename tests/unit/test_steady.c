/* Measurements under conditions that change. */
#include "fold/steady.h"

#include "base/alloc.h"
#include "base/seeded.h"

#include "tap.h"

#include <math.h>

enum { NR = 40 };

/* Around 100, 2 % apart. */
static void fill(double *value, size_t nr)
{
	struct seeded s = { .state = 3 };

	for (size_t i = 0; i < nr; i++)
		value[i] = 99 + (double)seeded_below(&s, 2001) / 1000;
}

int main(void)
{
	double value[NR], many[5000];
	struct steady s;

	fill(value, NR);
	s = steady_judge(value, NR);
	ok(!s.is_cold, "a first run like the others is not cold");
	is_int((intmax_t)s.nr_outlier, 0, "runs that are alike have no outlier");
	ok(s.drift == 0, "runs that are alike have no trend");

	value[0] = 150;
	value[7] = 120;
	s = steady_judge(value, NR);
	ok(s.is_cold, "a first run that takes half as long again is cold");
	ok(fabs(s.first - 0.5) < 0.02, "the first run is compared with the median");
	is_int((intmax_t)s.nr_outlier, 1,
	       "a cold first run is not counted as an outlier, another run is");
	ok(s.drift == 0, "a cold first run is no trend");

	fill(value, NR);
	for (size_t i = 0; i < NR; i++)
		value[i] *= 1 + 0.003 * (double)i;
	s = steady_judge(value, NR);
	ok(fabs(s.drift - 0.08) < 0.02, "a trend is measured from the first third to the last");

	fill(many, ARRAY_SIZE(many));
	s = steady_judge(many, ARRAY_SIZE(many));
	ok(s.drift == 0, "thousands of runs that are alike have no trend");
	for (size_t i = 0; i < ARRAY_SIZE(many); i++)
		many[i] *= 1 - 0.00002 * (double)i;
	s = steady_judge(many, ARRAY_SIZE(many));
	ok(s.drift < -0.05, "thousands of runs that get faster have a trend");

	s = steady_judge((double[]){ 900, 1, 1 }, 3);
	ok(!s.is_cold, "three runs are too few for a cold first run");
	s = steady_judge(NULL, 0);
	is_int((intmax_t)s.nr_outlier, 0, "no runs have no outlier");
	ok(median_of((double[]){ 3, 1, 2, 10 }, 4) == 2.5,
	   "the median of an even number of values is between the middle two");
	return done();
}
