/* Noise: the cases of tests/noise, and by simulation that claims are false as rarely as is said. */
#include "fold/noise.h"

#include "base/alloc.h"
#include "base/chance.h"
#include "random.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

/* ---- tests/noise/cases.txt ---- */

enum { MAX_ITEMS = 64, MAX_RUNS = 16, MAX_NUMBERS = 32 };

struct family {
	char title[128];
	struct noise n;
	double run_size[MAX_RUNS];
	struct noise_item item[MAX_ITEMS];
	double run[MAX_ITEMS][MAX_RUNS];
	uint32_t parent[MAX_ITEMS];
	size_t nr, nr_want, nr_kernel;
	unsigned nr_wrong;
};

static size_t numbers_of(const char *text, double *number)
{
	size_t nr = 0;

	while (nr < MAX_NUMBERS) {
		char *end;

		number[nr] = strtod(text, &end);
		if (end == text)
			break;
		nr++;
		text = end;
	}
	return nr;
}

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-7 * fabs(want) + 1e-12 || (isinf(got) && isinf(want));
}

static void check(struct family *f, const char *what, double got, double want)
{
	if (near(got, want))
		return;
	f->nr_wrong++;
	printf("# item %zu: %s is %.12g, not %.12g\n", f->nr_want, what, got, want);
}

static void begin_family(struct family *f, const char *model, const double *v)
{
	f->n = (struct noise){
		.model = strstr(model, "rate") ? NOISE_RATE : NOISE_SHARE,
		.measured = !strncmp(model, "measured", strlen("measured")),
		.total = { v[0], v[1] },
		.time = { v[2], v[3] },
		.confidence = v[4],
		.nr_run = { (size_t)v[5], (size_t)v[6] },
		.missed = v[7],
		.run = f->run_size,
	};
	f->nr = f->nr_want = f->nr_kernel = f->nr_wrong = 0;
}

static void add_item(struct family *f, const double *v, size_t nr)
{
	struct noise_item *item = &f->item[f->nr];

	f->parent[f->nr] = (uint32_t)v[0];
	*item = (struct noise_item){ .count = { v[1], v[2] }, .run = f->run[f->nr] };
	for (size_t i = 3; i < nr; i++)
		f->run[f->nr][i - 3] = v[i];
	if (f->nr) {
		const struct noise_item *parent = &f->item[f->parent[f->nr]];

		item->same = v[1] + v[2] == parent->count[0] + parent->count[1];
	}
	f->nr++;
}

static void add_kernel(struct family *f, const double *v)
{
	double *of_item = f->item[f->nr_kernel].kernel;

	of_item[0] = v[0];
	of_item[1] = v[1];
	if (!f->nr_kernel++)
		memcpy(f->n.kernel, of_item, sizeof(f->n.kernel));
}

static void want_item(struct family *f, const double *v)
{
	const struct noise_item *item = &f->item[f->nr_want];
	double low, high;

	if (!f->nr_want) {
		noise_level(&f->n, f->item, f->nr);
		noise_spread(&f->n, f->item, f->parent, f->nr);
	}
	noise_interval(&f->n, item, &low, &high);
	check(f, "verdict", noise_judge(&f->n, item), v[0]);
	if (!f->n.measured)
		check(f, "chance", noise_chance(&f->n, item), v[1]);
	check(f, "change", noise_change(&f->n, item), v[2]);
	check(f, "low", low, v[3]);
	check(f, "high", high, v[4]);
	f->nr_want++;
}

static void end_family(struct family *f, const double *v)
{
	check(f, "number of tests", f->n.nr_test, v[0]);
	if (f->n.spread) {
		check(f, "typical dispersion", f->n.typical, v[1]);
		check(f, "what it is worth", f->n.typical_df, v[2]);
	}
	ok(f->nr_want == f->nr && !f->nr_wrong, f->title);
}

static void test_cases(void)
{
	FILE *in = fopen("tests/noise/cases.txt", "re");
	struct family f = { .title = "" };
	char line[1024];

	if (!ok(in, "tests/noise/cases.txt opens"))
		return;
	while (fgets(line, sizeof(line), in)) {
		double v[MAX_NUMBERS] = { 0 };
		char word[16] = "", model[24] = "";

		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#') {
			snprintf(f.title, sizeof(f.title), "noise matches cases.txt: %.100s",
				 line + 2);
		} else if (sscanf(line, "%15s %23s", word, model) == 2) {
			const char *rest = line + strlen(word) + 1;
			size_t nr = numbers_of(rest, v);

			if (!strcmp(word, "family")) {
				numbers_of(rest + strlen(model), v);
				begin_family(&f, model, v);
			} else if (!strcmp(word, "run")) {
				memcpy(f.run_size, v, sizeof(f.run_size));
			} else if (!strcmp(word, "item")) {
				add_item(&f, v, nr);
			} else if (!strcmp(word, "kernel")) {
				add_kernel(&f, v);
			} else if (!strcmp(word, "want")) {
				want_item(&f, v);
			} else if (!strcmp(word, "end")) {
				end_family(&f, v);
			}
		}
	}
	fclose(in);
}

