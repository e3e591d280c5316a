#include "fold/ratio.h"

#include "base/alloc.h"
#include "base/chance.h"
#include "base/seeded.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
	NR_RESAMPLE = 1000,
	NR_CHANCE = 4000, /* random outcomes of a test */
	EXACT = 11,	  /* up to this many coins, all outcomes are enumerated */
	TRIM = 4,	  /* 1 / TRIM of the measurements is trimmed at each end … */
	TRIM_FROM = 10,	  /* … if there are at least this many */
	GROUPS_MAX = 20,  /* most groups of consecutive measurements … */
	GROUPS_MIN = 5,	  /* … with fewer, groups are not used */
	BLOCK = 2,	  /* pairs whose order one random number decides: ABBA or BAAB */
	FEWEST = 3,	  /* fewest measurements with an interval */
};

/*
 * A change as large as the reach is found every other time, one of DETECTABLE[0] reaches 4 times in 5, if the next
 * comparison has the same reach.  That may be larger, especially with few measurements: so DETECTABLE[1] / n and
 * DETECTABLE[2] / n² are added, for n measurements.
 */
static const double DETECTABLE[] = { 1.5, 15, 120 };

/* The share of resamples outside of each range, at each end. */
static const double BODY = 0.05, TAIL = 0.001;

/* Estimates have errors themselves, so only this part of the allowed error is used. */
static const double CAREFUL = 0.8;

struct point {
	double value;
	size_t time; /* its index in the order of measurement */
};

/* The logarithms of measurements. */
struct series {
	struct point *point; /* ascending by value */
	size_t *drawn;	     /* by time: how often it is in the resample */
	size_t nr;
};

