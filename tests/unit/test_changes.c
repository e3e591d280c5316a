/* What changed: sums of frames and functions, and of runs. */
#include "fold/changes.h"

#include "span_tap.h"
#include "stacks.h"

#include <math.h>

static const char *const events[] = { "before", "after", NULL };

static void add(struct profile *p, uint32_t event, const char *path, uint64_t nr, const char *run)
{
	struct label label = { .key = profile_string(p, SPAN(RUN_LABEL)),
			       .value = profile_string(p, span_of(run)) };
	struct count c = { .event = event, .stack = stack_of(p, path), .nr = nr };

	c.weight = (int64_t)nr * 10;
	if (*run)
		c.labels = profile_labels(p, &label, 1);
	profile_add_count(p, &c);
}

static uint32_t function_of(const struct changes *c, const char *name)
{
	return labels_find(&c->tree.labels, span_of(name));
}

static void is_counts(const struct noise_item *item, double before, double after, const char *what)
{
	is_int(item->count[0], before, what);
	is_int(item->count[1], after, "the count after is the sum of the side after");
}

/* Samples of one run per side. */
static const struct changes_opts one_run = { .normalize = NORMALIZE_TOTAL,
					     .confidence = 0.95,
					     .basis = BASIS_SAMPLES,
					     .nr_run = { 1, 1 } };

static void test_sums(void)
{
	struct changes_opts o = one_run;
	const struct change_list *f;
	struct profile p;
	struct changes c;
	uint32_t a, all;

	init_profile(&p, events);
	add(&p, EVENT_BEFORE, "main;a", 100, "");
	add(&p, EVENT_BEFORE, "main;a;b;a", 50, "");
	add(&p, EVENT_BEFORE, "main;gone", 60, "");
	add(&p, EVENT_AFTER, "main;a", 110, "");
	add(&p, EVENT_AFTER, "main;new;deep", 90, "");
	changes_init(&c, &p, &o);
	f = &c.functions;
	all = (uint32_t)f->nr - 1;
	ok(c.claim, "numbers of samples are a basis for verdicts");
	is_counts(&c.nodes.item[0], 210, 200, "the root has all samples");
	is_counts(&f->item[all], 210, 200, "the item behind the last function has all samples");
	a = function_of(&c, "a");
	is_counts(&f->item[a], 150, 110, "a sample counts once for a recursive function");
	is_counts(&f->item[function_of(&c, "gone")], 60, 0,
		  "a function that is gone keeps its count before");
	is_int(f->verdict[function_of(&c, "gone")], NOISE_LESS,
	       "a function that is gone has become less");
	is_int(f->verdict[function_of(&c, "new")], NOISE_MORE, "a new function has become more");
	is_int(f->verdict[function_of(&c, "main")], NOISE_INSIDE,
	       "a function with all samples does not change as a share");
	ok(f->item[function_of(&c, "new")].same != f->item[function_of(&c, "deep")].same,
	   "of two functions with the same samples only one is tested");
	is_int(f->like[function_of(&c, "new")], f->like[function_of(&c, "deep")],
	       "functions with the same samples share the label that is tested");
	is_int(f->like[function_of(&c, "main")], all,
	       "a function with all samples is tested as everything");
	is_int(f->like[a], a, "a function with samples of its own is tested for itself");
	changes_release(&c);

	o.normalize = NORMALIZE_NONE;
	changes_init(&c, &p, &o);
	is_int(c.functions.noise.model, NOISE_RATE,
	       "counts are compared as rates if they are not normalized");
	is_int(c.functions.verdict[all], NOISE_INSIDE,
	       "210 and 200 samples are not significantly different");
	changes_release(&c);

	o.basis = BASIS_NONE;
	changes_init(&c, &p, &o);
	ok(!c.claim, "without a basis there are no verdicts");
	is_counts(&c.nodes.item[0], 2100, 2000, "weights are summed if there is no basis");
	is_int(c.functions.verdict[function_of(&c, "gone")], NOISE_INSIDE,
	       "a function that is gone has no verdict if there is no basis");
	changes_release(&c);
	profile_release(&p);
}

