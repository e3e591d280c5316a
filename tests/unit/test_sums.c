/* What is spent where, by any facts in any order. */
#include "fold/sums.h"

#include "base/alloc.h"
#include "profile/spelling.h"
#include "span_tap.h"

static frame_id frame(struct profile *p, const char *module, const char *function, unsigned flags)
{
	struct line line = { .function = profile_string(p, span_of(function)),
			     .file = profile_string(p, SPAN("x.c")),
			     .line = (uint32_t)strlen(function) };
	struct frame f = { .flags = flags,
			   .module = profile_module(p, span_of(module), SPAN("")),
			   .line = &line,
			   .nr_line = 1 };

	return profile_frame(p, &f);
}

static void check(const struct profile *p, const struct sums_opts *with, const char *want,
		  const char *what)
{
	static const bool first[] = { true, false };
	struct sums_opts o = *with;
	struct strbuf got = { 0 };
	struct sums s;

	o.in = first;
	sums_init(&s, p, &o);
	strbuf_add(&got, SPAN(""));
	for (size_t i = 0; i < s.nr; i++) {
		strbuf_add(&got, i ? SPAN(", ") : SPAN(""));
		for (size_t k = 0; k < s.nr_key; k++) {
			strbuf_add(&got, sums_peek(&s, &s.row[i], k));
			strbuf_addch(&got, ' ');
		}
		sum_add_digits(&got, s.row[i].self, s.scale);
		strbuf_addch(&got, '/');
		sum_add_digits(&got, s.row[i].total, s.scale);
	}
	is_str(got.at, want, what);
	strbuf_release(&got);
	sums_release(&s);
}

#define KEYS(...) \
	(struct sums_opts) \
	{ \
		.key = (const enum sum_key[]){ __VA_ARGS__ }, \
		.nr_key = sizeof((const enum sum_key[]){ __VA_ARGS__ }) / sizeof(enum sum_key) \
	}

static void test_keys(void)
{
	struct profile p;
	struct thread one = { .pid = 1, .tid = 2 }, two = { .pid = 1, .tid = 3 };
	struct tick t = { .weight = 5 };
	struct sums_opts by_weight, samples;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	profile_event(&p, SPAN("faults"), SPAN("faults"));
	one.comm = two.comm = profile_string(&p, SPAN("a b"));
	check(&p, &KEYS(SUM_FUNCTION), "", "an empty profile has no rows");
	t.thread = profile_thread(&p, &one);
	t.stack = profile_push(&p, t.stack, frame(&p, "/bin/app", "main", 0));
	t.stack = profile_push(&p, t.stack, frame(&p, "/bin/app", "f", 0));
	t.stack = profile_push(&p, t.stack, frame(&p, "/lib/libc.so", "f", 0));
	profile_add(&p, &t);
	t.stack = p.stack[t.stack.i].caller;
	t.weight = 2;
	t.thread = profile_thread(&p, &two);
	profile_add(&p, &t);
	t.event = 1;
	profile_add(&p, &t);
	t.event = 0;
	t.stack = profile_push(&p, t.stack, frame(&p, "", "g", FRAME_INLINED));
	profile_add(&p, &t);

	check(&p, &KEYS(SUM_FUNCTION), "f 7/9, g 2/2, main 0/9",
	      "by function, a name that is on a stack twice counts once");
	check(&p, &KEYS(SUM_MODULE, SUM_FUNCTION),
	      "libc.so f 5/5, app f 2/9, app g 2/2, app main 0/9",
	      "by module and function, an inlined call is in the module of its caller");
	check(&p, &KEYS(SUM_MODULE), "libc.so 5/5, app 4/9",
	      "by module, rows have self and total cost");
	check(&p, &KEYS(SUM_COMM), "a b 9/9", "by comm, threads of the same name are one row");
	check(&p, &KEYS(SUM_THREAD), "a b-1/2 5/5, a b-1/3 4/4", "by thread, each thread is a row");
	check(&p, &KEYS(SUM_FUNCTION, SUM_THREAD),
	      "f a b-1/2 5/5, f a b-1/3 2/4, g a b-1/3 2/2, main a b-1/2 0/5, main a b-1/3 0/4",
	      "by function and thread, each pair is a row");
	check(&p, &KEYS(SUM_LINE), "x.c:1 9/9, x.c:4 0/9",
	      "by line, functions of the same line are one row");
	by_weight = samples = KEYS(SUM_FUNCTION);
	samples.samples = true;
	check(&p, &samples, "f 2/3, g 1/1, main 0/3", "by samples, rows have numbers of samples");
	profile_rescale(&p, 0, -2);
	check(&p, &by_weight, "f 7/9, g 2/2, main 0/9", "a rescaled event has the same sums");
	profile_release(&p);
}

/* A key that is a label of samples needs no code of its own. */
static void test_label_keys(void)
{
	for (int key = 0; key < NR_SUM_KEYS; key++) {
		const char *name = sum_key_row((enum sum_key)key)->label;
		struct tick t = { .weight = 5 };
		struct profile p;
		struct label label;

		if (!name)
			continue;
		profile_init(&p);
		profile_event(&p, SPAN("cycles"), SPAN("cycles"));
		t.stack = profile_push(&p, t.stack, frame(&p, "/bin/app", "main", 0));
		label = (struct label){ .key = profile_string(&p, span_of(name)),
					.value = profile_string(&p, SPAN("7")) };
		t.labels = profile_labels(&p, &label, 1);
		profile_add(&p, &t);
		check(&p, &KEYS((enum sum_key)key), "7 5/5", name);
		profile_release(&p);
	}
}

static void check_digits(weight_sum sum, int scale, const char *want)
{
	struct strbuf got = { 0 };

	sum_add_digits(&got, sum, scale);
	is_str(got.at, want, want);
	strbuf_release(&got);
}

int main(void)
{
	test_keys();
	test_label_keys();
	check_digits(0, 0, "0");
	check_digits(0, -3, "0");
	check_digits(-12, 0, "-12");
	check_digits(1200, -2, "12");
	check_digits(1250, -2, "12.5");
	check_digits(-5, -3, "-0.005");
	check_digits((weight_sum)INT64_MAX * 1000, -3, "9223372036854775807");
	return done();
}
