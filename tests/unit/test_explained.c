/* How much a function explains: the number, and how often the truth is within its error. */
#include "fold/explained.h"

#include "base/alloc.h"
#include "base/seeded.h"

#include "tap.h"

#include <math.h>

enum { TIMED = 10, RECORDED = 5 };

static double uniform(struct seeded *s)
{
	return ((double)(seeded_next(s) >> 11) + 0.5) / 0x1p53;
}

static double normal(struct seeded *s)
{
	return sqrt(-2 * log(uniform(s))) * cos(2 * 3.14159265358979 * uniform(s));
}

struct measured {
	double cpu[TIMED], part[RECORDED], all[RECORDED];
};

static struct explained_side side_of(const struct measured *m)
{
	return (struct explained_side){ m->cpu, TIMED, m->part, m->all, RECORDED };
}

/* A run takes `cpu` ms, of which the function has `part`; both sides share the noise of a round. */
static void measure(struct measured *m, const double *noise, double cpu, double part,
		    struct seeded *s)
{
	for (size_t i = 0; i < TIMED; i++)
		m->cpu[i] = cpu * exp(noise[i] + 0.01 * normal(s));
	for (size_t i = 0; i < RECORDED; i++) {
		/* 1,000 samples, and 2 % that recordings differ by. */
		double share = part / cpu * (1 + 0.02 * normal(s));

		m->all[i] = 1000;
		m->part[i] = 0;
		for (int k = 0; k < 1000; k++)
			m->part[i] += uniform(s) < share;
	}
}

static void check_values(void)
{
	struct measured before = { 0 }, after = { 0 };
	struct explained_side side[2];
	struct explained e;
	double error;

	for (size_t i = 0; i < TIMED; i++) {
		before.cpu[i] = 100;
		after.cpu[i] = 120;
	}
	for (size_t i = 0; i < RECORDED; i++) {
		before.all[i] = after.all[i] = 1200;
		before.part[i] = 120;
		after.part[i] = 300;
	}
	side[0] = side_of(&before);
	side[1] = side_of(&after);
	e = explained_by(side, 0.95);
	ok(fabs(e.before - 10) < 1e-9,
	   "the time before is the share of samples times the CPU time");
	ok(fabs(e.after - 30) < 1e-9, "the time after is the share of samples times the CPU time");
	ok(fabs(e.share - 1) < 1e-9, "a function with all of the difference explains all of it");
	error = e.error;
	ok(error > 0, "runs that agree still have the error of sampling");
	e = explained_by((struct explained_side[2]){ side[1], side[0] }, 0.95);
	ok(fabs(e.share - 1) < 1e-9, "what became faster is explained alike");
	side[1].cpu = before.cpu;
	e = explained_by(side, 0.95);
	ok(isnan(e.share), "no difference is explained by nothing");
	side[1] = side_of(&after);
	side[1].nr_cpu = side[0].nr_cpu = 1;
	ok(isnan(explained_by(side, 0.95).share), "one timed run cannot tell of a difference");
	side[0] = side_of(&before);
	side[1] = side_of(&after);
	side[0].nr_run = side[1].nr_run = 1;
	ok(explained_by(side, 0.95).error > error, "one recorded run has a larger error than five");
}

/* One function takes 30 more, another 10 less: 150 % and -50 % of the difference of 20. */
static void check_coverage(double from, double to, double truth, const char *title)
{
	struct seeded s = { .state = 3 };
	int nr = 0, nr_all = 0;

	for (int i = 0; i < 500; i++) {
		struct measured before, after;
		double noise[TIMED];
		struct explained e;

		for (size_t k = 0; k < TIMED; k++)
			noise[k] = 0.05 * normal(&s);
		measure(&before, noise, 100, from, &s);
		measure(&after, noise, 120, to, &s);
		e = explained_by((struct explained_side[2]){ side_of(&before), side_of(&after) },
				 0.95);
		nr_all += isfinite(e.share);
		nr += fabs(e.share - truth) <= e.error;
	}
	is_int(nr_all, 500, "a difference of 20 % is always told from noise");
	if (!ok(nr >= 0.93 * nr_all, title))
		printf("# %d of %d\n", nr, nr_all);
}

int main(void)
{
	check_values();
	check_coverage(10, 40, 1.5, "the truth is within the error of what takes more");
	check_coverage(40, 30, -0.5, "the truth is within the error of what takes less");
	check_coverage(30, 30, 0, "the truth is within the error of what takes the same");
	return done();
}