static void test_truncated(void)
{
	const struct change_list *f;
	struct profile p;
	struct changes c;
	double low, high;

	/* The same program, of which a third is truncated after; and a function that is new. */
	init_profile(&p, events);
	add(&p, EVENT_BEFORE, "main;sort;merge", 600, "");
	add(&p, EVENT_BEFORE, "main;work", 400, "");
	add(&p, EVENT_AFTER, "main;sort;merge", 250, "");
	add(&p, EVENT_AFTER, "[truncated];merge", 350, "");
	add(&p, EVENT_AFTER, "main;work", 200, "");
	add(&p, EVENT_AFTER, "main;new", 200, "");
	changes_init(&c, &p, &one_run);
	f = &c.functions;
	is_int(c.truncated[0], 0, "no sample is truncated before");
	is_int(c.truncated[1], 350, "the samples of truncated stacks are counted after");
	is_int(f->verdict[function_of(&c, "main")], NOISE_INSIDE,
	       "a caller that truncated stacks lack has not changed");
	noise_interval(&f->noise, &f->item[function_of(&c, "main")], &low, &high);
	ok(low < 0 && high > 0, "the interval of a caller that truncated stacks lack contains 0");
	is_int(f->verdict[function_of(&c, "[truncated]")], NOISE_INSIDE,
	       "truncation is not a change of the program");
	is_int(f->verdict[function_of(&c, "new")], NOISE_MORE,
	       "a new function is found in spite of truncated stacks");
	for (uint32_t n = 1; n < c.nodes.nr; n++)
		if (tree_label(&c.tree, n) == function_of(&c, "merge"))
			is_int(c.nodes.verdict[n], NOISE_INSIDE,
			       "a frame that truncation moved has not changed");
	changes_release(&c);
	profile_release(&p);

	/* If everything that grew is truncated, it still grew. */
	init_profile(&p, events);
	add(&p, EVENT_BEFORE, "main;work", 1000, "");
	add(&p, EVENT_AFTER, "main;work", 700, "");
	add(&p, EVENT_AFTER, "[truncated];deep", 300, "");
	changes_init(&c, &p, &one_run);
	is_int(c.functions.verdict[function_of(&c, "deep")], NOISE_MORE,
	       "a new function in truncated stacks is found");
	changes_release(&c);
	profile_release(&p);
}

static void test_runs(void)
{
	static const double seconds[] = { 1, 2, 4 };
	struct changes_opts o = { .normalize = NORMALIZE_TOTAL,
				  .confidence = 0.95,
				  .basis = BASIS_SAMPLES,
				  .nr_run = { 2, 1 },
				  .run_size = seconds };
	struct profile p;
	struct changes c;
	uint32_t a;

	init_profile(&p, events);
	add(&p, EVENT_BEFORE, "main;a", 10, "1");
	add(&p, EVENT_BEFORE, "main;a", 30, "2");
	add(&p, EVENT_BEFORE, "main;b", 20, "2");
	add(&p, EVENT_AFTER, "main;a", 70, "");
	changes_init(&c, &p, &o);
	a = function_of(&c, "a");
	ok(c.nodes.noise.spread, "several runs have a spread");
	is_counts(&c.functions.item[a], 40, 70, "counts of runs are added up by side");
	is_int(c.functions.item[a].run[0], 10, "the first run of the side before keeps its count");
	is_int(c.functions.item[a].run[1], 30, "the second run of the side before keeps its count");
	is_int(c.functions.item[a].run[2], 70, "the run of the side after keeps its count");
	is_int(c.run_size[1], 50, "the size of a run is its number of samples");
	changes_release(&c);

	o.normalize = NORMALIZE_DURATION;
	changes_init(&c, &p, &o);
	/* A sample weighs 10. */
	is_int(lround(c.run_size[1] * 10), 2,
	       "the size of a run is its duration if normalized by duration");
	is_int(lround(c.nodes.noise.time[0] * 10), 3,
	       "the time of a side is the sum of the durations of its runs");
	is_int(lround(noise_change(&c.nodes.noise, &c.nodes.item[0]) * 1000), -125,
	       "70 in 4 s are an eighth less than 60 in 3 s");
	changes_release(&c);
	profile_release(&p);
}

/* Ten times as many samples of a tenth of the weight are no change. */
static void test_period(void)
{
	struct changes_opts o = { .normalize = NORMALIZE_NONE,
				  .confidence = 0.95,
				  .basis = BASIS_SAMPLES };
	struct profile p;
	struct changes c;

	init_profile(&p, events);
	add(&p, EVENT_BEFORE, "main;a", 100, "");
	add(&p, EVENT_AFTER, "main;a", 1000, "");
	for (size_t i = 0; i < p.nr_count; i++)
		p.count[i].weight = 1000;
	changes_init(&c, &p, &o);
	is_int(c.nodes.verdict[0], NOISE_INSIDE, "a higher sampling rate is no change");
	is_int(lround(noise_change(&c.nodes.noise, &c.nodes.item[0]) * 1000), 0,
	       "a change is the change of weights, not of numbers of samples");
	changes_release(&c);
	profile_release(&p);
}