/* ---- chance ---- */

static void test_chance(void)
{
	ok(near(normal_tail(1.959963984540054), 0.025),
	   "normal_tail is the upper tail of the normal distribution");
	ok(near(normal_tail(-1.959963984540054), 0.975),
	   "normal_tail is above 1/2 for a negative z");
	ok(near(normal_tail(6), 9.865876450376981e-10), "normal_tail is exact at z = 6");
	ok(near(normal_quantile(0.025), 1.959963984540054),
	   "normal_quantile is the z of an upper tail");
	ok(near(student_quantile(0.025, 4), 2.7764451051977987),
	   "student_quantile is exact for 4 degrees of freedom");
	ok(near(student_quantile(0.0005, 1), 636.6192487687196),
	   "student_quantile is exact for 1 degree of freedom");
	ok(near(digamma(0.5), -1.9635100260214235), "digamma is exact at 1/2");
	ok(near(trigamma(0.5), 4.934802200544679), "trigamma is exact at 1/2");
	ok(near(trigamma(trigamma_inverse(0.3)), 0.3),
	   "trigamma_inverse is the inverse of trigamma");
}

/* Counts so large that no sum of terms is made. */
static void test_large(void)
{
	struct noise n = { .confidence = 0.95, .total = { 1e9, 1e9 } };
	struct noise_item same = { .count = { 2e8, 2e8 + 2e4 } };
	struct noise_item more = { .count = { 2e8, 3e8 } };
	double low, high;

	noise_level(&n, &more, 1);
	ok(noise_judge(&n, &same) == NOISE_INSIDE,
	   "a small change among 1e9 samples is within the noise");
	ok(noise_judge(&n, &more) == NOISE_MORE,
	   "a large change among 1e9 samples is not within the noise");
	noise_interval(&n, &more, &low, &high);
	ok(low > 0 && low < noise_change(&n, &more) && high > noise_change(&n, &more),
	   "the interval of a large change among 1e9 samples holds it, and not 0");
	n.total[1] = 0;
	ok(!noise_is_testable(&n), "a comparison is not testable if a side has no samples");
}

/* ---- simulation ---- */

enum { NR_NODE = 300 };

/* A call tree, and where its samples end. */
struct program {
	uint32_t parent[NR_NODE];
	double weight[NR_NODE];
};

static double random_real(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

/* Near enough to a normal variable. */
static double random_normal(struct random *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += random_real(r);
	return sum;
}

/* Hot and cold functions: weights over three orders of magnitude. */
static void program_init(struct program *p, struct random *r)
{
	for (uint32_t i = 0; i < NR_NODE; i++) {
		p->parent[i] = i < 2 ? 0 : i - 1 - random_below(r, i < 8 ? i : 8);
		p->weight[i] = pow(random_real(r) + 0.01, -1.5);
	}
}

/* Draws by two random numbers (Walker's alias method). */
struct die {
	double keep[NR_NODE];
	uint32_t other[NR_NODE];
};

static void die_init(struct die *d, const double *weight)
{
	uint32_t small[NR_NODE], large[NR_NODE];
	size_t nr_small = 0, nr_large = 0;
	double sum = 0;

	for (uint32_t i = 0; i < NR_NODE; i++)
		sum += weight[i];
	for (uint32_t i = 0; i < NR_NODE; i++) {
		d->keep[i] = weight[i] / sum * NR_NODE;
		d->other[i] = i;
		if (d->keep[i] < 1)
			small[nr_small++] = i;
		else
			large[nr_large++] = i;
	}
	while (nr_small && nr_large) {
		uint32_t s = small[--nr_small], l = large[nr_large - 1];

		d->other[s] = l;
		d->keep[l] -= 1 - d->keep[s];
		if (d->keep[l] < 1) {
			small[nr_small++] = l;
			nr_large--;
		}
	}
}

/* Inclusive counts of one run: count[node * step]. */
static void sample(const struct program *p, const struct die *d, uint32_t nr, struct random *r,
		   double *count, size_t step)
{
	for (size_t i = 0; i < NR_NODE; i++)
		count[i * step] = 0;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t at = random_below(r, NR_NODE);

		count[(random_real(r) < d->keep[at] ? at : d->other[at]) * step]++;
	}
	for (size_t i = NR_NODE; i-- > 1;)
		count[p->parent[i] * step] += count[i * step];
}

