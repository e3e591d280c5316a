/*
 * How much a function explains: the number, and how often the truth is within its error; and which
 * functions are named, rightly or wrongly.
 */
#include "fold/explained.h"

#include "base/alloc.h"
#include "base/seeded.h"

#include "tap.h"

#include <math.h>
#include <stdlib.h>

static double uniform(struct seeded *s)
{
	return ((double)(seeded_next(s) >> 11) + 0.5) / 0x1p53;
}

static double normal(struct seeded *s)
{
	return sqrt(-2 * log(uniform(s))) * cos(2 * 3.14159265358979 * uniform(s));
}

/* Values */

enum { RUNS = 5 };

static void fill(double *part, double before, double after)
{
	for (size_t i = 0; i < RUNS; i++) {
		part[i] = before;
		part[RUNS + i] = after;
	}
}

static void check_values(void)
{
	double all[2 * RUNS], part[2 * RUNS];
	struct explaining o = { .cpu = 100,
				.ratio = { RATIO_MORE, 1.2, 1.199, 1.201, 0.01 },
				.all = all,
				.nr_run = { RUNS, RUNS },
				.confidence = 0.95 };
	struct explained f = { .part = part };
	double error;

	fill(all, 1200, 1200);
	fill(part, 120, 300);
	explain(&o, &f, 1);
	ok(fabs(f.before - 10) < 1e-9,
	   "the time before is the share of samples times the CPU time");
	ok(fabs(f.after - 30) < 1e-9, "the time after is the share of samples times the CPU time");
	ok(fabs(f.share - 1) < 1e-9, "a function with all of the difference explains all of it");
	ok(f.changed, "a function with all of the difference is named");
	error = f.error;
	ok(error > 0, "runs that agree still have the error of sampling");
	o.ratio.low = 1.1;
	o.ratio.high = 1.3;
	explain(&o, &f, 1);
	ok(f.error > error, "an uncertain ratio makes the share uncertain");
	o.ratio = (struct ratio){ RATIO_SAME, 1.2, 0.9, 1.5, 0.5 };
	ok(explain(&o, &f, 1) == 0, "no difference in CPU time needs no more runs");
	ok(isnan(f.share), "no difference in CPU time has no shares");
	o.ratio = (struct ratio){ RATIO_SAME, 1.2, 0, INFINITY, INFINITY };
	explain(&o, &f, 1);
	ok(!f.changed, "too few timed runs name nothing");
	o.ratio = (struct ratio){ RATIO_LESS, 0.8, 0.799, 0.801, 0.01 };
	fill(part, 360, 150);
	explain(&o, &f, 1);
	ok(fabs(f.share - 1) < 1e-9, "a function with all of an improvement explains all of it");
	ok(f.changed, "a function that became faster is named");
	o.nr_run[0] = o.nr_run[1] = 1;
	error = f.error;
	explain(&o, &f, 1);
	ok(f.error > error, "one recorded run has a larger error than five");
	fill(part, 1200, 1200);
	explain(&o, &f, 1);
	ok(f.changed, "the only function is named if the CPU time differs");
}

/* Simulations */

enum {
	FUNCTIONS = 12,
	PLANTED = 1, /* the function that changes, and … */
	TIMED = 20,  /* pairs */
	MOST = 400,  /* recorded runs of a side */
	FIRST = 5,
	SAMPLES = 120, /* of a run, about */
	COMPARISONS = 1000,
	COMPARISONS_PLANTED = 200,
};

/* … what each one takes; the rest of them is small, as start-up code is. */
static const double time_of[FUNCTIONS] = { 0.7,	  0.16,	 0.05,	0.03,  0.02,  0.01,
					   0.008, 0.008, 0.005, 0.005, 0.003, 0.001 };

struct machine {
	const char *name;
	double varies;	   /* what a function takes, from run to run, relative to it */
	bool in_phases;	   /* functions run one after the other, not by turns */
	bool has_outliers; /* something takes thrice as long in every tenth run */
};

static const struct machine machines[] = {
	{ "functions by turns", 0, false, false },
	{ "functions that vary by 15 % from run to run", 0.15, false, false },
	{ "outliers", 0.02, false, true },
	{ "functions one after the other", 0.005, true, false },
	{ "functions one after the other that vary by 10 %", 0.1, true, false },
	{ "functions one after the other, and outliers", 0.01, true, true },
};

