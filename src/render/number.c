#include "render/number.h"

#include "base/alloc.h"
#include "base/fixed.h"

#include <math.h>

/* A no-break space. */
#define BLANK "\u00a0"

/* `1,234.5` */
static void add_number(struct strbuf *out, double n, int digits)
{
	char text[FIXED_SIZE];
	struct span rest = { .at = text, .size = fixed_text(text, fabs(n), digits) };
	size_t behind = digits ? (size_t)digits + 1 : 0; /* the point and the decimals */

	if (n < 0 && strpbrk(text, "123456789"))
		strbuf_add(out, SPAN("−"));
	while (rest.size > behind + 3) {
		size_t group = (rest.size - behind - 1) % 3 + 1;

		strbuf_add(out, span_upto(rest, group));
		strbuf_add(out, SPAN(","));
		rest = span_from(rest, group);
	}
	strbuf_add(out, rest);
}

struct step {
	double least; /* used from this value on, and divided by it */
	const char *name;
};

/* Units of measurements: their names, and the units to show them in, largest first. */
static const struct unit {
	const char *name[3];
	struct step step[5];
} units[] = {
	{ { "ns", "nanoseconds" }, { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } } },
	{ { "us", "microseconds", "µs" }, { { 1e6, "s" }, { 1e3, "ms" }, { 1, "µs" } } },
	{ { "ms", "milliseconds" }, { { 1e3, "s" }, { 1, "ms" } } },
	{ { "bytes", "byte", "B" },
	  { { 0x1p40, "TiB" },
	    { 0x1p30, "GiB" },
	    { 0x1p20, "MiB" },
	    { 0x1p10, "KiB" },
	    { 1, "bytes" } } },
};

static const struct unit *find_unit(struct span name)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		for (size_t k = 0; k < ARRAY_SIZE(units[i].name); k++)
			if (units[i].name[k] && span_is(name, units[i].name[k]))
				return &units[i];
	return NULL;
}

bool number_is_measured(struct span unit)
{
	return find_unit(unit) != NULL;
}

static bool is_whole(double n)
{
	return n == trunc(n);
}

static void add_measured(struct strbuf *out, double n, const struct unit *unit)
{
	/* A value that would be rounded to 1,000 of the smaller unit gets the larger one. */
	const double nearly = 0.9995;
	const struct step *s = unit->step;
	double size;

	while (fabs(n) < nearly * s->least && s < unit->step + 4 && s[1].name)
		s++;
	n /= s->least;
	size = fabs(n);
	add_number(out, n, size >= 100 || is_whole(n) ? 0 : size >= 10 ? 1 : 2);
	strbuf_add(out, SPAN(BLANK));
	strbuf_add(out, span_of(s->name));
}

void number_add_count(struct strbuf *out, double count, struct span unit)
{
	const struct unit *measured = find_unit(unit);

	if (measured) {
		add_measured(out, count, measured);
		return;
	}
	add_number(out, count, is_whole(count) ? 0 : 2);
	if (!unit.size)
		return;
	strbuf_add(out, SPAN(BLANK));
	strbuf_add(out, fabs(count) == 1 && span_is(unit, "samples") ? SPAN("sample") : unit);
}

void number_add_share(struct strbuf *out, double share)
{
	double percent = 100 * share;

	if (percent > 0 && percent < 0.01) {
		strbuf_add(out, SPAN("<" BLANK "0.01" BLANK "%"));
		return;
	}
	add_number(out, percent, percent >= 99.95 || percent == 0 ? 0 : percent < 1 ? 2 : 1);
	strbuf_add(out, SPAN(BLANK "%"));
}

void number_add_points(struct strbuf *out, double change)
{
	double points = fabs(100 * change);

	if (points < 0.005) {
		strbuf_add(out, SPAN("±0"));
		return;
	}
	strbuf_add(out, change < 0 ? SPAN("−") : SPAN("+"));
	add_number(out, points, points < 0.995 ? 2 : 1);
}

void number_add_change(struct strbuf *out, double change)
{
	number_add_points(out, change);
	strbuf_add(out, SPAN(BLANK "pt"));
}