static int by_value(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void series_init(struct series *s, size_t nr)
{
	*s = (struct series){ .point = xcalloc(nr + 1, sizeof(*s->point)),
			      .drawn = xcalloc(nr + 1, sizeof(*s->drawn)) };
}

static void series_add(struct series *s, double value)
{
	s->drawn[s->nr] = 1;
	s->point[s->nr] = (struct point){ .value = value, .time = s->nr };
	s->nr++;
}

static void series_release(struct series *s)
{
	free(s->point);
	free(s->drawn);
}

/* How many measurements are trimmed at each end. */
static size_t nr_trimmed(size_t nr)
{
	return nr < TRIM_FROM ? 0 : nr / TRIM;
}

/* How many measurements the trimmed mean is the mean of. */
static size_t nr_kept(const struct series *s)
{
	return s->nr - 2 * nr_trimmed(s->nr);
}

/* The trimmed mean of the drawn measurements, nr in total. */
static double center_of(const struct series *s, size_t nr)
{
	size_t skip = nr_trimmed(nr), left = nr - 2 * skip, kept = left;
	double sum = 0;

	for (size_t i = 0; i < s->nr && left; i++) {
		size_t drawn = s->drawn[s->point[i].time], cut = drawn < skip ? drawn : skip;

		skip -= cut;
		drawn -= cut;
		drawn = drawn < left ? drawn : left;
		left -= drawn;
		sum += (double)drawn * s->point[i].value;
	}
	return kept ? sum / (double)kept : 0;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Groups of `size` consecutive measurements; the first one has `less` fewer, and the last one may have fewer. */
struct grouping {
	size_t nr, size, less;
};

static const struct grouping SINGLE = { .size = 1 };

/* The first block is a single pair. */
static const struct grouping BLOCKS = { .size = BLOCK, .less = BLOCK - 1 };

static size_t group_of(size_t time, struct grouping g)
{
	return (time + g.less) / g.size;
}

static struct grouping grouping_of(size_t nr, struct grouping g)
{
	g.nr = nr ? group_of(nr - 1, g) + 1 : 0;
	return g;
}

/* Groups of whole blocks, at most GROUPS_MAX. */
static struct grouping large_groups(size_t nr)
{
	struct grouping g = grouping_of(nr, BLOCKS);

	g.size = BLOCK * (g.nr / (GROUPS_MAX + 1) + 1);
	return grouping_of(nr, g);
}

/* Draws groups with replacement. */
static double resample(struct series *s, struct grouping g, struct seeded *chance)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		s->drawn[i] = 0;
	for (size_t i = 0; i < g.nr; i++) {
		size_t next = (seeded_below(chance, g.nr) + 1) * g.size - g.less;
		size_t first = next < g.size ? 0 : next - g.size, end = smaller(next, s->nr);

		for (size_t k = first; k < end; k++, nr++)
			s->drawn[k]++;
	}
	return center_of(s, nr);
}

/* One series, or two, of which the first is subtracted from the second. */
struct sides {
	struct series series[2];
	size_t nr;
};

static double difference(const double *center, size_t nr)
{
	return nr == 2 ? center[1] - center[0] : center[0];
}

static size_t fewest_of(const struct sides *s)
{
	return smaller(s->series[0].nr, s->series[s->nr - 1].nr);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The spread of resamples, as the standard deviation of a normal distribution with the same range: */
struct spread {
	double body; /* by the range of 90 % of them, which outliers do not widen */
	double tail; /* by the range of nearly all, which shows the effect of outliers */
};

static double spread_of(const double *in_order, double outside)
{
	size_t cut = (size_t)(outside * NR_RESAMPLE);

	return (in_order[NR_RESAMPLE - 1 - cut] - in_order[cut]) / 2 / normal_quantile(outside);
}

static struct spread bootstrap(struct sides *s, const struct grouping *g)
{
	struct seeded chance = { .state = 20 }; /* the same numbers give the same interval */
	double *found = xcalloc(NR_RESAMPLE, sizeof(*found));
	double fewest = (double)smaller(g[0].nr, g[s->nr - 1].nr);
	double few = sqrt(fewest / (fewest - 1));
	struct spread spread;

	for (size_t i = 0; i < NR_RESAMPLE; i++) {
		double drawn[2] = { 0 };

		for (size_t k = 0; k < s->nr; k++)
			drawn[k] = resample(&s->series[k], g[k], &chance);
		found[i] = difference(drawn, s->nr);
	}
	qsort(found, NR_RESAMPLE, sizeof(*found), ascending);
	spread = (struct spread){ few * spread_of(found, BODY), few * spread_of(found, TAIL) };
	free(found);
	return spread;
}

/*
 * Randomization tests, valid for any distribution.  They use ranks, so that neither outliers nor the steps of a
 * coarse clock matter.
 */

/* Stores the rank of each point in rank[], by time; points are ascending by `key`, and equal ones share a rank. */
static void find_ranks(const struct series *s, double (*key)(double), double *rank)
{
	size_t end;

	for (size_t i = 0; i < s->nr; i = end) {
		end = i + 1;
		while (end < s->nr && key(s->point[end].value) <= key(s->point[i].value))
			end++;
		for (size_t k = i; k < end; k++)
			rank[s->point[k].time] = (double)(i + end - 1) / 2 + 1;
	}
}

static double itself(double value)
{
	return value;
}

static int by_size(const void *a, const void *b)
{
	const struct point *x = a, *y = b;
	double from = fabs(x->value), to = fabs(y->value);

	return from < to ? -1 : from > to;
}

/* The sum with the i-th choice of signs: enumerates all choices if they are few, else picks a random one. */
static double turn_signs(const double *sum, size_t nr, size_t i, struct seeded *chance)
{
	double turned = 0;

	for (size_t k = 0; k < nr; k++)
		turned += (nr <= EXACT ? i >> k & 1 : seeded_below(chance, 2)) ? -sum[k] : sum[k];
	return turned;
}

/*
 * If two commands are the same, all signs of a block of pairs could as well be reversed, because a random number
 * decided the order.  Returns the probability that the signed ranks then add up to as much.
 */
static double chance_of_signs(struct series *s, struct grouping g)
{
	struct seeded chance = { .state = 21 };
	double *rank = xcalloc(s->nr, sizeof(*rank)), *sum = xcalloc(g.nr, sizeof(*sum));
	size_t nr_far = 0, nr_way = g.nr <= EXACT ? (size_t)1 << g.nr : NR_CHANCE;
	double all = 0;

	qsort(s->point, s->nr, sizeof(*s->point), by_size);
	find_ranks(s, fabs, rank);
	for (size_t i = 0; i < s->nr; i++) {
		const struct point *p = &s->point[i];
		double signed_rank = (p->value > 0) - (p->value < 0);

		signed_rank *= rank[p->time];
		sum[group_of(p->time, g)] += signed_rank;
		all += signed_rank;
	}
	for (size_t i = 0; i < nr_way; i++)
		nr_far += fabs(turn_signs(sum, g.nr, i, &chance)) >= fabs(all);
	free(rank);
	free(sum);
	return (double)nr_far / (double)nr_way;
}

/* The same for two sides: a measurement could as well belong to the other side. */
static double chance_of_sides(const struct sides *s)
{
	struct seeded chance = { .state = 22 };
	size_t nr_far = 0, first = s->series[0].nr, nr = first + s->series[1].nr;
	double *rank = xcalloc(nr, sizeof(*rank)), sum = 0;
	double expected = (double)first * (double)(nr + 1) / 2;
	struct series all;

	series_init(&all, nr);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < s->series[k].nr; i++)
			series_add(&all, s->series[k].point[i].value);
	qsort(all.point, all.nr, sizeof(*all.point), by_value);
	find_ranks(&all, itself, rank);
	for (size_t i = 0; i < first; i++)
		sum += rank[i];
	for (size_t i = 0; i < NR_CHANCE; i++) {
		size_t wanted = first;
		double drawn = 0;

		for (size_t k = 0; k < nr && wanted; k++)
			if (seeded_below(&chance, nr - k) < wanted) {
				drawn += rank[k];
				wanted--;
			}
		nr_far += fabs(drawn - expected) >= fabs(sum - expected);
	}
	series_release(&all);
	free(rank);
	return (double)nr_far / NR_CHANCE;
}

/* Is the probability that this many coins all fall alike at most `error`? */
static bool is_enough(size_t nr_coin, double error)
{
	return ldexp(1, 1 - (int)smaller(nr_coin, 100)) <= error;
}

/* Does chance alone produce such a difference with a probability above `error`? */
static bool may_be_chance(struct sides *s, double error)
{
	size_t nr = fewest_of(s);
	struct grouping blocks = grouping_of(nr, BLOCKS), single = grouping_of(nr, SINGLE);

	/* Too few to decide: all may be alike by chance. */
	if (!is_enough(nr, error))
		return false;
	/* With too few blocks, each pair counts as a block. */
	return (s->nr == 2
			? chance_of_sides(s)
			: chance_of_signs(&s->series[0],
					  is_enough(blocks.nr, error) ? blocks : single)) > error;
}

/* The true value is likely from center - reach to center + reach. */
struct estimate {
	double center, reach;
	double detectable; /* a change of this size is likely to be found */
};

/* The smallest difference between measurements: a coarse clock shows no smaller change. */
static double step_of(const struct sides *s)
{
	double step = INFINITY;

	for (size_t k = 0; k < s->nr; k++)
		for (size_t i = 1; i < s->series[k].nr; i++) {
			const struct point *p = &s->series[k].point[i];
			double gap = p[0].value - p[-1].value;

			if (gap > 0)
				step = fmin(step, gap);
		}
	return isfinite(step) ? step : 0;
}

static struct estimate estimate(struct sides *s, double confidence)
{
	double error = CAREFUL * (1 - confidence), centers[2] = { 0 }, factor;
	size_t last = s->nr - 1, kept, fewest = fewest_of(s);
	struct grouping single[2] = { 0 }, large[2] = { 0 };
	struct estimate e = { .reach = INFINITY, .detectable = INFINITY };
	struct spread spread;
	bool has_groups;

	for (size_t k = 0; k < s->nr; k++) {
		struct series *one = &s->series[k];

		qsort(one->point, one->nr, sizeof(*one->point), by_value);
		single[k] = grouping_of(one->nr, SINGLE);
		large[k] = large_groups(one->nr);
		centers[k] = center_of(one, one->nr);
	}
	e.center = difference(centers, s->nr);
	if (fewest < FEWEST)
		return e;
	kept = smaller(nr_kept(&s->series[0]), nr_kept(&s->series[last]));
	has_groups = smaller(large[0].nr, large[last].nr) >= GROUPS_MIN;
	/*
	 * With few measurements, the spread is itself uncertain: Student's distribution accounts for that.  If
	 * there are too few for groups, one degree of freedom less, in case their errors are correlated.
	 */
	factor = student_quantile(error / 2, (double)kept - (has_groups ? 1 : 2));
	spread = bootstrap(s, single);
	e.reach = factor * spread.body;
	e.detectable = factor * fmax(spread.body, spread.tail);
	if (has_groups) {
		factor = student_quantile(error / 2,
					  (double)smaller(large[0].nr, large[last].nr) - 1);
		spread = bootstrap(s, large);
		e.reach = fmax(e.reach, factor * spread.body);
		e.detectable = fmax(e.detectable, factor * fmax(spread.body, spread.tail));
	}
	e.detectable *=
		DETECTABLE[0] + (DETECTABLE[1] + DETECTABLE[2] / (double)fewest) / (double)fewest;
	e.detectable = fmax(e.detectable, step_of(s));
	return e;
}

/* If the difference may be chance, there is no verdict: the interval contains 0. */
static struct estimate compare(struct sides *s, double confidence)
{
	struct estimate e = estimate(s, confidence);
	double error = CAREFUL * (1 - confidence);

	/* Equal values have no spread, but few values may be equal by chance, and integers often are. */
	if (e.reach <= 1e-12 * fabs(e.center) &&
	    ldexp(1, 1 - (int)smaller(fewest_of(s), 100)) > 1 - confidence)
		e.reach = fabs(e.center);
	if (fabs(e.center) > e.reach && may_be_chance(s, error))
		e.reach = fabs(e.center);
	return e;
}

static struct ratio ratio_from(struct estimate e)
{
	return (struct ratio){
		.verdict = e.center > e.reach	 ? RATIO_MORE
			   : -e.center > e.reach ? RATIO_LESS
						 : RATIO_SAME,
		.value = exp(e.center),
		.low = exp(e.center - e.reach),
		.high = exp(e.center + e.reach),
		.detectable = expm1(e.detectable),
	};
}

/*
 * 0 has no logarithm: if there is one, half of the smallest positive measurement is added to all.  If all are 0,
 * any number works.
 */
static double offset_of(const double *value, size_t nr, double least)
{
	for (size_t i = 0; i < nr; i++)
		if (value[i] > 0 && (!(least > 0) || value[i] < least))
			least = value[i];
	return least;
}

static bool has_zero(const double *value, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!(value[i] > 0))
			return true;
	return false;
}

