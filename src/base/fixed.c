#include "base/fixed.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { FRACTION_BITS = 52, EXPONENT_MASK = 0x7ff, EXPONENT_BIAS = 1023 };

/* The parts of a number: n = fraction × 2^-shift; false if n has no bits after the binary point. */
static bool split(double n, uint64_t *fraction, int *shift)
{
	uint64_t bits;
	int exponent;

	memcpy(&bits, &n, sizeof(bits));
	*fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
	exponent = (int)(bits >> FRACTION_BITS) & EXPONENT_MASK;
	if (exponent)
		*fraction |= UINT64_C(1) << FRACTION_BITS;
	else
		exponent = 1;
	*shift = FRACTION_BITS + EXPONENT_BIAS - exponent;
	return *shift >= 0;
}

/* fraction × factor × 2^-shift, rounded to nearest, ties to even. */
static wide scale(uint64_t fraction, uint32_t factor, int shift)
{
	/* Less than 2^83, so with a shift of 84 and more it rounds to 0. */
	enum { SHIFT_MAX = 84 };
	wide product = (wide)fraction * factor, whole, rest, half;

	if (!shift)
		return product;
	if (shift > SHIFT_MAX)
		return 0;
	whole = product >> shift;
	half = (wide)1 << (shift - 1);
	rest = product - (whole << shift);
	return whole + (rest > half || (rest == half && whole & 1));
}

/*
 * n × factor, rounded as printf() does; false: too large.  The product of two doubles is itself
 * rounded, but never past the midpoint between two integers, because below 2^52 that is a double.  So
 * the exact product is computed only if the rounded one is such a midpoint.
 */
static bool round_product(double n, uint32_t factor, uint64_t *rounded)
{
	double product = fabs(n) * factor, rest;
	uint64_t fraction;
	int shift;

	/* Also false for NaN. */
	if (!(product < 0x1p52))
		return false;
	*rounded = (uint64_t)product;
	rest = product - (double)*rounded;
	if (rest != 0.5)
		*rounded += rest > 0.5;
	else if (split(n, &fraction, &shift))
		*rounded = (uint64_t)scale(fraction, factor, shift);
	return true;
}

/* Writes the last nr digits of a number, so that they end at `end`; returns the number without them. */
static uint64_t write_digits(char *end, uint64_t number, int nr)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; nr > 1; nr -= 2, number /= 100)
		memcpy(end -= 2, pairs + 2 * (number % 100), 2);
	if (nr) {
		end[-1] = (char)('0' + number % 10);
		number /= 10;
	}
	return number;
}

size_t fixed_text(char text[FIXED_SIZE], double n, int digits)
{
	static const uint64_t power[] = { 1,   10,  100,  1000, 1e4,  1e5,  1e6,  1e7,
					  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	int whole = 1, sign = signbit(n) != 0;
	char *end = text + sign;
	uint64_t number;

	assert(digits >= 0 && digits <= FIXED_DIGITS_MAX);
	if (!round_product(n, (uint32_t)power[digits], &number))
		return (size_t)snprintf(text, FIXED_SIZE, "%.*f", digits, n);
	if (sign)
		*text = '-';
	/* Below 2^52, it has 16 digits at most. */
	while (whole + digits < (int)(sizeof(power) / sizeof(power[0])) &&
	       number >= power[whole + digits])
		whole++;
	end += whole;
	if (digits) {
		*end = '.';
		end += digits + 1;
		number = write_digits(end, number, digits);
	}
	write_digits(text + sign + whole, number, whole);
	*end = '\0';
	return (size_t)(end - text);
}
