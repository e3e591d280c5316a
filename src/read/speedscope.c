/*
 * speedscope's own format, which py-spy, pyinstrument, rbspy, Excimer and many
 * more write:
 *
 *	"shared": {"frames": [{"name": "main", "file": "a.py", "line": 1}, …]},
 *	"profiles": [{"type": "sampled", "name": "thread 1", "unit": "seconds",
 *		"samples": [[0, 1], [0]], "weights": [0.5, 0.25]}, …]
 *
 * or "type": "evented" and "events": [{"type": "O", "frame": 0, "at": 0.5}, …].
 * wick adds "event", "thread", "pid", "tid", "source" and, to sums of samples, "period" to each profile.  The
 * frames may follow the profiles, and the weights may follow all samples: a first pass finds their
 * positions.
 */
#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "profile/spelling.h"
#include "read/json_walk.h"
#include "read/readers.h"
#include "read/script_function.h"
#include "read/slices.h"
#include "read/whole_input.h"

#include <stdlib.h>

/* What the first pass collects about a profile. */
struct part {
	struct span name, unit;
	struct span event, thread, source; /* if wick wrote it */
	uint64_t pid, tid, period;
	struct json_place samples, weights, events;
	struct decimal end; /* of the profile, and of frames that are still open then */
	bool has_end;
};

struct speedscope {
	struct build *b;
	struct whole whole;
	struct arena arena; /* of names */
	frame_id *frame;
	size_t nr_frame, cap_frame;
	struct part *part;
	size_t nr_part, cap_part;
};

/* Frames */

static struct span text(const struct json_node *n, const char *name)
{
	n = json_find(n, name);
	return n && n->type == JSON_STRING ? n->text : SPAN("");
}

static frame_id make_frame(struct build *b, const struct json_node *n)
{
	const struct json_node *line = json_find(n, "line");
	uint64_t number = 0;

	if (!line || line->type != JSON_NUMBER || !span_u64(line->text, &number) ||
	    number > UINT32_MAX)
		number = 0;
	return script_frame(b, text(n, "name"), text(n, "file"), (uint32_t)number);
}

static enum json_token add_frame(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct speedscope *s = arg;
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, token, e);

	if (n) {
		GROW(s->frame, s->nr_frame, s->cap_frame);
		s->frame[s->nr_frame++] = make_frame(s->b, n);
	}
	arena_release(&arena);
	return n ? JSON_OBJECT_END : JSON_ERROR;
}

static enum json_token shared_member(void *arg, struct json *j, struct span name, struct error *e)
{
	return span_is(name, "frames") ? json_array_of(j, add_frame, arg, e) : json_pass_over(j, e);
}

/* A frame that is not listed is named by its number. */
static frame_id find_frame(struct speedscope *s, struct span number)
{
	uint64_t i;

	if (span_u64(number, &i) && i < s->nr_frame)
		return s->frame[i];
	notes_add(&s->b->p->notes, NOTE_BAD_REF, 1, s->b->text->line, number);
	return build_name(s->b, number);
}

/* Sampled */

/* [0, 1]: frames from the root.  1: there are no more stacks. */
static int next_stack(struct speedscope *s, struct json *j, stack_id *stack, struct error *e)
{
	enum json_token token = json_next(j, e);

	while (token != JSON_ARRAY) {
		if (json_is_over(token) || token == JSON_ARRAY_END)
			return 1;
		json_skip(j, token, e);
		token = json_next(j, e);
	}
	while ((token = json_next(j, e)) == JSON_NUMBER)
		build_push(s->b, find_frame(s, j->value));
	if (json_is_over(token)) {
		build_drop(s->b);
		return 1;
	}
	if (token != JSON_ARRAY_END)
		json_skip(j, token, e);
	return build_stack(s->b, ROOT_FIRST, stack, e);
}

/* 1 if there are fewer weights than samples. */
static int next_weight(struct speedscope *s, struct json_again *weights, int64_t *weight,
		       struct error *e)
{
	struct decimal d = { .value = 1 };
	enum json_token token;

