#include "write/writer.h"

#include "base/alloc.h"

#include <stdlib.h>

bool *write_events(const struct write_what *what)
{
	const struct profile *p = what->p;
	bool *in = xcalloc(p->nr_event, sizeof(*in));

	for (size_t k = 0; k < what->nr_column; k++)
		for (size_t i = 0; i < p->nr_event; i++)
			in[i] |= what->in[k][i];
	for (size_t i = 0; what->all && i < p->nr_count; i++)
		in[p->count[i].event] = true;
	return in;
}

uint32_t write_first_event(const struct write_what *what, const bool *in)
{
	for (uint32_t i = 0; i < what->p->nr_event; i++)
		if (in[i] && what->in[0][i])
			return i;
	for (uint32_t i = 0; i < what->p->nr_event; i++)
		if (in[i])
			return i;
	return 0;
}

static const struct {
	const char *unit, *name;
	int digits; /* factor to the unit that is written: 10^digits */
} units[] = {
	{ "", "count", 0 },	    { "samples", "count", 0 },	{ "ns", "nanoseconds", 0 },
	{ "us", "nanoseconds", 3 }, { "ms", "nanoseconds", 6 }, { "s", "nanoseconds", 9 },
};

static size_t unit_of(const struct profile *p, uint32_t event)
{
	struct span unit = profile_peek(p, p->event[event].unit);
	size_t i = 0;

	while (i < ARRAY_SIZE(units) && !span_is(unit, units[i].unit))
		i++;
	return i;
}

struct span write_unit(const struct profile *p, uint32_t event)
{
	size_t i = unit_of(p, event);

	return i < ARRAY_SIZE(units) ? span_of(units[i].name)
				     : profile_peek(p, p->event[event].unit);
}

int64_t write_whole(const struct profile *p, uint32_t event, int64_t weight)
{
	size_t unit = unit_of(p, event);
	int scale = p->event[event].scale;
	int64_t one = 1;

	if (unit < ARRAY_SIZE(units))
		scale += units[unit].digits;
	for (; scale > 0; scale--)
		if (__builtin_mul_overflow(weight, 10, &weight))
			return INT64_MAX;
	for (; scale < 0; scale++)
		one *= 10;
	return weight / one + (one > 1 && weight % one >= one / 2);
}

uint64_t write_period(const struct profile *p, uint32_t event)
{
	int64_t sum = 0, period = (int64_t)p->event[event].period;
	uint64_t nr = 0;

	if (period > 0)
		return (uint64_t)write_whole(p, event, period);
	if (p->event[event].source == SOURCE_MEASURED)
		return 0;
	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event) {
			write_add(&sum, write_whole(p, event, p->count[i].weight));
			nr += p->count[i].nr;
		}
	return sum > 0 && nr ? (uint64_t)sum / nr : 0;
}

bool write_rounds(const struct profile *p, uint32_t event)
{
	size_t unit = unit_of(p, event);

	return p->event[event].scale + (unit < ARRAY_SIZE(units) ? units[unit].digits : 0) < 0;
}

bool write_overflows(const struct profile *p)
{
	__extension__ __int128 *sum = xcalloc(p->nr_event, sizeof(*sum));
	bool overflows = false;

	for (size_t i = 0; i < p->nr_count; i++) {
		int64_t weight = write_whole(p, p->count[i].event, p->count[i].weight);

		if (weight < 0)
			sum[p->count[i].event] -= weight;
		else
			sum[p->count[i].event] += weight;
	}
	for (size_t i = 0; i < p->nr_event; i++)
		overflows |= sum[i] > INT64_MAX;
	free(sum);
	return overflows;
}
