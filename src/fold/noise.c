#include "fold/noise.h"

#include "base/alloc.h"
#include "base/chance.h"
#include "fold/heap.h"

#include <math.h>
#include <stdlib.h>

bool noise_is_testable(const struct noise *n)
{
	if (n->measured &&
	    (n->nr_run[0] < NOISE_MEASURED_RUNS || n->nr_run[1] < NOISE_MEASURED_RUNS))
		return false;
	return n->total[0] > 0 && n->total[1] > 0 &&
	       (n->model == NOISE_SHARE || (n->time[0] > 0 && n->time[1] > 0));
}

double noise_chance(const struct noise *n, const struct noise_item *item)
{
	struct heap h;

	heap_init(&h, n, item);
	return heap_chance(&h);
}

/*
 * The smallest p-value that a frame could have: the one of the most uneven split, with all of its
 * samples, or all others, on the smaller side.  A test that cannot succeed even so does not count
 * as one (Tarone 1990).
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

	while (j < fmin(part, small) && p > 1e-30) {
		p *= (fmax(part, small) - j) / (all - j);
		j += 1;
	}
	return fmin(1, p);
}

void noise_level(struct noise *n, const struct noise_item *item, size_t nr)
{
	double alpha = 1 - n->confidence;
	/* By k: how many items could be significant as one of k tests, but not as one of more. */
	size_t *last = xcalloc(nr + 2, sizeof(*last));
	size_t left = 0, nr_test = 1;

	for (size_t i = 0; i < nr; i++) {
		double most;

		if (item[i].same)
			continue;
		/* Even tiny measurements are tests: if they never vary, any difference is a change. */
		if (n->measured)
			most = item[i].count[0] + item[i].count[1] > 0 ? (double)nr : 0;
		else
			most = floor(alpha / least_chance(n, &item[i]));
		if (most < 1)
			continue;
		last[most < (double)nr + 1 ? (size_t)most : nr + 1]++;
		left++;
	}
	/* The smallest number of tests that at most as many items could pass. */
	for (; left > nr_test; nr_test++)
		left -= last[nr_test];
	free(last);
	n->nr_test = (double)nr_test;
	n->level = alpha / n->nr_test;
	n->z = normal_quantile(n->level / 2);
}

/* The change if m of the heap's samples were in after. */
static double change_at(const struct noise *n, const struct heap *h, double m)
{
	double change = m / h->size[1] - (h->nr - m) / h->size[0];

	/* Relative to the rate of all samples before. */
	return n->model == NOISE_RATE ? change * (h->size[0] / n->total[0]) : change;
}

double noise_change(const struct noise *n, const struct noise_item *item)
{
	struct heap h;

	heap_init(&h, n, item);
	return change_at(n, &h, h.x);
}

/*
 * Decides clear cases without an exact sum, by the normal distribution with a wide margin.  -1: noise, 1: a change,
 * 0: too close to decide.
 */
static int judge_quickly(const struct noise *n, const struct heap *h)
{
	double v = heap_variance(h, h->null), z;

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
	quick = n->measured ? 1 : judge_quickly(n, &h);
	if (quick < 0 || (!quick && heap_chance(&h) > n->level))
		return NOISE_INSIDE;
	if (fabs(change) <= noise_reach(n, item))
		return NOISE_INSIDE;
	return change > 0 ? NOISE_MORE : NOISE_LESS;
}

/*
 * A limit of the interval: the expectation between x and `end` for which the chance of x, or of
 * anything farther from that limit, is level / 2.  By halving, until a double has no more digits.
 */
static double find_limit(const struct noise *n, const struct heap *h, double end)
{
	double inside = h->x, up, down;

	for (int i = 0; i < 60; i++) {
		double middle = (inside + end) / 2;

		heap_tails(h, middle, &up, &down);
		if ((end < h->x ? up : down) > n->level / 2)
			inside = middle;
		else
			end = middle;
	}
	return inside;
}

/* Wilson's interval of one side alone, as distances from its observed share or rate. */
static void wilson(const struct noise *n, double count, double size, double *down, double *up)
{
	double zz = n->z * n->z, rest = n->model == NOISE_SHARE ? 1 - count / size : 1;
	double root = n->z * sqrt(count * rest + zz / 4);
	double all = n->model == NOISE_SHARE ? 1 + zz / size : 1;

	*down = (count - (count + zz / 2 - root) / all) / size;
	*up = ((count + zz / 2 + root) / all - count) / size;
}

/*
 * The exact test regards the size of the heap as given, though it is random, too, which matters if nearly all of it
 * is on one side.  Newcombe's interval accounts for that.  An end between the change and 0 is not moved: the
 * interval must not contradict the verdict.
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
	change = change_at(n, &h, h.x);
	reach = noise_reach(n, item);
	*low = *high = change;
	if (!n->measured) {
		*low = change_at(n, &h, find_limit(n, &h, h.low));
		*high = change_at(n, &h, find_limit(n, &h, h.high));
		widen(n, item, &h, low, high);
	}
	*low = fmin(*low, change - reach);
	*high = fmax(*high, change + reach);
	/* A share is between 0 and 1, and so is the size of its change. */
	if (n->model == NOISE_SHARE) {
		*low = fmax(*low, -1);
		*high = fmin(*high, 1);
	}
}