	do
		token = json_again_number(weights);
	while (token == JSON_NULL);
	if (token == JSON_NUMBER && !decimal_parse(weights->json.value, &d))
		d = (struct decimal){ .value = -1 };
	if (d.value >= 0 && build_decimal(s->b, d, weight))
		return 0;
	*weight = 0;
	return build_note(s->b, NOTE_BAD_COUNT,
			  token == JSON_NUMBER ? weights->json.value : SPAN(""), e);
}

static int count_samples(struct speedscope *s, const struct part *part, struct error *e)
{
	const char *end = s->whole.all.at + s->whole.all.size;
	struct text *before = s->b->text;
	struct json_again samples, weights;
	stack_id stack;
	int64_t weight;
	int ret;

	json_again_open(&samples, s->whole.source, part->samples, end);
	json_again_open(&weights, s->whole.source, part->weights, end);
	s->b->text = &samples.text;
	while (!(ret = next_stack(s, &samples.json, &stack, e))) {
		ret = next_weight(s, &weights, &weight, e);
		if (!ret && weight)
			ret = build_add(s->b, stack, weight, build_nr_of(weight, part->period), e);
		if (ret)
			break;
	}
	s->b->text = before;
	json_again_close(&weights);
	json_again_close(&samples);
	return ret < 0 ? -1 : 0;
}

/* Evented */

struct evented {
	struct speedscope *s;
	struct slices slices;
};

/* {"type": "O", "frame": 0, "at": 0.5} opens a frame, "C" closes it. */
static enum json_token read_event(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct evented *v = arg;
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, j, token, e), *at, *frame;
	struct span type = text(n, "type");
	struct decimal d;
	int ret = -1;

	if (n) {
		at = json_find(n, "at");
		frame = json_find(n, "frame");
		if (!at || !frame || !decimal_parse(at->text, &d))
			ret = build_note(v->s->b, NOTE_BAD_EVENT, type, e);
		else if (span_is(type, "O"))
			ret = slices_stream_open(&v->slices, find_frame(v->s, frame->text), d, e);
		else
			ret = slices_stream_close(&v->slices, d, e);
	}
	arena_release(&arena);
	return ret ? JSON_ERROR : JSON_OBJECT_END;
}

static int count_events(struct speedscope *s, const struct part *part, struct error *e)
{
	struct evented v = { .s = s, .slices = { .b = s->b } };
	struct text *before = s->b->text;
	struct json_again events;
	int ret = slices_stream(&v.slices, e);

	json_again_open(&events, s->whole.source, part->events,
			s->whole.all.at + s->whole.all.size);
	s->b->text = &events.text;
	if (!ret && json_each_element(&events.json, read_event, &v, e) == JSON_ERROR)
		ret = -1;
	if (part->has_end)
		slices_seen(&v.slices, part->end);
	if (!ret)
		ret = slices_stream_end(&v.slices, e);
	s->b->text = before;
	json_again_close(&events);
	slices_release(&v.slices);
	return ret;
}

/* Profiles */