/* What a run takes, in whole units: inclusive, count[node * step]. */
static void measure(const struct program *p, const double *weight, double *count, size_t step)
{
	for (size_t i = 0; i < NR_NODE; i++)
		count[i * step] = floor(1e6 * weight[i]);
	for (size_t i = NR_NODE; i-- > 1;)
		count[p->parent[i] * step] += count[i * step];
}

struct experiment {
	const struct program *before, *after;
	const double *sigma; /* by node: how much its weight differs between runs; NULL: not */
	uint32_t nr_sample;  /* of a run */
	size_t nr_run;	     /* of a side */
	unsigned nr_trial;
	bool forget_runs; /* their spread, that is */
	bool measured;	  /* not sampled: nr_sample is not used */
	uint32_t watched; /* a node, or 0 */
};

struct outcome {
	double claims;	/* share of trials that claim anything */
	double found;	/* share of trials that claim the watched node to be more */
	double covered; /* share of trials whose interval of it holds the truth */
	double nr_test; /* mean */
};

struct trial {
	struct noise n;
	struct noise_item item[NR_NODE];
	double run[NR_NODE][MAX_RUNS], size[MAX_RUNS];
};

static void draw_runs(const struct experiment *x, struct trial *t, struct random *r)
{
	const struct program *side[] = { x->before, x->after };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < x->nr_run; i++) {
			double weight[NR_NODE];
			struct die d;

			for (size_t j = 0; j < NR_NODE; j++)
				weight[j] = side[k]->weight[j] *
					    (x->sigma ? exp(x->sigma[j] * random_normal(r)) : 1);
			if (x->measured) {
				measure(side[k], weight, &t->run[0][k * x->nr_run + i], MAX_RUNS);
				continue;
			}
			die_init(&d, weight);
			sample(side[k], &d, x->nr_sample, r, &t->run[0][k * x->nr_run + i],
			       MAX_RUNS);
		}
}

static void compare(const struct experiment *x, struct trial *t)
{
	t->n = (struct noise){ .confidence = 0.95, .run = t->size, .measured = x->measured };
	for (size_t j = 0; j < NR_NODE; j++) {
		struct noise_item *item = &t->item[j];
		const struct noise_item *parent = &t->item[x->before->parent[j]];

		*item = (struct noise_item){ .run = t->run[j] };
		for (size_t i = 0; i < 2 * x->nr_run; i++)
			item->count[i >= x->nr_run] += t->run[j][i];
		item->same =
			j && item->count[0] + item->count[1] == parent->count[0] + parent->count[1];
	}
	for (int k = 0; k < 2; k++) {
		t->n.total[k] = t->item[0].count[k];
		t->n.nr_run[k] = x->forget_runs ? 1 : x->nr_run;
	}
	memcpy(t->size, t->run[0], sizeof(t->size));
	noise_level(&t->n, t->item, NR_NODE);
	noise_spread(&t->n, t->item, x->before->parent, NR_NODE);
}

static struct outcome experiment(const struct experiment *x, double truth, struct random *r)
{
	struct outcome out = { 0 };
	struct trial *t = xcalloc(1, sizeof(*t));

	for (unsigned i = 0; i < x->nr_trial; i++) {
		bool any = false;

		draw_runs(x, t, r);
		compare(x, t);
		for (size_t j = 0; j < NR_NODE && !any; j++)
			any = noise_judge(&t->n, &t->item[j]) != NOISE_INSIDE;
		out.claims += any;
		out.nr_test += t->n.nr_test;
		if (x->watched) {
			const struct noise_item *item = &t->item[x->watched];
			double low, high;

			out.found += noise_judge(&t->n, item) == NOISE_MORE;
			noise_interval(&t->n, item, &low, &high);
			out.covered += low <= truth && truth <= high;
		}
	}
	out.claims /= x->nr_trial;
	out.found /= x->nr_trial;
	out.covered /= x->nr_trial;
	out.nr_test /= x->nr_trial;
	free(t);
	return out;
}

