#include "base/decimal.h"

/* 10^27: any two smaller numbers can be converted to the same number of digits and added. */
static const decimal_value LIMIT = (decimal_value)1000000000 * 1000000000 * 1000000000;

enum { EXPONENT_MAX = 10000 };

/* "e-12" */
static bool parse_exponent(struct span s, int *exponent)
{
	bool negative = s.size > 1 && s.at[1] == '-';
	bool has_sign = negative || (s.size > 1 && s.at[1] == '+');
	uint64_t e;

	if (!s.size || (s.at[0] | 0x20) != 'e' || !span_u64(span_from(s, 1 + has_sign), &e))
		return false;
	if (e > EXPONENT_MAX)
		e = EXPONENT_MAX;
	*exponent = negative ? -(int)e : (int)e;
	return true;
}

static decimal_value tenth(decimal_value v)
{
	return (v + (v < 0 ? -5 : 5)) / 10;
}

/* After an exponent was applied: brings digits back to 0 … DECIMAL_DIGITS_MAX. */
static bool settle(struct decimal *d)
{
	if (!d->value)
		d->digits = 0;
	for (; d->digits < 0; d->digits++) {
		if (d->value >= LIMIT)
			return false;
		d->value *= 10;
	}
	for (; d->digits > DECIMAL_DIGITS_MAX + 1 && d->value; d->digits--)
		d->value /= 10;
	/* Rounds once, not digit by digit: 0.46 must not become 0.5 and then 1. */
	if (d->digits > DECIMAL_DIGITS_MAX) {
		d->value = tenth(d->value);
		d->digits = d->value ? DECIMAL_DIGITS_MAX : 0;
	}
	return d->value < LIMIT;
}

/* "12.50", and how many bytes of s it is; 0 when s does not begin with a number. */
static size_t parse_plain(struct span s, struct decimal *d)
{
	size_t size = 0, last = 0, nr_point = 0, nr_digit = 0;

	for (; size < s.size; size++) {
		if (is_digit(s.at[size]))
			nr_digit++;
		else if (s.at[size] != '.' || nr_point++)
			break;
		/* Trailing zeros do not count: 1.500 has the scale of 1.5. */
		if (s.at[size] != '0' || !nr_point)
			last = size + 1;
	}
	nr_point = 0;
	for (size_t i = 0; i < last; i++) {
		if (s.at[i] == '.') {
			nr_point = 1;
		} else if (d->value < LIMIT) {
			d->value = d->value * 10 + (s.at[i] - '0');
			d->digits += (int)nr_point;
		} else if (!nr_point) {
			return 0;
		}
	}
	return nr_digit ? size : 0;
}

bool decimal_parse(struct span s, struct decimal *d)
{
	bool negative = span_starts(s, "-");
	int exponent = 0;
	size_t size;

	*d = (struct decimal){ 0 };
	s = span_from(s, negative);
	size = parse_plain(s, d);
	if (!size || (size < s.size && !parse_exponent(span_from(s, size), &exponent))) {
		*d = (struct decimal){ 0 };
		return false;
	}
	d->digits -= exponent;
	if (!settle(d)) {
		*d = (struct decimal){ 0 };
		return false;
	}
	if (negative)
		d->value = -d->value;
	return true;
}

/* The largest or smallest value, which does not fit into an int64_t, however it is rounded. */
static decimal_value farthest(bool negative)
{
	const decimal_value most = (decimal_value)(~(unsigned __int128)0 >> 1);

	return negative ? -most : most;
}

static struct decimal finer(struct decimal d, int digits)
{
	decimal_value value = d.value;

	for (; d.digits < digits; d.digits++) {
		if (__builtin_mul_overflow(d.value, (decimal_value)10, &value))
			value = farthest(d.value < 0);
		d.value = value;
	}
	return d;
}

struct decimal decimal_add(struct decimal a, struct decimal b)
{
	a = finer(a, b.digits);
	b = finer(b, a.digits);
	if (__builtin_add_overflow(a.value, b.value, &a.value))
		a.value = farthest(b.value < 0);
	return a;
}

bool decimal_times(struct decimal *d, int64_t factor)
{
	return !__builtin_mul_overflow(d->value, factor, &d->value) && d->value < LIMIT &&
	       d->value > -LIMIT;
}

bool decimal_at(struct decimal d, int digits, int64_t *value)
{
	d = finer(d, digits);
	for (; d.digits > digits + 1; d.digits--)
		d.value /= 10;
	if (d.digits > digits)
		d.value = tenth(d.value);
	*value = (int64_t)d.value;
	return *value == d.value;
}