static uint32_t find_event(struct profile *p, struct span unit, struct span event)
{
	static const struct {
		const char *unit, *event, *name;
	} units[] = {
		{ "nanoseconds", "time", "ns" },  { "microseconds", "time", "us" },
		{ "milliseconds", "time", "ms" }, { "seconds", "time", "s" },
		{ "bytes", "bytes", "bytes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i].unit))
			return profile_event(p, event.size ? event : span_of(units[i].event),
					     span_of(units[i].name));
	return profile_event(p, event.size ? event : SPAN("samples"), SPAN(""));
}

/* Most writers have one profile per thread; if there is only one, its name is that of the file. */
static int count_part(struct speedscope *s, const struct part *part, struct error *e)
{
	struct thread thread = { .pid = (uint32_t)part->pid, .tid = (uint32_t)part->tid };

	s->b->event = find_event(s->b->p, part->unit, part->event);
	if (part->event.size)
		thread.comm = profile_string(s->b->p, part->thread);
	else if (s->nr_part > 1)
		thread.comm = profile_string(s->b->p, part->name);
	s->b->thread = profile_thread(s->b->p, &thread);
	if (part->samples.at && count_samples(s, part, e))
		return -1;
	if (part->events.at && count_events(s, part, e))
		return -1;
	if (part->source.size)
		s->b->p->event[s->b->event].source =
			span_is(part->source, "measured") ? SOURCE_MEASURED : SOURCE_SAMPLED;
	return 0;
}

/* The first pass over the text, which finds positions; counting follows once all frames are known */

static enum json_token keep_string(struct speedscope *s, struct json *j, struct span *to,
				   struct error *e)
{
	enum json_token token = json_next(j, e);
	char *copy;

	if (token != JSON_STRING)
		return json_skip(j, token, e);
	copy = arena_take(&s->arena, j->value.size + 1);
	memcpy(copy, j->value.at, j->value.size);
	*to = (struct span){ .at = copy, .size = j->value.size };
	return token;
}

static enum json_token keep_number(struct json *j, uint64_t max, uint64_t *to, struct error *e)
{
	enum json_token token = json_next(j, e);
	uint64_t value;

	if (token == JSON_NUMBER && span_u64(j->value, &value) && value < max)
		*to = value;
	return json_skip(j, token, e);
}

static enum json_token part_member(void *arg, struct json *j, struct span name, struct error *e)
{
	struct speedscope *s = arg;
	struct part *part = &s->part[s->nr_part - 1];
	enum json_token token;

	if (span_is(name, "name"))
		return keep_string(s, j, &part->name, e);
	if (span_is(name, "unit"))
		return keep_string(s, j, &part->unit, e);
	if (span_is(name, "event"))
		return keep_string(s, j, &part->event, e);
	if (span_is(name, "thread"))
		return keep_string(s, j, &part->thread, e);
	if (span_is(name, "source"))
		return keep_string(s, j, &part->source, e);
	if (span_is(name, "pid"))
		return keep_number(j, THREAD_UNKNOWN, &part->pid, e);
	if (span_is(name, "tid"))
		return keep_number(j, THREAD_UNKNOWN, &part->tid, e);
	if (span_is(name, "period"))
		return keep_number(j, INT64_MAX, &part->period, e);
	if (span_is(name, "samples"))
		return json_place_of(j, &part->samples, e);
	if (span_is(name, "weights"))
		return json_place_of(j, &part->weights, e);
	if (span_is(name, "events"))
		return json_place_of(j, &part->events, e);
	if (!span_is(name, "endValue"))
		return json_pass_over(j, e);
	token = json_next(j, e);
	part->has_end = token == JSON_NUMBER && decimal_parse(j->value, &part->end);
	return json_skip(j, token, e);
}

static enum json_token add_part(void *arg, struct json *j, enum json_token token, struct error *e)
{
	struct speedscope *s = arg;

	if (token != JSON_OBJECT)
		return json_skip(j, token, e);
	GROW(s->part, s->nr_part, s->cap_part);
	s->part[s->nr_part++] = (struct part){ .name = SPAN(""),
					       .unit = SPAN(""),
					       .event = SPAN(""),
					       .thread = SPAN(""),
					       .source = SPAN(""),
					       .pid = THREAD_UNKNOWN,
					       .tid = THREAD_UNKNOWN };
	return json_each_member(j, part_member, s, e);
}

static enum json_token member(void *arg, struct json *j, struct span name, struct error *e)
{
	if (span_is(name, "shared"))
		return json_object_of(j, shared_member, arg, e);
	if (span_is(name, "profiles"))
		return json_array_of(j, add_part, arg, e);
	return json_pass_over(j, e);
}

static int speedscope_read(struct build *b, struct error *e)
{
	struct speedscope s = { .b = b };
	int ret = whole_open(&s.whole, b, e);

	if (!ret)
		ret = whole_json(&s.whole, b, member, &s, e);
	for (size_t i = 0; i < s.nr_part && !ret; i++)
		ret = count_part(&s, &s.part[i], e);
	free(s.frame);
	free(s.part);
	arena_release(&s.arena);
	return ret;
}

static bool speedscope_accepts(struct span head)
{
	return script_shows(head, "shared", "frames") || script_shows(head, "profiles", "endValue");
}

const struct reader reader_speedscope = {
	.name = "speedscope",
	.title = "speedscope profiles (JSON)",
	.accepts = speedscope_accepts,
	.read = speedscope_read,
	.split = SPLIT_ANYWHERE,
	.spelling = SPELL_THREAD,
};
