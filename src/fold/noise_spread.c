/* The variation between the runs of a side, which is mostly larger than sampling explains. */
#include "base/alloc.h"
#include "base/chance.h"
#include "fold/noise.h"

#include <math.h>
#include <stdlib.h>

/*
 * Which sides can vary between runs: bit 0 before, bit 1 after.  A frame with none or all samples of a side cannot
 * vary there.
 */
static unsigned sides_of(const struct noise *n, const struct noise_item *item)
{
	unsigned sides = 0;

	for (int k = 0; k < 2; k++)
		if (item->count[k] > 0 && (n->model == NOISE_RATE || item->count[k] < n->total[k]))
			sides |= 1u << k;
	return sides;
}

/* The degrees of freedom of these sides. */
static double df_of(const struct noise *n, unsigned sides)
{
	double df = 0;

	for (int k = 0; k < 2; k++)
		if (sides & 1u << k)
			df += (double)n->nr_run[k] - 1;
	return df;
}

/*
 * Pearson's chi-squared: the squared deviations of runs from the share of their side, each divided by its sampling
 * variance.  Measurements have no sampling variance: their deviations are relative to their size.
 */
static double sum_of_squares(const struct noise *n, const struct noise_item *item)
{
	const double *size = n->run, *run = item->run;
	double sum = 0;

	for (int k = 0; k < 2; k++) {
		double whole = n->model == NOISE_SHARE ? n->total[k] : n->time[k];
		double p = item->count[k] / whole;
		double rest = n->model == NOISE_SHARE ? 1 - p : 1;

		for (size_t i = 0; i < n->nr_run[k]; i++, size++, run++) {
			double far = *run - *size * p, unit = *size * p * rest;

			if (unit > 0)
				sum += far * far / (n->measured ? unit * unit : unit);
		}
	}
	return sum;
}

/* With fewer samples per run, chi-squared is not a good estimate. */
static const double ENOUGH_IN_A_RUN = 5;

/* Smaller values are rounding errors of measurements that never vary. */
static const double VARIES = 1e-20;

static bool shows_spread(const struct noise *n, const struct noise_item *item)
{
	if (n->measured)
		return !item->same && sides_of(n, item) == 3 && sum_of_squares(n, item) > VARIES;
	for (int k = 0; k < 2; k++) {
		double least = ENOUGH_IN_A_RUN * (double)n->nr_run[k];

		if (item->count[k] < least ||
		    (n->model == NOISE_SHARE && n->total[k] - item->count[k] < least))
			return false;
	}
	return !item->same;
}

/* The number of frames that show the spread and have no callee that does: these share no samples. */
static size_t nr_disjoint(const bool *shows, const uint32_t *parent, size_t nr)
{
	bool *covered = xcalloc(nr, sizeof(*covered));
	size_t disjoint = 0;

	for (size_t i = nr; i-- > 0;) {
		disjoint += shows[i] && !covered[i];
		if ((shows[i] || covered[i]) && i)
			covered[parent[i]] = true;
	}
	free(covered);
	return disjoint;
}

/* Replaces 0, which has no logarithm: the dispersion of a frame that never varied. */
static const double DISPERSION_LEAST = 1e-3;

static void set_quantiles(struct noise *n)
{
	for (unsigned sides = 0; sides < 4 && n->spread; sides++) {
		double df = fmin(n->most_df, n->typical_df + df_of(n, sides));

		n->quantile[sides] = student_quantile(n->level / 2, fmax(1, df));
	}
}

/*
 * Frames vary to different degrees, and a few runs say little about the variation of one frame.  So its own
 * dispersion is averaged with the typical one, weighted by their degrees of freedom.  Those of the typical one
 * follow from how similar the dispersions of all frames are: from the mean and the variance of their logarithms
 * (Smyth 2004).
 */
