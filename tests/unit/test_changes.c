/* What changed: sums of frames and functions, and of runs. */
#include "fold/changes.h"

#include "span_tap.h"
#include "stacks.h"

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
	const struct intern *names = &c->tree.labels.names;

	return intern_find(names, span_of(name), intern_hash(span_of(name)));
}

static void is_counts(const struct noise_item *item, double before, double after, const char *what)
{
	is_int(item->count[0], before, what);
	is_int(item->count[1], after, "  and after");
}

static void test_sums(void)
{
	struct changes_opts o = {
		.normalize = NORMALIZE_TOTAL, .confidence = 0.95, .known = true, .nr_run = { 1, 1 }
	};
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
	ok(c.claim, "numbers of samples make a claim");
	is_counts(&c.nodes.item[0], 210, 200, "the root has all");
	is_counts(&f->item[all], 210, 200, "so has the last function");
	a = function_of(&c, "a");
	is_counts(&f->item[a], 150, 110, "a function that calls itself counts once");
	is_counts(&f->item[function_of(&c, "gone")], 60, 0, "what is gone is still there");
	is_int(f->verdict[function_of(&c, "gone")], NOISE_LESS, "  and known to be gone");
	is_int(f->verdict[function_of(&c, "new")], NOISE_MORE, "what is new is more");
	is_int(f->verdict[function_of(&c, "main")], NOISE_INSIDE,
	       "the whole of a share is no change");
	ok(f->item[function_of(&c, "new")].same != f->item[function_of(&c, "deep")].same,
	   "a function with the samples of another is no further test");
	is_int(f->like[function_of(&c, "new")], f->like[function_of(&c, "deep")],
	       "  and stands with it");
	is_int(f->like[function_of(&c, "main")], all, "main is everything");
	is_int(f->like[a], a, "a stands for itself");
	changes_release(&c);

	o.normalize = NORMALIZE_NONE;
	changes_init(&c, &p, &o);
	is_int(c.functions.noise.model, NOISE_RATE, "numbers are compared when asked for");
	is_int(c.functions.verdict[all], NOISE_INSIDE, "210 and 200 are the same");
	changes_release(&c);

	o.known = false;
	changes_init(&c, &p, &o);
	ok(!c.claim, "without numbers of samples there is no claim");
	is_counts(&c.nodes.item[0], 2100, 2000, "weights are summed instead");
	is_int(c.functions.verdict[function_of(&c, "gone")], NOISE_INSIDE, "and nothing is said");
	changes_release(&c);
	profile_release(&p);
}

static void test_runs(void)
{
	static const double seconds[] = { 1, 2, 4 };
	struct changes_opts o = { .normalize = NORMALIZE_TOTAL,
				  .confidence = 0.95,
				  .known = true,
				  .nr_run = { 2, 1 },
				  .run_time = seconds };
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
	is_counts(&c.functions.item[a], 40, 70, "runs are added up");
	is_int(c.functions.item[a].run[0], 10, "and kept apart: the first");
	is_int(c.functions.item[a].run[1], 30, "the second");
	is_int(c.functions.item[a].run[2], 70, "and after's");
	is_int(c.run_size[1], 50, "a run is as large as its samples");
	changes_release(&c);

	o.normalize = NORMALIZE_DURATION;
	changes_init(&c, &p, &o);
	is_int(c.run_size[1], 2, "or as long as it took");
	is_int(c.nodes.noise.time[0], 3, "a side took what its runs did");
	is_int(noise_change(&c.nodes.noise, &c.nodes.item[0]) * 1000, -125,
	       "70 in 4 s are an eighth less than 60 in 3 s");
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
		{ "cpu", "nanoseconds", 0, true },
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

int main(void)
{
	test_sums();
	test_runs();
	test_known();
	return done();
}
