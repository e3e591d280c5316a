/* Numbers with decimals are written as printf() writes them, byte by byte. */
#include "base/fixed.h"

#include "random.h"
#include "tap.h"

#include <float.h>
#include <math.h>

static size_t nr_wrong;

/* Counts a text that differs from printf()'s, and shows the first few. */
static void compare(double n, int digits)
{
	char got[FIXED_SIZE], want[FIXED_SIZE];
	size_t size = fixed_text(got, n, digits);
	int length = snprintf(want, sizeof(want), "%.*f", digits, n);

	if ((int)size == length && !strcmp(got, want))
		return;
	if (nr_wrong++ < 5)
		printf("# %a with %d decimals: %s instead of %s\n", n, digits, got, want);
}

static void compare_all(double n)
{
	for (int digits = 0; digits <= FIXED_DIGITS_MAX; digits++) {
		compare(n, digits);
		compare(-n, digits);
	}
}

static void test_edges(void)
{
	static const double edge[] = { 0,
				       0.05,
				       0.5,
				       0.95,
				       1,
				       1.5,
				       2.5,
				       9.5,
				       9.995,
				       99.95,
				       999999999.9999999,
				       0x1p52,
				       0x1p53,
				       0x1p53 - 1,
				       0x1p63,
				       0x1p64,
				       1e22,
				       DBL_MIN,
				       DBL_TRUE_MIN,
				       DBL_MAX,
				       INFINITY,
				       NAN };

	nr_wrong = 0;
	for (size_t i = 0; i < sizeof(edge) / sizeof(edge[0]); i++) {
		compare_all(edge[i]);
		compare_all(nextafter(edge[i], INFINITY));
		compare_all(nextafter(edge[i], -INFINITY));
	}
	is_int((long)nr_wrong, 0, "edges of the range are written as printf() writes them");
}

/* n + 1/2, n + 1/4, … have an end in binary, so some lie right between two texts. */
static void test_ties(void)
{
	nr_wrong = 0;
	for (int i = 0; i < 2000; i++)
		for (int bits = 0; bits <= 12; bits++)
			compare_all(ldexp(i, -bits));
	is_int((long)nr_wrong, 0, "a number between two texts rounds to an even digit");
}

static void test_decimals(void)
{
	nr_wrong = 0;
	for (int i = 0; i < 100000; i++) {
		compare(i / 1000.0, i % 4);
		compare(i * 0.005, 2);
		compare(i * 0.05, 1);
	}
	is_int((long)nr_wrong, 0, "decimals that end in 5 round by what they are in binary");
}

static void test_random(void)
{
	struct random r = { 17 };

	nr_wrong = 0;
	for (int i = 0; i < 300000; i++) {
		uint64_t bits = random_next(&r);
		double any;

		memcpy(&any, &bits, sizeof(any));
		compare(any, (int)(bits % 10));
		compare((double)(bits >> 11) * 0x1p-53, (int)(bits % 10));
		compare((double)(bits >> 20) * 0x1p-30, (int)(bits % 10));
	}
	is_int((long)nr_wrong, 0, "random numbers are written as printf() writes them");
}

int main(void)
{
	test_edges();
	test_ties();
	test_decimals();
	test_random();
	return done();
}