/* Counts by function and run of a side. */
struct recorded {
	double part[FUNCTIONS][MOST], all[MOST];
	size_t nr;
};

static void record(struct recorded *r, const struct machine *m, double change, struct seeded *s)
{
	double end[FUNCTIONS], sum = 0, at, interval;
	size_t slow =
		m->has_outliers && !seeded_below(s, 10) ? seeded_below(s, FUNCTIONS) : FUNCTIONS;

	for (size_t i = 0; i < FUNCTIONS; i++) {
		double time = time_of[i] + (i == PLANTED ? change : 0);

		sum += time * exp(m->varies * normal(s)) * (i == slow ? 3 : 1);
		end[i] = sum;
		r->part[i][r->nr] = 0;
	}
	interval = (1 + 0.2 * uniform(s)) / SAMPLES;
	r->all[r->nr] = 0;
	for (at = interval; at < sum; at += interval) {
		double where = m->in_phases ? at : sum * uniform(s);
		size_t i = 0;

		while (i + 1 < FUNCTIONS && end[i] < where)
			i++;
		r->part[i][r->nr]++;
		r->all[r->nr]++;
	}
	r->nr++;
}

struct comparison {
	struct ratio ratio;
	struct recorded side[2];
	bool named[FUNCTIONS];
	size_t largest; /* which of those named explains most; FUNCTIONS: none is */
};

static struct ratio time_pairs(double change, struct seeded *s)
{
	double cpu[2][TIMED];

	for (size_t i = 0; i < TIMED; i++) {
		double round = 0.05 * normal(s);

		for (int k = 0; k < 2; k++)
			cpu[k][i] = (1 + (k ? change : 0)) * exp(round + 0.01 * normal(s));
	}
	return ratio_of_pairs(cpu[0], cpu[1], TIMED, 0.95);
}

/* The runs of both sides in one row. */
static double *joined(const double *before, const double *after, size_t nr)
{
	double *both = xcalloc(2 * nr, sizeof(*both));

	for (size_t i = 0; i < nr; i++) {
		both[i] = before[i];
		both[nr + i] = after[i];
	}
	return both;
}

static double judge(struct comparison *c)
{
	size_t nr = c->side[0].nr;
	double *all = joined(c->side[0].all, c->side[1].all, nr), wanted;
	struct explaining o = {
		.cpu = 1, .ratio = c->ratio, .all = all, .nr_run = { nr, nr }, .confidence = 0.95
	};
	struct explained f[FUNCTIONS];
	double *part[FUNCTIONS], most = 0;

	for (size_t i = 0; i < FUNCTIONS; i++)
		f[i].part = part[i] = joined(c->side[0].part[i], c->side[1].part[i], nr);
	wanted = explain(&o, f, FUNCTIONS);
	c->largest = FUNCTIONS;
	for (size_t i = 0; i < FUNCTIONS; i++) {
		c->named[i] = f[i].changed;
		if (f[i].changed && fabs(f[i].after - f[i].before) > most) {
			most = fabs(f[i].after - f[i].before);
			c->largest = i;
		}
		free(part[i]);
	}
	free(all);
	return wanted;
}

static void record_until(struct comparison *c, const struct machine *m, double change, size_t nr,
			 struct seeded *s)
{
	while (c->side[0].nr < nr)
		for (int k = 0; k < 2; k++)
			record(&c->side[k], m, k ? change : 0, s);
}

/* As --profile-runs auto has it. */
static void compare_auto(struct comparison *c, const struct machine *m, double change,
			 struct seeded *s)
{
	size_t nr = FIRST;

	c->side[0].nr = c->side[1].nr = 0;
	c->ratio = time_pairs(change, s);
	while (c->side[0].nr < nr) {
		double wanted;

		record_until(c, m, change, nr, s);
		wanted = judge(c);
		if (wanted > 1)
			nr = (size_t)fmin(MOST,
					  fmin(2 * (double)nr, ceil((double)nr * wanted) + 1));
	}
}

static bool names_another(const struct comparison *c, size_t but)
{
	for (size_t i = 0; i < FUNCTIONS; i++)
		if (c->named[i] && i != but)
			return true;
	return false;
}

/* Timed pairs of the same: those of all machines. */
static struct ratio of_the_same[COMPARISONS];

static void time_the_same(void)
{
	struct seeded s = { .state = 10 };

	for (size_t i = 0; i < COMPARISONS; i++)
		of_the_same[i] = time_pairs(0, &s);
}