static double offset_of_both(const double *before, size_t nr_before, const double *after,
			     size_t nr_after)
{
	double least = offset_of(after, nr_after, offset_of(before, nr_before, 0));

	if (!has_zero(before, nr_before) && !has_zero(after, nr_after))
		return 0;
	return least > 0 ? least / 2 : 1;
}

struct ratio ratio_of_pairs(const double *before, const double *after, size_t nr, double confidence)
{
	double offset = offset_of_both(before, nr, after, nr);
	struct sides s = { .nr = 1 };
	struct ratio r;

	series_init(&s.series[0], nr);
	for (size_t i = 0; i < nr; i++)
		series_add(&s.series[0], log((after[i] + offset) / (before[i] + offset)));
	r = ratio_from(compare(&s, confidence));
	series_release(&s.series[0]);
	return r;
}

struct ratio ratio_of_sides(const double *before, size_t nr_before, const double *after,
			    size_t nr_after, double confidence)
{
	double offset = offset_of_both(before, nr_before, after, nr_after);
	struct sides s = { .nr = 2 };
	struct ratio r;

	series_init(&s.series[0], nr_before);
	series_init(&s.series[1], nr_after);
	for (size_t i = 0; i < nr_before; i++)
		series_add(&s.series[0], log(before[i] + offset));
	for (size_t i = 0; i < nr_after; i++)
		series_add(&s.series[1], log(after[i] + offset));
	r = ratio_from(compare(&s, confidence));
	series_release(&s.series[0]);
	series_release(&s.series[1]);
	return r;
}

double ratio_precision(const double *value, size_t nr, double confidence)
{
	double offset = offset_of_both(value, nr, value, nr);
	struct sides s = { .nr = 1 };
	double reach;

	series_init(&s.series[0], nr);
	for (size_t i = 0; i < nr; i++)
		series_add(&s.series[0], log(value[i] + offset));
	reach = estimate(&s, confidence).reach;
	series_release(&s.series[0]);
	return expm1(reach);
}