/* What a share may come out as when it is p: three standard deviations more. */
static double at_most(double p, unsigned nr)
{
	return p + 3 * sqrt(p * (1 - p) / nr);
}

static double sum_below(const struct program *p, uint32_t node)
{
	double total[NR_NODE];

	memcpy(total, p->weight, sizeof(total));
	for (size_t i = NR_NODE; i-- > 1;)
		total[p->parent[i]] += total[i];
	return total[node] / total[0];
}

static void test_nothing_changed(struct random *r)
{
	struct program p;
	double sigma[NR_NODE];
	struct experiment x = { .before = &p, .after = &p, .nr_run = 1, .nr_trial = 2000 };
	struct outcome out;

	program_init(&p, r);
	x.nr_sample = 2000;
	out = experiment(&x, 0, r);
	printf("# %.2f %% of comparisons claim something, %.0f tests\n", 100 * out.claims,
	       out.nr_test);
	ok(out.claims <= at_most(0.05, x.nr_trial),
	   "few comparisons claim a change if nothing changed");
	/* Recordings differ by the floor. */
	for (size_t i = 0; i < NR_NODE; i++)
		sigma[i] = NOISE_FLOOR_ODDS;
	x.sigma = sigma;
	for (x.nr_sample = 500; x.nr_sample <= 50000; x.nr_sample *= 10) {
		x.nr_trial = x.nr_sample > 5000 ? 100 : 1000;
		out = experiment(&x, 0, r);
		printf("# %.2f %% of comparisons claim something, %u samples\n", 100 * out.claims,
		       x.nr_sample);
		ok(out.claims <= at_most(0.05, x.nr_trial),
		   "few comparisons of one run a side claim a change if runs differ by the floor");
	}
}

/* The power of a comparison of two shares, after Φ: the change has to exceed the floor, too. */
static double expected_power(double p, double q, double nr, double nr_test)
{
	double sampling = p * (1 - p) / nr + q * (1 - q) / nr;
	double floor = pow(NOISE_FLOOR_ODDS * p * (1 - p), 2) +
		       pow(NOISE_FLOOR_ODDS * q * (1 - q), 2) + 2 * pow(NOISE_FLOOR_SHARE, 2);
	double reach = normal_quantile(0.025 / nr_test) * sqrt(sampling + floor);

	return normal_tail((reach - (q - p)) / sqrt(sampling));
}

static void test_planted(struct random *r)
{
	struct program p, q;
	struct experiment x = { .before = &p, .after = &q, .nr_run = 1, .nr_trial = 800 };
	struct outcome out;
	double share, power, sum = 0;

	program_init(&p, r);
	q = p;
	/* A leaf of 4 points gets 4 more. */
	x.watched = NR_NODE - 1;
	for (size_t i = 0; i < x.watched; i++)
		sum += p.weight[i];
	p.weight[x.watched] = sum * 0.04 / 0.96;
	q.weight[x.watched] = sum * 0.08 / 0.92;
	share = sum_below(&q, x.watched) - sum_below(&p, x.watched);
	ok(near(share, 0.04), "a change of 4 points is planted");
	x.nr_sample = 1500;
	out = experiment(&x, share, r);
	power = expected_power(0.04, 0.08, x.nr_sample, out.nr_test);
	printf("# found in %.1f %%, expected %.1f %%; %.2f %% of the intervals hold it\n",
	       100 * out.found, 100 * power, 100 * out.covered);
	ok(power > 0.5 && power < 0.9,
	   "1,500 samples make finding the planted change neither certain nor hopeless");
	ok(fabs(out.found - power) < 0.06, "a planted change is found as often as expected");
	ok(out.covered >= 0.99, "the interval of a planted change holds it");
	x.nr_sample = 10000;
	x.nr_trial = 100;
	out = experiment(&x, share, r);
	ok(out.found > 0.97,
	   "a planted change is found in nearly all comparisons of 10,000 samples");
}