static void test_known(void)
{
	static const struct {
		const char *name, *unit;
		int scale;
		bool known;
	} cases[] = {
		{ "samples", "samples", 0, true }, { "samples", "samples", -2, false },
		{ "samples", "count", 0, true },   { "calls", "count", 0, false },
		{ "cycles", "cycles", 0, true },   { "cpu-clock", "ns", 0, true },
		{ "off-cpu", "us", 0, false },	   { "alloc", "bytes", 0, false },
		{ "cpu", "nanoseconds", 0, true }, { "time", "permille", 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct profile p;
		uint32_t event;

		profile_init(&p);
		event = profile_event(&p, span_of(cases[i].name), span_of(cases[i].unit));
		p.event[event].scale = cases[i].scale;
		is_int(samples_known(&p, event), cases[i].known, cases[i].unit);
		profile_release(&p);
	}
}

static void test_basis(void)
{
	static const struct {
		const char *before, *after;
		bool measured[2];
		enum change_basis want;
		const char *what;
	} cases[] = {
		{ "cycles",
		  "cycles",
		  { false, false },
		  BASIS_SAMPLES,
		  "a comparison of sampled events is based on numbers of samples" },
		{ "ns",
		  "ns",
		  { true, true },
		  BASIS_MEASURED,
		  "a comparison of measured events is based on their weights" },
		{ "ns",
		  "us",
		  { true, true },
		  BASIS_NONE,
		  "a comparison has no basis if units differ" },
		{ "ns",
		  "ns",
		  { true, false },
		  BASIS_NONE,
		  "a comparison has no basis if only one side was measured" },
		{ "count",
		  "count",
		  { true, true },
		  BASIS_NONE,
		  "a comparison has no basis if the unit is 'count', which stands for several" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct profile p;

		profile_init(&p);
		profile_event(&p, SPAN("before"), span_of(cases[i].before));
		profile_event(&p, SPAN("after"), span_of(cases[i].after));
		for (int k = 0; k < 2; k++)
			p.event[k].source = cases[i].measured[k] ? SOURCE_MEASURED : SOURCE_SAMPLED;
		is_int(changes_basis(&p), cases[i].want, cases[i].what);
		profile_release(&p);
	}
}

/* Weights are measured, with decimals; each run of a side has some. */
static void test_measured(void)
{
	static const char *const runs[] = { "1", "2", "3" };
	struct changes_opts o = { .normalize = NORMALIZE_NONE,
				  .confidence = 0.95,
				  .basis = BASIS_MEASURED };
	struct profile p;
	struct changes c;

	init_profile(&p, events);
	for (uint64_t i = 0; i < 3; i++) {
		add(&p, EVENT_BEFORE, "main;a", 100 + i, runs[i]);
		add(&p, EVENT_AFTER, "main;a", 200 - i, runs[i]);
		add(&p, EVENT_BEFORE, "main;b", 50 + i, runs[i]);
		add(&p, EVENT_AFTER, "main;b", 52 - i, runs[i]);
	}
	for (size_t i = 0; i < p.nr_count; i++)
		p.count[i].nr = 1;
	p.event[EVENT_BEFORE].scale = p.event[EVENT_AFTER].scale = -1;
	changes_init(&c, &p, &o);
	ok(c.claim, "three runs a side of measurements make a claim");
	is_int(c.scale, -1, "measurements are whole numbers of their finest unit");
	is_counts(&c.functions.item[function_of(&c, "a")], 3030, 5970,
		  "counts of measured events are weights");
	is_int(c.functions.verdict[function_of(&c, "a")], NOISE_MORE,
	       "a measured function that is more in all runs has become more");
	is_int(c.functions.verdict[function_of(&c, "b")], NOISE_INSIDE,
	       "a measured function that varies as much between runs has not changed");
	changes_release(&c);

	o.nr_run[0] = 2;
	changes_init(&c, &p, &o);
	ok(!c.claim, "two runs of a side of measurements make no claim");
	changes_release(&c);
	profile_release(&p);
}

int main(void)
{
	test_basis();
	test_measured();
	test_sums();
	test_truncated();
	test_runs();
	test_period();
	test_known();
	return done();
}