static void check_alarms(struct comparison *c, const struct machine *m, size_t nr_run)
{
	struct seeded s = { .state = 11 };
	char title[150];
	int nr = 0;

	for (int i = 0; i < COMPARISONS; i++) {
		c->side[0].nr = c->side[1].nr = 0;
		c->ratio = of_the_same[i];
		record_until(c, m, 0, nr_run, &s);
		judge(c);
		nr += names_another(c, FUNCTIONS);
	}
	snprintf(title, sizeof(title),
		 "names a function in at most 5 %% of comparisons of the same: %s, %zu runs",
		 m->name, nr_run);
	if (!ok(nr <= COMPARISONS / 20, title) || getenv("VERBOSE"))
		printf("# %d of %d\n", nr, COMPARISONS);
}

/* Twice the change in CPU time that another comparison calls detectable. */
static void check_power(struct comparison *c, const struct machine *m)
{
	struct seeded s = { .state = 12 };
	char title[150];
	int nr = 0, nr_other = 0;
	double runs = 0;

	for (int i = 0; i < COMPARISONS_PLANTED; i++) {
		double change = 2 * of_the_same[i].detectable;

		compare_auto(c, m, change, &s);
		nr += c->largest == PLANTED;
		nr_other += names_another(c, PLANTED);
		runs += (double)c->side[0].nr / COMPARISONS_PLANTED;
	}
	snprintf(title, sizeof(title),
		 "names the changed function first in 9 of 10 comparisons: %s", m->name);
	if (!ok(nr * 10 >= COMPARISONS_PLANTED * 9, title) || getenv("VERBOSE"))
		printf("# %d of %d, with %.0f runs\n", nr, COMPARISONS_PLANTED, runs);
	snprintf(title, sizeof(title), "names another function in at most 5 %% of comparisons: %s",
		 m->name);
	if (!ok(nr_other * 20 <= COMPARISONS_PLANTED, title) || getenv("VERBOSE"))
		printf("# %d of %d\n", nr_other, COMPARISONS_PLANTED);
}

/* The planted function takes 0.2 more, and so does the run; one other function is looked at. */
static void check_coverage(struct comparison *c, const struct machine *m)
{
	struct seeded s = { .state = 13 };
	char title[150];
	int nr = 0, nr_other = 0;

	for (int i = 0; i < COMPARISONS_PLANTED; i++) {
		struct explained f[2];
		double *all, *part[2];
		struct explaining o = { .cpu = 1, .nr_run = { 10, 10 }, .confidence = 0.95 };

		c->side[0].nr = c->side[1].nr = 0;
		o.ratio = time_pairs(0.2, &s);
		record_until(c, m, 0.2, 10, &s);
		o.all = all = joined(c->side[0].all, c->side[1].all, 10);
		for (size_t k = 0; k < 2; k++)
			f[k].part = part[k] = joined(c->side[0].part[k], c->side[1].part[k], 10);
		explain(&o, f, 2);
		nr_other += fabs(f[0].share) <= f[0].error;
		nr += fabs(f[1].share - 1) <= f[1].error;
		free(part[0]);
		free(part[1]);
		free(all);
	}
	snprintf(
		title, sizeof(title),
		"the error of the changed function covers its true share in 93 %% of comparisons: %s",
		m->name);
	if (!ok(nr >= 0.93 * COMPARISONS_PLANTED, title) || getenv("VERBOSE"))
		printf("# %d of %d\n", nr, COMPARISONS_PLANTED);
	snprintf(
		title, sizeof(title),
		"the error of an unchanged function covers its true share in 93 %% of comparisons: %s",
		m->name);
	if (!ok(nr_other >= 0.93 * COMPARISONS_PLANTED, title) || getenv("VERBOSE"))
		printf("# %d of %d\n", nr_other, COMPARISONS_PLANTED);
}

int main(void)
{
	struct comparison *c = xcalloc(1, sizeof(*c));

	check_values();
	time_the_same();
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		check_alarms(c, &machines[i], 5);
		check_alarms(c, &machines[i], 20);
		check_power(c, &machines[i]);
		/* Outliers are in the samples here, but not in the times: no share is right. */
		if (!machines[i].has_outliers)
			check_coverage(c, &machines[i]);
	}
	free(c);
	return done();
}
