/*
 * A counter, as the profiler and Firefox itself write it:
 *
 *	{"name": "malloc", "category": "Memory", "pid": "12", "samples": {"time": [1, 2], "count": [5, -1]}}
 *	… "samples": {"schema": {"time": 0, "count": 1}, "data": [[1, 5], [2, -1]]}
 *
 * Times may be `timeDeltas`.  Before version 40, or in Firefox's own files, samples are in a group:
 * "sampleGroups": [{"id": 0, "samples": …}].  wick adds the unit, and describes the scope.
 */
#include "read/firefox/firefox_counters.h"

#include "base/alloc.h"

struct reading {
	struct build *b;
	struct strbuf name, category, description, pid, unit, display_unit;
	bool has_unit; /* wick wrote it */
	struct json_place time, deltas, count, rows;
	int64_t time_at, count_at; /* positions in a row */
};

static enum json_token read_index(struct json *j, int64_t *to, struct error *e)
{
	enum json_token token = json_next(j, e);
	uint64_t at;

	if (token == JSON_NUMBER && span_u64(j->value, &at) && at < SCHEMA_MAX)
		*to = (int64_t)at;
	return json_skip(j, token, e);
}

static enum json_token schema_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;

	if (span_is(name, "time"))
		return read_index(j, &r->time_at, e);
	if (span_is(name, "count"))
		return read_index(j, &r->count_at, e);
	return json_pass_over(j, e);
}

static enum json_token samples_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;

	if (span_is(name, "time"))
		return json_place_of(j, &r->time, e);
	if (span_is(name, "timeDeltas"))
		return json_place_of(j, &r->deltas, e);
	if (span_is(name, "count"))
		return json_place_of(j, &r->count, e);
	if (span_is(name, "data"))
		return json_place_of(j, &r->rows, e);
	if (span_is(name, "schema"))
		return json_object_of(j, schema_member, r, e);
	return json_pass_over(j, e);
}

static enum json_token group_member(void *arg, struct json *j, struct span name, struct error *e)
{
	return span_is(name, "samples") ? json_object_of(j, samples_member, arg, e)
					: json_pass_over(j, e);
}

static enum json_token read_group(void *arg, struct json *j, enum json_token token, struct error *e)
{
	return token == JSON_OBJECT ? json_each_member(j, group_member, arg, e)
				    : json_skip(j, token, e);
}

static enum json_token read_groups(struct reading *r, struct json *j, struct error *e)
{
	enum json_token token = json_next(j, e);

	if (token == JSON_ARRAY)
		return json_each_element(j, read_group, r, e);
	return read_group(r, j, token, e);
}

static enum json_token display_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;

	return span_is(name, "unit") ? json_string_of(j, &r->display_unit, e)
				     : json_pass_over(j, e);
}

static enum json_token counter_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct reading *r = arg;
	enum json_token token;

	if (span_is(name, "name"))
		return json_string_of(j, &r->name, e);
	if (span_is(name, "category"))
		return json_string_of(j, &r->category, e);
	if (span_is(name, "description"))
		return json_string_of(j, &r->description, e);
	if (span_is(name, "unit")) {
		r->has_unit = true;
		return json_string_of(j, &r->unit, e);
	}
	if (span_is(name, "display"))
		return json_object_of(j, display_member, r, e);
	if (span_is(name, "samples"))
		return json_object_of(j, samples_member, r, e);
	if (span_is(name, "sampleGroups") || span_is(name, "sample_groups"))
		return read_groups(r, j, e);
	if (!span_is(name, "pid"))
		return json_pass_over(j, e);
	token = json_next(j, e);
	if (token == JSON_STRING || token == JSON_NUMBER) {
		strbuf_reset(&r->pid);
		strbuf_add(&r->pid, j->value);
	}
	return json_skip(j, token, e);
}

/* Points */

struct points {
	struct counters *to;
	const struct firefox_samples *s;
	const struct reading *r;
	struct counter_name name;
	struct decimal sum;
	int64_t now; /* ns; of deltas */
};

/* has_time: false if it is null. */
static int add_point(struct points *p, struct decimal time, bool has_time, struct decimal change,
		     struct error *e)
{
	struct decimal sum = decimal_add(p->sum, change);
	int64_t ns, value;

