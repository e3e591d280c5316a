#include "fold/heap.h"

#include "base/chance.h"

#include <math.h>

/* Above this variance, the normal distribution is used: exact sums would be slow and no better. */
static const double VARIANCE_LARGE = 1e5;

double heap_variance(const struct heap *h, double m)
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

void heap_init(struct heap *h, const struct noise *n, const struct noise_item *item)
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
	h->large = heap_variance(h, h->null) > VARIANCE_LARGE;
}

/* The odds ratio for which m of the heap's samples are expected in after. */
static double odds_of(const struct heap *h, double m)
{
	double odds = m / (h->nr - m);

	if (h->model == NOISE_SHARE)
		odds *= (h->size[0] - h->nr + m) / (h->size[1] - m);
	return odds;
}

/* P(j + 1 of the heap's samples are in after) / P(j are). */
static double step(const struct heap *h, double odds, double j)
{
	double ratio = odds * ((h->nr - j) / (j + 1));

	if (h->model == NOISE_SHARE)
		ratio *= (h->size[1] - j) / (h->size[0] - h->nr + j + 1);
	return ratio;
}

/* If one tail is this many times as likely as x, the other one is practically 0. */
static const double SUM_ENOUGH = 1e60;

/*
 * The probability of more than x (sum_below(): less than x), as a multiple of that of x.  A sum ends when the
 * remaining terms, at most a geometric series, are below the precision of a double.
 */
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

void heap_tails(const struct heap *h, double m, double *up, double *down)
{
	double above, below, sd;

	if (h->high <= h->low) {
		*up = *down = 1;
	} else if (m <= h->low || m >= h->high) {
		*up = m >= h->high || h->x <= h->low;
		*down = m <= h->low || h->x >= h->high;
	} else if (h->large) {
		/* Half a sample is the continuity correction. */
		sd = sqrt(heap_variance(h, m));
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

double heap_chance(const struct heap *h)
{
	double up, down;

	heap_tails(h, h->null, &up, &down);
	return fmin(1, 2 * fmin(up, down));
}
