#include "read/firefox/firefox_samples.h"

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

static uint32_t find_event(const struct firefox_samples *s, struct profile *p,
			   struct span weight_type)
{
	static const struct {
		const char *type, *event, *unit;
	} types[] = {
		{ "tracing-ms", "time", "ms" },
		{ "bytes", "bytes", "bytes" },
	};

	if (s->event.size)
		return profile_event(p, s->event, s->event_unit);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (span_is(weight_type, types[i].type))
			return profile_event(p, span_of(types[i].event), span_of(types[i].unit));
	return profile_event(p, SPAN("samples"), SPAN("samples"));
}

uint64_t firefox_samples_time(const struct firefox_samples *s, int64_t since)
{
	int64_t time;

	if (since == FIREFOX_NONE || __builtin_add_overflow(s->start, since, &time) || time < 0)
		return 0;
	return (uint64_t)time;
}

/* Rows */

/* The second pass over the samples of a thread, row by row. */
struct rows {
	struct build *b;
	const struct firefox_samples_place *place;
	struct json_again list[NR_SAMPLE_COLUMNS]; /* or only the first one: rows */
	struct text *before;
	/* The next row is read in advance, to know which columns there are. */
	int64_t next[NR_SAMPLE_COLUMNS];
	bool has_next, has[NR_SAMPLE_COLUMNS];
};

static int parse(struct rows *r, size_t column, struct json *j, enum json_token token,
		 struct error *e)
{
	int digits = firefox_digits((enum firefox_column)(SAMPLE_STACK + column));

	return firefox_number(r->b, digits, j, token, &r->next[column], e);
}

/* [0, 12.5, null]: the schema says which column is which. */
static int take_row(struct rows *r, struct error *e)
{
	struct json *j = &r->list[0].json;
	enum json_token token = json_next(j, e);

	r->has_next = !json_is_over(token) && token != JSON_ARRAY_END;
	if (!r->has_next || token != JSON_ARRAY) {
		json_skip(j, token, e);
		return 0;
	}
	for (size_t i = 0;; i++) {
		int column = i < SCHEMA_MAX ? r->place->column[i] - SAMPLE_STACK : -1;

		token = json_next(j, e);
		if (json_is_over(token) || token == JSON_ARRAY_END)
			return 0;
		if (column >= 0 && parse(r, (size_t)column, j, token, e))
			return -1;
		json_skip(j, token, e);
	}
}

/* The column of stacks decides the number of rows. */
static int take_cells(struct rows *r, struct error *e)
{
	for (size_t i = 0; i < NR_SAMPLE_COLUMNS; i++) {
		enum json_token token = json_again_number(&r->list[i]);

		/* Stacks are the first column. */
		if (!i)
			r->has_next = token != JSON_ARRAY_END;
		if (!r->has_next)
			return 0;
		r->has[i] |= token != JSON_ARRAY_END;
		if (parse(r, i, &r->list[i].json, token, e))
			return -1;
	}
	return 0;
}

static int next_row(struct rows *r, struct error *e)
{
	for (size_t i = 0; i < NR_SAMPLE_COLUMNS; i++)
		r->next[i] = FIREFOX_NONE;
	return r->place->rows.at ? take_row(r, e) : take_cells(r, e);
}

static int open_rows(struct rows *r, const struct firefox_samples *s, struct build *b,
		     const struct firefox_tables *own, struct error *e)
{
	*r = (struct rows){ .b = b, .place = &own->samples, .before = b->text };
	for (size_t i = 0; i < NR_SAMPLE_COLUMNS; i++)
		json_again_open(&r->list[i], s->source,
				own->samples.rows.at ? own->samples.rows : own->samples.list[i],
				s->end);
	for (size_t i = 0; i < SCHEMA_MAX && own->samples.rows.at; i++)
		if (own->samples.column[i] >= SAMPLE_STACK)
			r->has[own->samples.column[i] - SAMPLE_STACK] = true;
	b->text = &r->list[0].text;
	return next_row(r, e);
}

static void close_rows(struct rows *r)
{
	for (size_t i = 0; i < NR_SAMPLE_COLUMNS; i++)
		json_again_close(&r->list[i]);
	r->b->text = r->before;
}

static int64_t cell(const int64_t row[NR_SAMPLE_COLUMNS], enum firefox_column column)
{
	return row[column - SAMPLE_STACK];
}

static bool has(const struct rows *r, enum firefox_column column)
{
	return r->has[column - SAMPLE_STACK];
}

