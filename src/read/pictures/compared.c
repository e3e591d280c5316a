#include "read/pictures/compared.h"

#include "base/decimal.h"

enum { NANO_DIGITS = 9 };

/* A positive number; 0: it is invalid. */
static double positive(struct span s)
{
	struct decimal d;
	int64_t nano;

	if (!decimal_parse(s, &d) || !decimal_at(d, NANO_DIGITS, &nano) || nano <= 0)
		return 0;
	return (double)nano / 1e9;
}

/* "1.5,1.25;1.75": sizes of the runs before; after.  One invalid size drops all of them. */
static void set_sizes(struct compared *c, struct span s)
{
	size_t side = 0, nr = 0;

	while (side < 2 && nr < COMPARED_RUNS_MAX) {
		size_t n = 0;

		while (n < s.size && s.at[n] != ',' && s.at[n] != ';')
			n++;
		c->run_size[nr] = positive(span_upto(s, n));
		if (c->run_size[nr++] <= 0)
			break;
		c->nr_run[side]++;
		if (n == s.size && side == 1)
			return;
		if (n == s.size)
			break;
		side += s.at[n] == ';';
		s = span_from(s, n + 1);
	}
	c->nr_run[0] = c->nr_run[1] = 0;
}

void compared_set(struct compared *c, struct span key, struct span value)
{
	if (span_is(key, "width")) {
		c->either = span_is(value, "either");
	} else if (span_is(key, "normalize")) {
		c->in_time = span_is(value, "duration");
		c->not_normalized = c->in_time || span_is(value, "none");
	} else if (span_is(key, "confidence")) {
		c->confidence = positive(value) < 1 ? positive(value) : 0;
	} else if (span_is(key, "times")) {
		c->nr_run[0] = c->nr_run[1] = 0;
		set_sizes(c, value);
	}
}

bool compared_has_sizes(const struct compared *c)
{
	return c->not_normalized && c->nr_run[0] && c->nr_run[1];
}
