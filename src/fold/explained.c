#include "fold/explained.h"

#include "base/chance.h"

#include <math.h>

/* How much the share of a function differs between recordings beyond sampling, if there is only one. */
static const double SPREAD_UNKNOWN = 0.003;

static double sum_of(const double *value, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += value[i];
	return sum;
}

static double mean_of(const double *value, size_t nr)
{
	return nr ? sum_of(value, nr) / (double)nr : 0;
}

/* A function's share of the samples of a side, and the variance of that. */
struct share {
	double value, variance;
};

static struct share share_of(const struct explained_side *s)
{
	double all = sum_of(s->all, s->nr_run), nr = (double)s->nr_run, squares = 0;
	struct share r = { .value = all > 0 ? sum_of(s->part, s->nr_run) / all : 0 };
	double sampling = all > 0 ? r.value * (1 - r.value) / all : 1;

	for (size_t i = 0; i < s->nr_run; i++) {
		double off = s->all[i] > 0 ? s->part[i] / s->all[i] - r.value : 0;

		squares += off * off;
	}
	if (s->nr_run > 1)
		r.variance = fmax(sampling, squares / (nr * (nr - 1)));
	else
		r.variance = sampling + SPREAD_UNKNOWN * SPREAD_UNKNOWN;
	return r;
}

/* The variance of weight[1] × the CPU time after - weight[0] × that before, which come in pairs. */
static double cpu_variance(const struct explained_side side[2], const double *weight)
{
	size_t nr = side[0].nr_cpu < side[1].nr_cpu ? side[0].nr_cpu : side[1].nr_cpu;
	double mean = 0, squares = 0;

	if (nr < 2)
		return INFINITY;
	for (size_t i = 0; i < nr; i++)
		mean += (weight[1] * side[1].cpu[i] - weight[0] * side[0].cpu[i]) / (double)nr;
	for (size_t i = 0; i < nr; i++) {
		double off = weight[1] * side[1].cpu[i] - weight[0] * side[0].cpu[i] - mean;

		squares += off * off;
	}
	return squares / (double)(nr * (nr - 1));
}

struct explained explained_by(const struct explained_side side[2], double confidence)
{
	const double one[2] = { 1, 1 };
	double cpu[2], all, weight[2], variance = 0, df;
	struct share share[2];
	struct explained r = { .share = NAN, .error = NAN };

	for (int i = 0; i < 2; i++) {
		cpu[i] = mean_of(side[i].cpu, side[i].nr_cpu);
		share[i] = share_of(&side[i]);
		variance += cpu[i] * cpu[i] * share[i].variance;
	}
	r.before = cpu[0] * share[0].value;
	r.after = cpu[1] * share[1].value;
	all = cpu[1] - cpu[0];
	df = (double)(side[0].nr_run + side[1].nr_run) - 2;
	/* Is there a difference that somebody could have a share of? */
	if (!(fabs(all) >
	      student_quantile((1 - confidence) / 2, fmax(1, (double)side[0].nr_cpu - 1)) *
		      sqrt(cpu_variance(side, one))))
		return r;
	r.share = (r.after - r.before) / all;
	/* What errors of the two CPU times do to the share: numerator and denominator have both. */
	for (int i = 0; i < 2; i++)
		weight[i] = share[i].value - r.share;
	variance += cpu_variance(side, weight);
	r.error = student_quantile((1 - confidence) / 2, fmax(1, df)) * sqrt(variance) / fabs(all);
	return r;
}