struct events {
	uint32_t weight, cpu;
	bool timed;    /* there is CPU time, and its unit is known */
	bool weighted; /* there are weights; else each row is one sample */
	bool deltas;   /* times are relative to the previous sample */
	uint64_t period;
	bool lasting; /* samples are intervals */
	bool known;   /* the time of this sample is known; it may be 0 */
};

/* The weight of a row, and the number of samples that it represents; false: negative or out of range. */
static bool find_weight(struct build *b, const struct events *events, int64_t value,
			int64_t *weight, uint64_t *nr)
{
	struct decimal d = { .value = value, .digits = FIREFOX_DIGITS };

	/* ms with six digits */
	if (span_is(profile_peek(b->p, b->p->event[b->event].unit), "ns"))
		d.digits = 0;

	*weight = 1;
	*nr = 1;
	if (!events->weighted)
		return true;
	if (d.value < 0 || !build_decimal(b, d, weight))
		return false;
	if (!b->p->event[b->event].scale)
		*nr = build_nr_of(*weight, events->period);
	if (span_is(profile_peek(b->p, b->p->event[b->event].name), "samples") &&
	    !b->p->event[b->event].scale)
		*nr = (uint64_t)*weight;
	return true;
}

static int count_sample(const struct firefox_frames *f, const int64_t sample[NR_SAMPLE_COLUMNS],
			const struct events *events, struct error *e)
{
	int64_t row = cell(sample, SAMPLE_STACK), cpu = cell(sample, SAMPLE_CPU), weight = 0;
	struct build *b = f->b;
	stack_id stack = { 0 };
	uint64_t nr;

	if (row == FIREFOX_NONE && b->o->drop_empty)
		return build_note(b, NOTE_NO_STACK, SPAN(""), e);
	if (row != FIREFOX_NONE && firefox_stack(f, row, &stack, e))
		return -1;
	b->event = events->weight;
	if (!find_weight(b, events, cell(sample, SAMPLE_WEIGHT), &weight, &nr)) {
		if (build_note(b, NOTE_BAD_COUNT, SPAN(""), e))
			return -1;
		weight = 0;
	} else if (weight && (events->known ? build_add_at(b, stack, weight, nr, b->time, e)
					    : build_add(b, stack, weight, nr, e))) {
		return -1;
	}
	if (events->lasting && events->known && cell(sample, SAMPLE_DURATION) >= 0)
		build_extent(b, stack, b->time, b->time + (uint64_t)cell(sample, SAMPLE_DURATION),
			     weight);
	if (!events->timed || cpu <= 0)
		return 0;
	b->event = events->cpu;
	return build_add(b, stack, cpu, 1, e);
}

int firefox_samples_count(const struct firefox_samples *s, const struct firefox_frames *f,
			  const struct firefox_tables *own, struct error *e)
{
	struct events events;
	int64_t now = 0;
	struct rows r;
	int ret = open_rows(&r, s, f->b, own, e);

	events = (struct events){ .timed = s->unit && has(&r, SAMPLE_CPU),
				  .weighted = has(&r, SAMPLE_WEIGHT),
				  .deltas = !has(&r, SAMPLE_TIME),
				  .period = s->period,
				  .lasting = has(&r, SAMPLE_DURATION) };
	if (!ret && r.has_next)
		events.weight = find_event(s, f->b->p, strbuf_peek(&own->weight_type));
	if (!ret && r.has_next && events.lasting) {
		f->b->event = events.weight;
		build_measure(f->b, SOURCE_MEASURED, s->extent);
	}
	if (!ret && r.has_next && s->source_word.size)
		f->b->p->event[events.weight].source =
			span_is(s->source_word, "measured") ? SOURCE_MEASURED : SOURCE_SAMPLED;
	if (!ret && r.has_next && events.timed)
		events.cpu = profile_event(f->b->p, SPAN("cpu"), span_of(s->unit));
	/* The first sample has no CPU time, as there is no previous one. */
	r.next[SAMPLE_CPU - SAMPLE_STACK] = FIREFOX_NONE;
	while (!ret && r.has_next) {
		int64_t delta = cell(r.next, SAMPLE_DELTA), time = cell(r.next, SAMPLE_TIME);

		if (delta != FIREFOX_NONE && __builtin_add_overflow(now, delta, &now))
			now = FIREFOX_NONE;
		time = events.deltas ? now : time;
		events.known = time != FIREFOX_NONE;
		f->b->time = firefox_samples_time(s, time);
		ret = count_sample(f, r.next, &events, e);
		if (!ret)
			ret = next_row(&r, e);
	}
	close_rows(&r);
	return ret;
}