void noise_spread(struct noise *n, const struct noise_item *item, const uint32_t *parent, size_t nr)
{
	double df = df_of(n, 3), mean = 0, squares = 0, sum = 0, excess;
	bool *shows = xcalloc(nr, sizeof(*shows));
	size_t used = 0;

	n->spread = df > 0;
	for (size_t i = 0; i < nr && n->spread; i++) {
		double s, l, d;

		shows[i] = shows_spread(n, &item[i]);
		if (!shows[i])
			continue;
		s = sum_of_squares(n, &item[i]) / df;
		l = log(n->measured ? s : fmax(s, DISPERSION_LEAST));
		used++;
		d = l - mean;
		mean += d / (double)used;
		squares += d * (l - mean);
		sum += s;
	}
	n->typical = n->measured ? 0 : 1;
	n->typical_df = 0;
	n->most_df = df;
	if (used >= 3) {
		excess = squares / (double)(used - 1) - trigamma(df / 2);
		n->most_df = df * (double)nr_disjoint(shows, parent, nr);
		if (excess > 1e-8) {
			n->typical_df = 2 * trigamma_inverse(excess);
			n->typical = exp(mean - digamma(df / 2) + log(df / 2) +
					 digamma(n->typical_df / 2) - log(n->typical_df / 2));
		} else {
			n->typical_df = INFINITY;
			n->typical = sum / (double)used;
		}
	}
	set_quantiles(n);
	free(shows);
}

void noise_spread_like(struct noise *n, const struct noise *other)
{
	n->spread = other->spread;
	n->typical = other->typical;
	n->typical_df = other->typical_df;
	n->most_df = other->most_df;
	set_quantiles(n);
}

double noise_dispersion(const struct noise *n, const struct noise_item *item, double *df)
{
	double own = df_of(n, sides_of(n, item)), s = sum_of_squares(n, item);

	*df = fmax(1, fmin(n->most_df, n->typical_df + own));
	if (isinf(n->typical_df) || n->typical_df + own <= 0)
		return n->typical;
	return (n->typical_df * n->typical + s) / (n->typical_df + own);
}

/* At least 1: runs never vary less than sampling does, unless measured. */
static double dispersion(const struct noise *n, const struct noise_item *item)
{
	double df;

	return fmax(n->measured ? 0 : 1, noise_dispersion(n, item, &df));
}

/* The sum of the squares of the sizes of a side's runs, as a share of the square of their sum. */
static double evenness(const struct noise *n, int side)
{
	const double *size = n->run + (side ? n->nr_run[0] : 0);
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n->nr_run[side]; i++) {
		sum += size[i];
		squares += size[i] * size[i];
	}
	return squares / (sum * sum);
}

/*
 * The variance of a share or a rate caused by time in the kernel, which depends on caches and memory.  More of that
 * time outside of a frame makes the share of the frame smaller.
 */
static double kernel_floor(const struct noise *n, const struct noise_item *item, int k, double size)
{
	bool share = n->model == NOISE_SHARE;
	double p = item->count[k] / size, own = item->kernel[k] / size;
	double inside = own * (share ? 1 - p : 1);
	double outside = share ? (n->kernel[k] / size - own) * p : 0;

	return NOISE_FLOOR_KERNEL * NOISE_FLOOR_KERNEL * (inside * inside + outside * outside);
}

double noise_reach(const struct noise *n, const struct noise_item *item)
{
	double sampling = 0, floor = 0, all = 0, reach;

	for (int k = 0; k < 2; k++) {
		double size = n->model == NOISE_SHARE ? n->total[k] : n->time[k];
		double p = item->count[k] / size, one = p * (n->model == NOISE_SHARE ? 1 - p : 1);

		sampling += n->measured ? one * one * evenness(n, k) : one / size;
		floor += NOISE_FLOOR_ODDS * one * NOISE_FLOOR_ODDS * one;
		one = NOISE_FLOOR_SHARE * (n->total[k] / size);
		floor += one * one + kernel_floor(n, item, k, size);
		all = fmax(all, n->total[k] / size);
	}
	if (n->spread)
		reach = n->quantile[sides_of(n, item)] * sqrt(dispersion(n, item) * sampling);
	else
		reach = n->z * sqrt(sampling + floor);
	reach += (n->missed + item->hidden) * all;
	return n->model == NOISE_RATE ? reach * (n->time[0] / n->total[0]) : reach;
}
