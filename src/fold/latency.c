#include "fold/latency.h"

#include "base/alloc.h"
#include "fold/sums.h"

#include <stdlib.h>

/* By label set: the divisor of weights, the number of running threads; 0: unknown.  The caller frees the array. */
static uint64_t *find_divisors(const struct profile *p)
{
	uint64_t *by = xcalloc(p->nr_labels, sizeof(*by));

	for (uint32_t i = 0; i < p->nr_labels; i++)
		if (!span_u64(profile_peek(p, sum_label(p, (label_id){ i }, "parallelism")),
			      &by[i]))
			by[i] = 0;
	return by;
}

static int64_t divide(int64_t weight, uint64_t by)
{
	return by > 1 && by <= INT64_MAX ? weight / (int64_t)by : weight;
}

/*
 * Divides ticks so that they add up to their divided count without a rounding error: each gets the increase of the
 * quotient of the running sum.  Fills passed[], by count: the sum of its ticks.
 */
static void share_ticks(struct profile *p, const bool *in, const uint64_t *by, uint32_t event,
			int64_t *passed)
{
	size_t nr = p->nr_tick;
	struct tick *old = xcalloc(nr, sizeof(*old));

	if (nr)
		memcpy(old, p->tick, nr * sizeof(*old));
	for (size_t i = 0; i < nr; i++) {
		struct tick t = old[i];
		struct count like = {
			.event = t.event, .thread = t.thread, .stack = t.stack, .labels = t.labels
		};
		const struct count *c = in[t.event] ? profile_find_count(p, &like) : NULL;
		int64_t *sum = c ? &passed[c - p->count] : NULL;
		int64_t before;

		if (!sum)
			continue;
		before = divide(*sum, by[t.labels.i]);
		/* Cannot overflow: the sum of all ticks is the count. */
		*sum = (int64_t)((uint64_t)*sum + (uint64_t)t.weight);
		t.weight = (int64_t)((uint64_t)divide(*sum, by[t.labels.i]) - (uint64_t)before);
		t.event = event;
		/* The number of samples is added below. */
		if (profile_add_many(p, &t, 0))
			notes_add(&p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
	}
	free(old);
}

struct latency latency_add(struct profile *p, const bool *in)
{
	size_t nr = p->nr_count;
	uint64_t *by = find_divisors(p);
	int64_t *passed = xcalloc(nr, sizeof(*passed));
	struct latency l = { 0 };
	uint32_t first = 0;

	while (!in[first])
		first++;
	l.event = profile_event(p, SPAN(LATENCY), profile_peek(p, p->event[first].unit));
	p->event[l.event].scale = p->event[first].scale;
	share_ticks(p, in, by, l.event, passed);
	for (size_t i = 0; i < nr; i++) {
		struct count c = p->count[i];
		uint64_t divisor = by[c.labels.i];

		if (!in[c.event])
			continue;
		l.nr_sample += c.nr;
		l.nr_alone += divisor ? 0 : c.nr;
		c.event = l.event;
		c.weight = (int64_t)((uint64_t)divide(c.weight, divisor) -
				     (uint64_t)divide(passed[i], divisor));
		if (profile_add_count(p, &c))
			notes_add(&p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
	}
	free(passed);
	free(by);
	return l;
}
