/*
 * A frame's samples of both sides are taken as one heap: without a change, which of them are
 * after's is drawn blindly.  That distribution is hypergeometric for shares (Fisher's exact test), and
 * binomial for rates.  With a change it is the same with other odds, which gives the interval.
 */
#include "fold/noise.h"

#include "base/alloc.h"
#include "base/chance.h"

#include <math.h>
#include <stdlib.h>

/* The heap: how many there are, and how they may lie. */
struct heap {
	enum noise_model model;
	double nr;	  /* samples of the frame on both sides */
	double size[2];	  /* samples or time of a side */
	double low, high; /* how many of them can be after's */
	double x;	  /* how many are */
	double null;	  /* how many would be, without a change */
	bool large;	  /* so many that the normal distribution is as good */
};

/* From this variance on sums of single terms would only be slow. */
static const double VARIANCE_LARGE = 1e5;

/* The variance of after's part when m of it are expected. */
static double variance(const struct heap *h, double m)
{
	double rest = h->nr - m;

	if (m <= 0 || rest <= 0)
		return 0;
	if (h->model == NOISE_RATE)
		return m * rest / h->nr;
	if (h->size[1] - m <= 0 || h->size[0] - rest <= 0)
		return 0;
	return 1 / (1 / m + 1 / rest + 1 / (h->size[1] - m) + 1 / (h->size[0] - rest));
}

static void heap_init(struct heap *h, const struct noise *n, const struct noise_item *item)
{
	*h = (struct heap){ .model = n->model, .nr = item->count[0] + item->count[1] };
	for (int k = 0; k < 2; k++)
		h->size[k] = n->model == NOISE_SHARE ? n->total[k] : n->time[k];
	h->high = h->nr;
	if (n->model == NOISE_SHARE) {
		h->low = fmax(0, h->nr - h->size[0]);
		h->high = fmin(h->nr, h->size[1]);
	}
	h->x = item->count[1];
	h->null = h->nr * (h->size[1] / (h->size[0] + h->size[1]));
	h->large = variance(h, h->null) > VARIANCE_LARGE;
}

/* The odds with which m are expected. */
static double odds_of(const struct heap *h, double m)
{
	double odds = m / (h->nr - m);

	if (h->model == NOISE_SHARE)
		odds *= (h->size[0] - h->nr + m) / (h->size[1] - m);
	return odds;
}

/* How much more likely j + 1 is than j. */
static double step(const struct heap *h, double odds, double j)
{
	double ratio = odds * ((h->nr - j) / (j + 1));

	if (h->model == NOISE_SHARE)
		ratio *= (h->size[1] - j) / (h->size[0] - h->nr + j + 1);
	return ratio;
}

/* Past this the other side is as good as nothing. */
static const double SUM_ENOUGH = 1e60;

/* What is above x and what is below it, as multiples of what is at x. */
static double sum_above(const struct heap *h, double odds)
{
	double sum = 0, term = 1, j = h->x;

	while (j < h->high && sum < SUM_ENOUGH) {
		double ratio = step(h, odds, j);

		j += 1;
		term *= ratio;
		sum += term;
		if (ratio < 1 && term * ratio < (sum + 1) * 1e-16 * (1 - ratio))
			break;
	}
	return sum;
}

static double sum_below(const struct heap *h, double odds)
{
	double sum = 0, term = 1, j = h->x;

	while (j > h->low && sum < SUM_ENOUGH) {
		double ratio = 1 / step(h, odds, j - 1);

		j -= 1;
		term *= ratio;
		sum += term;
		if (ratio < 1 && term * ratio < (sum + 1) * 1e-16 * (1 - ratio))
			break;
	}
	return sum;
}