	if (!decimal_at(sum, 0, &value))
		return build_note(p->r->b, NOTE_COUNT_TOO_LARGE, p->name.name, e);
	p->sum = sum;
	if (!has_time || !decimal_at(time, FIREFOX_DIGITS, &ns))
		return build_note(p->r->b, NOTE_BAD_RECORD, SPAN("counter"), e);
	if (p->r->deltas.at && __builtin_add_overflow(p->now, ns, &ns))
		return build_note(p->r->b, NOTE_BAD_RECORD, SPAN("counter"), e);
	p->now = ns;
	return counters_add(p->to, &p->name, (int64_t)firefox_samples_time(p->s, ns), sum, e);
}

static int add_lists(struct points *p, struct error *e)
{
	struct json_again times, counts;
	int ret = 0;

	json_again_open(&times, p->s->source, p->r->deltas.at ? p->r->deltas : p->r->time,
			p->s->end);
	json_again_open(&counts, p->s->source, p->r->count, p->s->end);
	while (!ret) {
		enum json_token time = json_again_number(&times),
				count = json_again_number(&counts);
		struct decimal at = { 0 }, change = { 0 };

		if (time == JSON_ARRAY_END || count == JSON_ARRAY_END)
			break;
		if (count == JSON_NUMBER && !decimal_parse(counts.json.value, &change))
			change = (struct decimal){ 0 };
		ret = add_point(p, at, time == JSON_NUMBER && decimal_parse(times.json.value, &at),
				change, e);
	}
	json_again_close(&counts);
	json_again_close(&times);
	return ret;
}

/* [1, 5, null] */
static int add_row(struct points *p, struct json *j, struct error *e)
{
	struct decimal time = { 0 }, change = { 0 };
	bool has_time = false;

	for (int64_t i = 0;; i++) {
		enum json_token token = json_next(j, e);

		if (json_is_over(token) || token == JSON_ARRAY_END)
			return add_point(p, time, has_time, change, e);
		if (token == JSON_NUMBER && i == p->r->time_at)
			has_time = decimal_parse(j->value, &time);
		else if (token == JSON_NUMBER && i == p->r->count_at)
			decimal_parse(j->value, &change);
		json_skip(j, token, e);
	}
}

static int add_rows(struct points *p, struct error *e)
{
	struct json_again rows;
	int ret = 0;

	json_again_open(&rows, p->s->source, p->r->rows, p->s->end);
	while (!ret) {
		enum json_token token = json_next(&rows.json, e);

		if (json_is_over(token) || token == JSON_ARRAY_END)
			break;
		if (token == JSON_ARRAY)
			ret = add_row(p, &rows.json, e);
		else
			json_skip(&rows.json, token, e);
	}
	json_again_close(&rows);
	return ret;
}

static struct span unit_of(const struct reading *r)
{
	if (r->has_unit)
		return strbuf_peek(&r->unit);
	if (r->display_unit.size)
		return strbuf_peek(&r->display_unit);
	return span_is(strbuf_peek(&r->category), "Memory") ? SPAN("bytes") : SPAN("");
}

enum json_token firefox_counter_read(struct counters *to, const struct firefox_samples *s,
				     struct json *j, enum json_token token, struct error *e)
{
	struct reading r = { .b = to->b, .time_at = -1, .count_at = -1 };
	struct points p = { .to = to, .s = s, .r = &r };
	int ret = 0;

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	token = json_each_member(j, counter_member, &r, e);
	p.name =
		(struct counter_name){ .name = strbuf_peek(&r.name),
				       .unit = unit_of(&r),
				       .scope = r.has_unit ? strbuf_peek(&r.description) : SPAN(""),
				       .process = strbuf_peek(&r.pid) };
	if (span_is(p.name.unit, "B"))
		p.name.unit = SPAN("bytes");
	if (token != JSON_ERROR)
		ret = r.rows.at ? add_rows(&p, e) : add_lists(&p, e);
	strbuf_release(&r.name);
	strbuf_release(&r.category);
	strbuf_release(&r.description);
	strbuf_release(&r.pid);
	strbuf_release(&r.unit);
	strbuf_release(&r.display_unit);
	return ret ? JSON_ERROR : token;
}
