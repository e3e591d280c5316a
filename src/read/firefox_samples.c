#include "read/firefox_samples.h"

#include "base/alloc.h"

void firefox_samples_unit(struct firefox_samples *s, struct span unit)
{
	static const char *const units[][2] = {
		{ "ns", "ns" },
		{ "µs", "us" },
		{ "variable CPU cycles", "cycles" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i][0]))
			s->unit = units[i][1];
}

static uint32_t find_event(struct profile *p, struct span weight_type)
{
	static const struct {
		const char *type, *event, *unit;
	} types[] = {
		{ "tracing-ms", "time", "ms" },
		{ "bytes", "bytes", "bytes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (span_is(weight_type, types[i].type))
			return profile_event(p, span_of(types[i].event), span_of(types[i].unit));
	return profile_event(p, SPAN("samples"), SPAN("samples"));
}

/* Times that make no sense are none. */
static uint64_t time_at(const struct firefox_samples *s, int64_t since)
{
	int64_t time;

	if (since == FIREFOX_NONE || __builtin_add_overflow(s->start, since, &time) || time < 0)
		return 0;
	return (uint64_t)time;
}

/* What a sample weighs, and how many it stands for; false: nothing that could be added up. */
static bool find_weight(struct build *b, const struct firefox_tables *own, int64_t i,
			int64_t *weight, uint64_t *nr)
{
	struct decimal d = { .value = firefox_at(own, SAMPLE_WEIGHT, i), .digits = FIREFOX_DIGITS };

	*weight = 1;
	*nr = 1;
	if (!firefox_rows(own, SAMPLE_WEIGHT))
		return true;
	if (d.value < 0 || !build_decimal(b, d, weight))
		return false;
	if (span_is(profile_peek(b->p, b->p->event[b->event].name), "samples") &&
	    !b->p->event[b->event].scale)
		*nr = (uint64_t)*weight;
	return true;
}

struct events {
	uint32_t weight, cpu;
	bool timed; /* there is a unit of processor time */
};

static int count_sample(const struct firefox_frames *f, const struct firefox_tables *own, int64_t i,
			const struct events *events, struct error *e)
{
	int64_t row = firefox_at(own, SAMPLE_STACK, i), cpu = firefox_at(own, SAMPLE_CPU, i),
		weight;
	struct build *b = f->b;
	stack_id stack = { 0 };
	uint64_t nr;

	if (row == FIREFOX_NONE && b->o->drop_empty)
		return build_note(b, NOTE_NO_STACK, SPAN(""), e);
	if (row != FIREFOX_NONE && firefox_stack(f, row, &stack, e))
		return -1;
	b->event = events->weight;
	if (!find_weight(b, own, i, &weight, &nr)) {
		if (build_note(b, NOTE_BAD_COUNT, SPAN(""), e))
			return -1;
	} else if (weight && build_add(b, stack, weight, nr, e)) {
		return -1;
	}
	/* The first one has none before it. */
	if (!events->timed || !i || cpu <= 0)
		return 0;
	b->event = events->cpu;
	return build_add(b, stack, cpu, 1, e);
}

int firefox_samples_count(const struct firefox_samples *s, const struct firefox_frames *f,
			  const struct firefox_tables *own, struct error *e)
{
	size_t nr = firefox_rows(own, SAMPLE_STACK);
	bool deltas = !firefox_rows(own, SAMPLE_TIME);
	struct events events = { .timed = s->unit && firefox_rows(own, SAMPLE_CPU) };
	int64_t now = 0;

	if (!nr)
		return 0;
	events.weight = find_event(f->b->p, strbuf_peek(&own->weight_type));
	if (events.timed)
		events.cpu = profile_event(f->b->p, SPAN("cpu"), span_of(s->unit));
	for (int64_t i = 0; (uint64_t)i < nr; i++) {
		int64_t delta = firefox_at(own, SAMPLE_DELTA, i);

		if (delta != FIREFOX_NONE && __builtin_add_overflow(now, delta, &now))
			now = FIREFOX_NONE;
		f->b->time = time_at(s, deltas ? now : firefox_at(own, SAMPLE_TIME, i));
		if (count_sample(f, own, i, &events, e))
			return -1;
	}
	return 0;
}