/* How likely x or more, and x or fewer, are when m are expected. */
static void tails(const struct heap *h, double m, double *up, double *down)
{
	double above, below, sd;

	if (h->high <= h->low) {
		*up = *down = 1;
	} else if (m <= h->low || m >= h->high) {
		*up = m >= h->high || h->x <= h->low;
		*down = m <= h->low || h->x >= h->high;
	} else if (h->large) {
		sd = sqrt(variance(h, m));
		*up = normal_tail((h->x - m - 0.5) / sd);
		*down = normal_tail((m - h->x - 0.5) / sd);
	} else {
		double odds = odds_of(h, m);

		above = sum_above(h, odds);
		below = sum_below(h, odds);
		*up = (above + 1) / (above + 1 + below);
		*down = (below + 1) / (above + 1 + below);
	}
}

bool noise_can_tell(const struct noise *n)
{
	return n->total[0] > 0 && n->total[1] > 0 &&
	       (n->model == NOISE_SHARE || (n->time[0] > 0 && n->time[1] > 0));
}

static double chance(const struct heap *h)
{
	double up, down;

	tails(h, h->null, &up, &down);
	return fmin(1, 2 * fmin(up, down));
}

double noise_chance(const struct noise *n, const struct noise_item *item)
{
	struct heap h;

	heap_init(&h, n, item);
	return chance(&h);
}

/*
 * How small the chance of a frame could come out, for any split of its samples: all of them, or all
 * others, on the smaller side.  A test that could never succeed is none (Tarone 1990).
 */
static double least_chance(const struct noise *n, const struct noise_item *item)
{
	struct heap h;
	double all, small, part, p = 2, j = 0;

	heap_init(&h, n, item);
	all = h.size[0] + h.size[1];
	small = fmin(h.size[0], h.size[1]);
	if (n->model == NOISE_RATE)
		return fmin(1, 2 * pow(small / all, h.nr));
	part = fmin(h.nr, all - h.nr);
	/* Every factor is at most 1/2. */
	while (j < fmin(part, small) && p > 1e-30) {
		p *= (fmax(part, small) - j) / (all - j);
		j += 1;
	}
	return fmin(1, p);
}

void noise_level(struct noise *n, const struct noise_item *item, size_t nr)
{
	double alpha = 1 - n->confidence;
	size_t *last = xcalloc(nr + 2, sizeof(*last)); /* by number of tests: who stops there */
	size_t left = 0, nr_test = 1;

	for (size_t i = 0; i < nr; i++) {
		double most;

		if (item[i].same)
			continue;
		most = floor(alpha / least_chance(n, &item[i]));
		if (most < 1)
			continue;
		last[most < (double)nr + 1 ? (size_t)most : nr + 1]++;
		left++;
	}
	/* The fewest tests that leave no more of them able to succeed. */
	for (; left > nr_test; nr_test++)
		left -= last[nr_test];
	free(last);
	n->nr_test = (double)nr_test;
	n->level = alpha / n->nr_test;
	n->z = normal_quantile(n->level / 2);
}

/* The spread between runs */

/* Which sides can show one: bit 0 before, bit 1 after. */
static unsigned sides_of(const struct noise *n, const struct noise_item *item)
{
	unsigned sides = 0;

	for (int k = 0; k < 2; k++)
		if (item->count[k] > 0 && (n->model == NOISE_RATE || item->count[k] < n->total[k]))
			sides |= 1u << k;
	return sides;
}

static double df_of(const struct noise *n, unsigned sides)
{
	double df = 0;

	for (int k = 0; k < 2; k++)
		if (sides & 1u << k)
			df += (double)n->nr_run[k] - 1;
	return df;
}

/* Pearson's sum over the runs: of a side's runs, how far each is from the side. */
static double sum_of_squares(const struct noise *n, const struct noise_item *item)
{
	const double *size = n->run, *run = item->run;
	double sum = 0;

	for (int k = 0; k < 2; k++) {
		double whole = n->model == NOISE_SHARE ? n->total[k] : n->time[k];
		double p = item->count[k] / whole;
		double rest = n->model == NOISE_SHARE ? 1 - p : 1;

		for (size_t i = 0; i < n->nr_run[k]; i++, size++, run++)
			if (*size * p * rest > 0)
				sum += (*run - *size * p) * (*run - *size * p) / (*size * p * rest);
	}
	return sum;
}

