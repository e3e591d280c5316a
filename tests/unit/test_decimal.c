#include "base/decimal.h"

#include "tap.h"

static void check(const char *s, int digits, int64_t want)
{
	struct decimal d;
	int64_t got = 0;
	char title[80];

	snprintf(title, sizeof(title), "%s has its value at %d digits", s, digits);
	ok(decimal_parse(span_of(s), &d) && decimal_at(d, digits, &got), title);
	is_int(got, want, title);
}

static void refuse(const char *s)
{
	struct decimal d;

	ok(!decimal_parse(span_of(s), &d), s);
}

static void test_digits(const char *s, int want)
{
	struct decimal d = { .digits = -1 };

	ok(decimal_parse(span_of(s), &d), s);
	is_int(d.digits, want, "a number has as many digits as it needs, at most 9");
}

static void test_sum(void)
{
	struct decimal a, b;
	int64_t sum = 0;

	decimal_parse(SPAN("0.1"), &a);
	decimal_parse(SPAN("0.25"), &b);
	a = decimal_add(a, b);
	is_int(a.digits, 2, "a sum has the digits of its finer part");
	ok(decimal_at(a, 2, &sum), "a sum of decimals fits into 64 bits");
	is_int(sum, 35, "a sum of decimals is exact");
}

static void test_product(void)
{
	struct decimal d;
	int64_t product = 0;

	decimal_parse(SPAN("1.5"), &d);
	ok(decimal_times(&d, 60000000000), "multiplies a number with a fraction");
	ok(decimal_at(d, 0, &product), "a product fits into 64 bits");
	is_int(product, 90000000000, "a product is exact");
	decimal_parse(SPAN("999999999999999999999999999"), &d);
	ok(!decimal_times(&d, 60000000000), "rejects a product of more than 27 digits");
	ok(!decimal_parse(SPAN("1e39"), &d), "rejects 1e39");
	is_int((int64_t)d.value, 0, "a rejected number is 0");
}

int main(void)
{
	int64_t too_large;
	struct decimal d;

	test_product();

	check("0", 0, 0);
	check("12", 3, 12000);
	check("-12.5", 1, -125);
	check("1e3", 0, 1000);
	check("1.5E-2", 4, 150);
	check("0.0000000005", 9, 1);
	check("1600000000000000.125", 3, 1600000000000000125);
	check("12.46", 0, 12);
	check("12.5", 0, 13);
	check("-12.5", 0, -13);
	check(".5", 1, 5);
	check("5.", 1, 50);
	check("1e-9999", 9, 0);
	check("0e99999999999999", 0, 0);
	test_digits("1.500", 1);
	test_digits("1500", 0);
	test_digits("3.14159265358979", 9);
	test_sum();
	refuse("");
	refuse("-");
	refuse(".");
	refuse("1.2.3");
	refuse("1x");
	refuse("1e");
	refuse("1e+");
	refuse("NaN");
	refuse("+1");
	refuse("1e400");
	refuse("10000000000000000000000000000000");
	ok(decimal_parse(SPAN("1e20"), &d) && !decimal_at(d, 0, &too_large),
	   "1e20 does not fit into int64_t");
	/* These would be 0 in 128 bits: 10^128 is a multiple of 2^128. */
	decimal_parse(SPAN("1e26"), &d);
	ok(!decimal_at(d, 102, &too_large),
	   "a number that 128 bits do not hold at so many digits does not fit into int64_t");
	decimal_parse(SPAN("-1e26"), &d);
	ok(!decimal_at(d, 102, &too_large),
	   "a negative number that 128 bits do not hold does not fit into int64_t");
	decimal_parse(SPAN("1e26"), &d);
	for (int i = 0; i < 128; i++)
		d = decimal_add(d, d);
	ok(!decimal_at(d, 0, &too_large),
	   "a sum that 128 bits do not hold does not fit into int64_t");
	return done();
}
