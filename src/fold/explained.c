#include "fold/explained.h"

#include "base/alloc.h"
#include "base/chance.h"
#include "fold/noise.h"
#include "fold/ratio.h"

#include <math.h>
#include <stdlib.h>

/* The assumed standard deviation of a function's share between recordings, beyond sampling, if there is only one. */
static const double SPREAD_UNKNOWN = 0.003;

/*
 * If the CPU time differs, some function has changed in the same direction, by at least GOOD_PART of that
 * difference.  So changes of that kind get most of the allowed error (LIKELY), all others the rest.
 */
static const double LIKELY = 0.8, GOOD_PART = 0.1;

/* Added to a quantile: a change of that size is found 9 times in 10. */
static const double NINE_OF_TEN = 1.2816;

/*
 * Samples are taken at regular intervals, so the number in a long phase of a program varies much less than that of
 * random samples.  Only many runs with several samples each can show that.
 */
enum { RUNS_ENOUGH = 10, SAMPLES_ENOUGH = 5 };
static const double DISPERSION_LEAST = 0.02;

static double sum_of(const double *value, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += value[i];
	return sum;
}

/* Data that all functions share. */
struct common {
	const struct explaining *o;
	double cpu[2], difference; /* of a run */
	double error;		   /* the standard deviation of the ratio of CPU times */
	bool differs;		   /* the CPU time differs significantly */
	struct noise noise;
	size_t nr_likely;
};

/* The change of a function, and its variance: that of shares, which more recorded runs reduce, … */
struct change {
	double share[2], value, of_shares, df;
	double of_cpu; /* … and that of CPU times */
};

static double dispersion(const struct common *c, const struct noise_item *item, double *df)
{
	double found = noise_dispersion(&c->noise, item, df);

	for (int k = 0; k < 2; k++)
		if (c->o->nr_run[k] < RUNS_ENOUGH ||
		    item->count[k] < SAMPLES_ENOUGH * (double)c->o->nr_run[k])
			return fmax(1, found);
	return fmax(DISPERSION_LEAST, found);
}

static struct change change_of(const struct common *c, const struct noise_item *item)
{
	struct change d = { .df = INFINITY };
	double factor = c->noise.spread ? dispersion(c, item, &d.df) : 1;

	for (int k = 0; k < 2; k++) {
		double p = item->count[k] / c->noise.total[k];
		double variance = factor * p * (1 - p) / c->noise.total[k];

		if (!c->noise.spread)
			variance += SPREAD_UNKNOWN * SPREAD_UNKNOWN;
		d.share[k] = p;
		d.of_shares += c->cpu[k] * c->cpu[k] * variance;
	}
	d.value = c->cpu[1] * d.share[1] - c->cpu[0] * d.share[0];
	d.of_cpu = pow(d.share[1] * c->cpu[0] * c->error, 2);
	return d;
}

/* The degrees of freedom of the sum with another, known variance (Satterthwaite). */
static double df_with(const struct change *d, double other)
{
	double all = 1 + other / d->of_shares;

	return d->of_shares > 0 ? fmax(1, d->df * all * all) : INFINITY;
}

static bool is_likely(const struct common *c, const struct change *d)
{
	double mean = (c->cpu[0] * d->share[0] + c->cpu[1] * d->share[1]) / 2;

	return c->differs && mean >= GOOD_PART * fabs(c->difference);
}

/* Is the change significant? */
static bool has_changed(const struct common *c, const struct change *d)
{
	double alpha = 1 - c->o->confidence, variance = d->of_shares + d->of_cpu, tail;
	bool alike = (d->value > 0) == (c->difference > 0);

	if (!(variance > 0))
		return false;
	tail = student_tail(fabs(d->value) / sqrt(variance), df_with(d, d->of_cpu));
	if (!c->differs)
		return 2 * tail <= alpha / c->noise.nr_test;
	return (alike && is_likely(c, d) && tail <= LIKELY * alpha / (double)c->nr_likely) ||
	       2 * tail <= (1 - LIKELY) * alpha / c->noise.nr_test;
}

/* How many times as many runs are needed to find a function that causes the whole difference. */
static double runs_wanted(const struct common *c, const struct change *d)
{
	double tail = LIKELY * (1 - c->o->confidence) / (double)c->nr_likely, reaches, left;

	reaches = student_quantile(tail, df_with(d, d->of_cpu)) + NINE_OF_TEN;
	left = c->difference * c->difference / (reaches * reaches) - d->of_cpu;
	return left > 0 ? d->of_shares / left : INFINITY;
}

/* Sets the function's share of the difference in CPU time. */
static void set_share(const struct common *c, const struct change *d, struct explained *f)
{
	double of_cpu;

	f->before = c->cpu[0] * d->share[0];
	f->after = c->cpu[1] * d->share[1];
	f->share = f->error = NAN;
	if (!c->differs)
		return;
	f->share = d->value / c->difference;
	/* The effect of an error of the ratio on the share: it is in numerator and denominator. */
	of_cpu = pow((d->share[1] - f->share) * c->cpu[0] * c->error, 2);
	f->error = student_quantile((1 - c->o->confidence) / 2, df_with(d, of_cpu)) *
		   sqrt(d->of_shares + of_cpu) / fabs(c->difference);
}

/* Finds how much runs vary, and the number of tests, as in a comparison of profiles by shares. */
static struct noise_item *find_noise(struct common *c, const struct explained *function, size_t nr)
{
	const struct explaining *o = c->o;
	struct noise_item *item = xcalloc(nr + 1, sizeof(*item));
	uint32_t *parent = xcalloc(nr + 1, sizeof(*parent));

	/* The first item is everything. */
	for (size_t i = 0; i <= nr; i++) {
		item[i].run = i ? function[i - 1].part : o->all;
		item[i].same = !i;
		item[i].count[0] = sum_of(item[i].run, o->nr_run[0]);
		item[i].count[1] = sum_of(item[i].run + o->nr_run[0], o->nr_run[1]);
	}
	c->noise = (struct noise){ .model = NOISE_SHARE,
				   .confidence = o->confidence,
				   .total = { item[0].count[0], item[0].count[1] },
				   .nr_run = { o->nr_run[0], o->nr_run[1] },
				   .run = o->all };
	noise_level(&c->noise, item, nr + 1);
	noise_spread(&c->noise, item, parent, nr + 1);
	free(parent);
	return item;
}

double explain(const struct explaining *o, struct explained *function, size_t nr)
{
	struct common c = { .o = o,
			    .cpu = { o->cpu, o->cpu * o->ratio.value },
			    .differs = o->ratio.verdict != RATIO_SAME };
	struct noise_item *item = find_noise(&c, function, nr);
	struct change *change = xcalloc(nr + 1, sizeof(*change));
	double wanted = 0;

	c.difference = c.cpu[1] - c.cpu[0];
	c.error = (o->ratio.high - o->ratio.low) / 2 / normal_quantile((1 - o->confidence) / 2);
	for (size_t i = 0; i < nr; i++) {
		change[i] = change_of(&c, &item[i + 1]);
		c.nr_likely += is_likely(&c, &change[i]);
	}
	for (size_t i = 0; i < nr; i++) {
		function[i].changed = has_changed(&c, &change[i]);
		set_share(&c, &change[i], &function[i]);
		if (is_likely(&c, &change[i]))
			wanted = fmax(wanted, runs_wanted(&c, &change[i]));
	}
	free(change);
	free(item);
	return wanted;
}