/* With fewer samples a run, its spread is that of few numbers. */
static const double ENOUGH_IN_A_RUN = 5;

static bool tells_spread(const struct noise *n, const struct noise_item *item)
{
	for (int k = 0; k < 2; k++) {
		double least = ENOUGH_IN_A_RUN * (double)n->nr_run[k];

		if (item->count[k] < least ||
		    (n->model == NOISE_SHARE && n->total[k] - item->count[k] < least))
			return false;
	}
	return !item->same;
}

/* Frames that tell the spread and have no frame below them that does: they share no sample. */
static size_t nr_disjoint(const bool *tells, const uint32_t *parent, size_t nr)
{
	bool *covered = xcalloc(nr, sizeof(*covered));
	size_t disjoint = 0;

	for (size_t i = nr; i-- > 0;) {
		disjoint += tells[i] && !covered[i];
		if ((tells[i] || covered[i]) && i)
			covered[parent[i]] = true;
	}
	free(covered);
	return disjoint;
}

/* A frame that never varied has no logarithm. */
static const double DISPERSION_LEAST = 1e-3;

static void set_quantiles(struct noise *n)
{
	for (unsigned sides = 0; sides < 4 && n->spread; sides++) {
		double df = fmin(n->most_df, n->typical_df + df_of(n, sides));

		n->quantile[sides] = student_quantile(n->level / 2, fmax(1, df));
	}
}

/*
 * Frames differ in how much they vary, and one frame's few runs say little of it.  So its own dispersion is
 * mixed with the typical one, by what each is worth; what the typical one is worth is how alike
 * the frames' dispersions are (Smyth 2004: their logarithms' mean and variance).
 */
