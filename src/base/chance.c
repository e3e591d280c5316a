#include "base/chance.h"

#include <math.h>

enum { MAX_STEPS = 300 };

/* Below this, the series are not accurate: the recurrence leads up to it. */
static const double SERIES_FROM = 12;

/* Stirling's series. */
static double ln_gamma(double x)
{
	double below = 0, y;

	while (x < SERIES_FROM) {
		below += log(x);
		x += 1;
	}
	y = 1 / (x * x);
	return (x - 0.5) * log(x) - x + 0.918938533204672742 - below +
	       (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y / 1680))) / x;
}

double digamma(double x)
{
	double below = 0, y;

	while (x < SERIES_FROM) {
		below += 1 / x;
		x += 1;
	}
	y = 1 / (x * x);
	return log(x) - 0.5 / x - below - y * (1.0 / 12 - y * (1.0 / 120 - y / 252));
}

double trigamma(double x)
{
	double below = 0, y;

	while (x < SERIES_FROM) {
		below += 1 / (x * x);
		x += 1;
	}
	y = 1 / (x * x);
	return below + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y / 42));
}

/* trigamma falls from infinity to 0: bisection, on a logarithmic scale. */
double trigamma_inverse(double y)
{
	double low = 1e-9, high = 1e9;

	for (int i = 0; i < 100; i++) {
		double middle = sqrt(low * high);

		if (trigamma(middle) > y)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The series of erf near 0, and the continued fraction of erfc far from it. */
double normal_tail(double z)
{
	double density = exp(-z * z / 2) * 0.398942280401432678;
	double sum, term;

	if (z < 0)
		return 1 - normal_tail(-z);
	if (z > 3) {
		double fraction = 0;

		for (int i = 60; i > 0; i--)
			fraction = i / (z + fraction);
		return density / (z + fraction);
	}
	sum = term = z;
	for (int i = 3; term > sum * 1e-17 && i < MAX_STEPS; i += 2) {
		term *= z * z / i;
		sum += term;
	}
	return 0.5 - density * sum;
}

/* Lentz's method divides by these factors, which must not be 0. */
static double not_zero(double x)
{
	return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* The continued fraction of the incomplete beta function (Lentz). */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m <= MAX_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		h *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return h;
}

/*
 * With more degrees of freedom, the normal distribution is exact enough, and the fraction converges
 * slowly.
 */
static const double DF_NORMAL = 1e5;

double student_tail(double t, double df)
{
	double x = df / (df + t * t), a = df / 2, front;

	if (df > DF_NORMAL)
		return normal_tail(t);
	if (t <= 0)
		return 0.5;
	front = exp(ln_gamma(a + 0.5) - ln_gamma(a) - ln_gamma(0.5) + a * log(x) + 0.5 * log1p(-x));
	if (x < (a + 1) / (a + 2.5))
		return front * beta_fraction(x, a, 0.5) / a / 2;
	return (1 - front * beta_fraction(1 - x, 0.5, a) / 0.5) / 2;
}

double student_quantile(double tail, double df)
{
	double low = 0, high = 1;

	while (student_tail(high, df) > tail && high < 1e300)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (student_tail(middle, df) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double normal_quantile(double tail)
{
	return student_quantile(tail, 2 * DF_NORMAL);
}