static void test_runs(struct random *r)
{
	double alike[NR_NODE], unlike[NR_NODE];
	struct program p;
	struct experiment x = { .before = &p, .after = &p, .nr_run = 5, .nr_trial = 400 };
	struct outcome out;

	program_init(&p, r);
	for (size_t i = 0; i < NR_NODE; i++) {
		alike[i] = 0.3;
		unlike[i] = 0.1 + 0.5 * random_real(r);
	}
	x.nr_sample = 1000;
	x.sigma = alike;
	out = experiment(&x, 0, r);
	printf("# %.2f %% claim something\n", 100 * out.claims);
	ok(out.claims <= at_most(0.05, x.nr_trial),
	   "few comparisons of runs that differ alike claim a change");
	x.sigma = unlike;
	out = experiment(&x, 0, r);
	printf("# %.2f %% claim something\n", 100 * out.claims);
	ok(out.claims <= at_most(0.05, x.nr_trial),
	   "few comparisons of runs claim a change where some functions differ more");
	x.forget_runs = true;
	out = experiment(&x, 0, r);
	printf("# %.2f %% claim something\n", 100 * out.claims);
	ok(out.claims > 0.2,
	   "many comparisons claim a change if the spread between runs is ignored");
	x.forget_runs = false;
	x.sigma = NULL;
	x.nr_trial = 200;
	out = experiment(&x, 0, r);
	printf("# %.2f %% claim something\n", 100 * out.claims);
	ok(out.claims <= at_most(0.05, x.nr_trial),
	   "few comparisons of runs that differ by sampling alone claim a change");
}

static void test_runs_planted(struct random *r)
{
	struct program p, q;
	double sigma[NR_NODE];
	struct experiment x = { .before = &p, .after = &q, .nr_run = 5, .nr_trial = 200 };
	struct outcome out;

	program_init(&p, r);
	q = p;
	x.watched = NR_NODE - 1;
	q.weight[x.watched] = 0;
	for (size_t i = 0; i < x.watched; i++)
		q.weight[x.watched] += q.weight[i] * 0.03;
	p.weight[x.watched] = q.weight[x.watched] / 3;
	for (size_t i = 0; i < NR_NODE; i++)
		sigma[i] = 0.05;
	x.sigma = sigma;
	x.nr_sample = 2000;
	out = experiment(&x, sum_below(&q, x.watched) - sum_below(&p, x.watched), r);
	printf("# found in %.1f %%; %.2f %% of the intervals hold it\n", 100 * out.found,
	       100 * out.covered);
	ok(out.found > 0.9, "a change of 2 points is found if runs differ a little");
	ok(out.covered >= 0.98,
	   "the interval of a change of 2 points holds it if runs differ a little");
}

static void test_measured(struct random *r)
{
	struct noise few = { .total = { 5, 5 }, .nr_run = { 3, 2 }, .measured = true };
	double alike[NR_NODE], unlike[NR_NODE];
	struct program p, q;
	struct experiment x = { .before = &p, .after = &p, .nr_trial = 400, .measured = true };
	struct outcome out;

	ok(!noise_is_testable(&few), "two runs of a side are too few measurements for a claim");
	few.nr_run[1] = 3;
	ok(noise_is_testable(&few), "three runs a side are enough measurements for a claim");
	program_init(&p, r);
	for (size_t i = 0; i < NR_NODE; i++) {
		alike[i] = 0.05;
		unlike[i] = 0.3 * random_real(r);
	}
	for (x.nr_run = 3; x.nr_run <= 5; x.nr_run += 2) {
		x.sigma = alike;
		out = experiment(&x, 0, r);
		printf("# %.2f %% claim something, %zu runs\n", 100 * out.claims, x.nr_run);
		ok(out.claims <= at_most(0.05, x.nr_trial),
		   "few comparisons of measurements that vary alike claim a change");
		x.sigma = unlike;
		out = experiment(&x, 0, r);
		printf("# %.2f %% claim something, %zu runs\n", 100 * out.claims, x.nr_run);
		ok(out.claims <= at_most(0.05, x.nr_trial),
		   "few comparisons of measurements claim a change where some vary more");
	}
	q = p;
	x.after = &q;
	x.watched = NR_NODE - 1;
	for (size_t i = 0; i < x.watched; i++)
		q.weight[x.watched] += q.weight[i] * 0.03;
	x.sigma = alike;
	x.nr_run = 3;
	out = experiment(&x, sum_below(&q, x.watched) - sum_below(&p, x.watched), r);
	printf("# found in %.1f %%; %.2f %% of the intervals hold it\n", 100 * out.found,
	       100 * out.covered);
	ok(out.found > 0.9, "a function that takes 3 points more is found in three runs a side");
	ok(out.covered >= 0.98, "the interval of a measured change of 3 points holds it");
}

int main(void)
{
	struct random r = { 42 };

	test_chance();
	test_cases();
	test_large();
	test_nothing_changed(&r);
	test_planted(&r);
	test_runs(&r);
	test_runs_planted(&r);
	test_measured(&r);
	return done();
}