void noise_spread(struct noise *n, const struct noise_item *item, const uint32_t *parent, size_t nr)
{
	double df = df_of(n, 3), mean = 0, squares = 0, sum = 0, excess;
	bool *tells = xcalloc(nr, sizeof(*tells));
	size_t used = 0;

	n->spread = df > 0;
	for (size_t i = 0; i < nr && n->spread; i++) {
		double s, l, d;

		tells[i] = tells_spread(n, &item[i]);
		if (!tells[i])
			continue;
		s = sum_of_squares(n, &item[i]) / df;
		l = log(fmax(s, DISPERSION_LEAST));
		used++;
		d = l - mean;
		mean += d / (double)used;
		squares += d * (l - mean);
		sum += s;
	}
	n->typical = 1;
	n->typical_df = 0;
	n->most_df = df;
	if (used >= 3) {
		excess = squares / (double)(used - 1) - trigamma(df / 2);
		n->most_df = df * (double)nr_disjoint(tells, parent, nr);
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
	free(tells);
}

void noise_spread_like(struct noise *n, const struct noise *other)
{
	n->spread = other->spread;
	n->typical = other->typical;
	n->typical_df = other->typical_df;
	n->most_df = other->most_df;
	set_quantiles(n);
}

/* Variance between runs / variance of sampling; runs never differ by less than samples do. */
static double dispersion(const struct noise *n, const struct noise_item *item)
{
	double df = df_of(n, sides_of(n, item)), s = sum_of_squares(n, item);

	if (isinf(n->typical_df))
		return fmax(1, n->typical);
	if (n->typical_df + df <= 0)
		return fmax(1, n->typical);
	return fmax(1, (n->typical_df * n->typical + s) / (n->typical_df + df));
}

/* The change when m of the heap are after's. */
static double change_at(const struct noise *n, const struct heap *h, double m)
{
	double change = m / h->size[1] - (h->nr - m) / h->size[0];

	/* As a share of what before had in the same time. */
	return n->model == NOISE_RATE ? change * (h->size[0] / n->total[0]) : change;
}

double noise_change(const struct noise *n, const struct noise_item *item)
{
	struct heap h;

	heap_init(&h, n, item);
	return change_at(n, &h, h.x);
}

/* How far the change may be off, as the runs differ. */
static double reach_of_runs(const struct noise *n, const struct noise_item *item)
{
	double sum = 0;

	for (int k = 0; k < 2; k++) {
		double size = n->model == NOISE_SHARE ? n->total[k] : n->time[k];
		double p = item->count[k] / size;

		sum += p * (n->model == NOISE_SHARE ? 1 - p : 1) / size;
	}
	if (n->model == NOISE_RATE)
		sum *= (n->time[0] / n->total[0]) * (n->time[0] / n->total[0]);
	return n->quantile[sides_of(n, item)] * sqrt(dispersion(n, item) * sum);
}

/* Far from where the decision is, and where the normal distribution is near enough, no sum is needed. */
static int judge_quickly(const struct noise *n, const struct heap *h)
{
	double v = variance(h, h->null), z;

	if (v < 100)
		return 0;
	z = fabs(h->x - h->null) / sqrt(v);
	return z < 0.8 * n->z - 0.5 ? -1 : z > 1.5 * n->z + 1 ? 1 : 0;
}

enum noise_verdict noise_judge(const struct noise *n, const struct noise_item *item)
{
	struct heap h;
	double change;
	int quick;

	heap_init(&h, n, item);
	change = change_at(n, &h, h.x);
	quick = judge_quickly(n, &h);
	if (quick < 0 || (!quick && chance(&h) > n->level))
		return NOISE_INSIDE;
	if (n->spread && fabs(change) <= reach_of_runs(n, item))
		return NOISE_INSIDE;
	return change > 0 ? NOISE_MORE : NOISE_LESS;
}

/* Where between two expectations a tail at x is what is left of certainty; end is where it is less. */
static double find_limit(const struct noise *n, const struct heap *h, double end)
{
	double inside = h->x, up, down;

	for (int i = 0; i < 60; i++) {
		double middle = (inside + end) / 2;

		tails(h, middle, &up, &down);
		if ((end < h->x ? up : down) > n->level / 2)
			inside = middle;
		else
			end = middle;
	}
	return inside;
}

/* Wilson's limits of a side by itself, as distances from what was seen. */
static void wilson(const struct noise *n, double count, double size, double *down, double *up)
{
	double zz = n->z * n->z, rest = n->model == NOISE_SHARE ? 1 - count / size : 1;
	double root = n->z * sqrt(count * rest + zz / 4);
	double all = n->model == NOISE_SHARE ? 1 + zz / size : 1;

	*down = (count - (count + zz / 2 - root) / all) / size;
	*up = ((count + zz / 2 + root) / all - count) / size;
}

/*
 * The heap is taken as given, though it could have been larger or smaller: where nearly all of it is on one
 * side that is what is uncertain.  Newcombe's interval knows it, and sets the ends away from 0.
 */
static void widen(const struct noise *n, const struct noise_item *item, const struct heap *h,
		  double *low, double *high)
{
	double change = change_at(n, h, h->x), down[2], up[2];
	double unit = n->model == NOISE_RATE ? h->size[0] / n->total[0] : 1;
	bool less = *high<0, more = *low> 0;

	for (int k = 0; k < 2; k++)
		wilson(n, item->count[k], h->size[k], &down[k], &up[k]);
	if (!more)
		*low = fmin(*low, change - unit * hypot(down[1], up[0]));
	if (!less)
		*high = fmax(*high, change + unit * hypot(up[1], down[0]));
}

void noise_interval(const struct noise *n, const struct noise_item *item, double *low, double *high)
{
	struct heap h;
	double change, reach;

	heap_init(&h, n, item);
	*low = change_at(n, &h, find_limit(n, &h, h.low));
	*high = change_at(n, &h, find_limit(n, &h, h.high));
	widen(n, item, &h, low, high);
	if (!n->spread)
		return;
	change = change_at(n, &h, h.x);
	reach = reach_of_runs(n, item);
	*low = fmin(*low, change - reach);
	*high = fmax(*high, change + reach);
}
