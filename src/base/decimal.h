/* Exact decimal numbers: adding 0.1 ten times gives 1, unlike in binary floating point. */
#ifndef WICK_BASE_DECIMAL_H
#define WICK_BASE_DECIMAL_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 decimal_value;

/* value × 10^-digits */
struct decimal {
	decimal_value value;
	int digits;
};

/* Digits after the decimal point; further ones are rounded. */
enum { DECIMAL_DIGITS_MAX = 9 };

/*
 * The whole span as a number: -12.50e3.  False, and 0, if it is not a number or
 * has more than 27 digits.
 */
bool decimal_parse(struct span s, struct decimal *d);

/* a + b, with the digits of the finer one. */
struct decimal decimal_add(struct decimal a, struct decimal b);

/* Multiplies d; false if the product has more than 27 digits. */
bool decimal_times(struct decimal *d, int64_t factor);

/* d in units of 10^-digits, rounded if those are coarser; false if it does not fit. */
bool decimal_at(struct decimal d, int digits, int64_t *value);

#endif
