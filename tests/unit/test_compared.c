/* What a page says of its comparison, whatever it says. */
#include "read/pictures/compared.h"

#include "tap.h"

#include <stdio.h>

static struct compared with_times(const char *times)
{
	struct compared c = { 0 };

	compared_set(&c, SPAN("normalize"), SPAN("duration"));
	compared_set(&c, SPAN("times"), span_of(times));
	return c;
}

static void test_times(void)
{
	struct compared c = with_times("1.5,1.25;1.75");

	ok(compared_has_sizes(&c), "times of both sides give the sizes of runs");
	is_int((long)c.nr_run[0], 2, "times of the side before are those of two runs");
	is_int((long)c.nr_run[1], 1, "times of the side after are those of one run");
	ok(c.run_size[0] == 1.5, "the first run has its seconds");
	ok(c.run_size[1] == 1.25, "the second run has its seconds");
	ok(c.run_size[2] == 1.75, "the third run has its seconds");
	compared_set(&c, SPAN("normalize"), SPAN("total"));
	ok(!compared_has_sizes(&c) && !c.not_normalized,
	   "sizes of runs are not used if shares of the total are compared");
}

static void test_nonsense(void)
{
	static const char *const texts[] = { "",      "1",	";",	 "1;",	  ";1",
					     "1;2;3", "1,,2;3", "1;-2",	 "1;nan", "x;1",
					     "0;1",   "1;2,",	"1e99;1" };
	char many[4 * COMPARED_RUNS_MAX + 8];
	size_t at = 0;
	struct compared c;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		c = with_times(texts[i]);
		ok(!compared_has_sizes(&c), texts[i]);
	}
	while (at < 2 * COMPARED_RUNS_MAX)
		at += (size_t)snprintf(many + at, sizeof(many) - at, "1,");
	snprintf(many + at - 1, sizeof(many) - at + 1, ";1");
	c = with_times(many);
	ok(!compared_has_sizes(&c), "times of more runs than COMPARED_RUNS_MAX are ignored");
}

static void test_rest(void)
{
	struct compared c = { 0 };

	compared_set(&c, SPAN("width"), SPAN("either"));
	compared_set(&c, SPAN("normalize"), SPAN("none"));
	compared_set(&c, SPAN("confidence"), SPAN("0.99"));
	compared_set(&c, SPAN("title"), SPAN("x"));
	ok(c.either, "width 'either' makes frames as wide as their wider side");
	ok(c.not_normalized, "a comparison by none is not normalized");
	ok(!c.in_time, "a comparison by none is not one of durations");
	ok(c.confidence == 0.99, "a comparison has the confidence that was asked for");
	compared_set(&c, SPAN("confidence"), SPAN("7"));
	ok(c.confidence == 0, "a confidence above 1 counts as not given");
}

int main(void)
{
	test_times();
	test_nonsense();
	test_rest();
	return done();
}
