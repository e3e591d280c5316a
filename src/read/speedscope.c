/*
 * speedscope's own format, which py-spy, pyinstrument, rbspy, Excimer and many
 * more write:
 *
 *	"shared": {"frames": [{"name": "main", "file": "a.py", "line": 1}, …]},
 *	"profiles": [{"type": "sampled", "name": "thread 1", "unit": "seconds",
 *		"samples": [[0, 1], [0]], "weights": [0.5, 0.25]}, …]
 *
 * or "type": "evented" and "events": [{"type": "O", "frame": 0, "at": 0.5}, …].
 * The frames may stand behind the profiles, so the text is read twice.
 */
#include "base/alloc.h"
#include "base/decimal.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/script.h"
#include "read/slices.h"
#include "read/whole.h"

#include <stdlib.h>

struct speedscope {
	struct build *b;
	struct json json;
	frame_id *frame;
	size_t nr_frame, cap_frame;
	size_t nr_profile;
	/* Of the profile that is being read */
	struct strbuf name, unit;
	stack_id *stack; /* by sample */
	size_t nr_stack, cap_stack;
	struct decimal *weight;
	size_t nr_weight, cap_weight;
	struct slices slices;
	uint32_t track;
};

static bool is_over(enum json_token token)
{
	return token == JSON_ERROR || token == JSON_END;
}

/* The members of an object, to its end. */
typedef enum json_token member_fn(struct speedscope *s, struct span name, struct error *e);

static enum json_token each_member(struct speedscope *s, member_fn *member, struct error *e)
{
	enum json_token token;

	do {
		token = json_next(&s->json, e);
		if (token != JSON_NAME)
			return token;
		token = member(s, s->json.value, e);
	} while (!is_over(token));
	return token;
}

static enum json_token pass_over(struct speedscope *s, struct error *e)
{
	return json_skip(&s->json, json_next(&s->json, e), e);
}

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

static enum json_token shared_member(struct speedscope *s, struct span name, struct error *e)
{
	struct arena arena = { 0 };
	const struct json_node *frames;

	if (!span_is(name, "frames"))
		return pass_over(s, e);
	frames = json_tree_take(&arena, &s->json, json_next(&s->json, e), e);
	for (const struct json_node *n = frames ? frames->first : NULL; n; n = n->next) {
		GROW(s->frame, s->nr_frame, s->cap_frame);
		s->frame[s->nr_frame++] = make_frame(s->b, n);
	}
	arena_release(&arena);
	return frames ? JSON_ARRAY_END : JSON_ERROR;
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

/* [0, 1]: from the root on. */
static enum json_token read_stack(struct speedscope *s, struct error *e)
{
	enum json_token token;
	stack_id stack;

	while ((token = json_next(&s->json, e)) == JSON_NUMBER)
		build_push(s->b, find_frame(s, s->json.value));
	if (token != JSON_ARRAY_END) {
		build_drop(s->b);
		return is_over(token) ? token : json_skip(&s->json, token, e);
	}
	if (build_stack(s->b, ROOT_FIRST, &stack, e))
		return JSON_ERROR;
	GROW(s->stack, s->nr_stack, s->cap_stack);
	s->stack[s->nr_stack++] = stack;
	return token;
}

static enum json_token read_weight(struct speedscope *s, struct error *e)
{
	struct decimal d = { 0 };

	if (!decimal_parse(s->json.value, &d) && build_note(s->b, NOTE_BAD_COUNT, s->json.value, e))
		return JSON_ERROR;
	GROW(s->weight, s->nr_weight, s->cap_weight);
	s->weight[s->nr_weight++] = d;
	return JSON_NUMBER;
}

static int count_samples(struct speedscope *s, struct error *e)
{
	for (size_t i = 0; i < s->nr_stack; i++) {
		struct decimal d = { .value = 1 };
		int64_t weight;

		if (i < s->nr_weight)
			d = s->weight[i];
		if (d.value < 0 || !build_decimal(s->b, d, &weight)) {
			if (build_note(s->b, NOTE_BAD_COUNT, SPAN(""), e))
				return -1;
		} else if (weight && build_end_at(s->b, s->stack[i], weight, e)) {
			return -1;
		}
	}
	return 0;
}

/* Evented */

/* {"type": "O", "frame": 0, "at": 0.5}: opened, and later closed. */
static enum json_token read_event(struct speedscope *s, struct error *e)
{
	struct arena arena = { 0 };
	const struct json_node *n = json_tree_take(&arena, &s->json, JSON_OBJECT, e), *at, *frame;
	struct span type = text(n, "type");
	struct decimal d;
	int ret = -1;

	if (n) {
		at = json_find(n, "at");
		frame = json_find(n, "frame");
		if (!at || !frame || !decimal_parse(at->text, &d))
			ret = build_note(s->b, NOTE_BAD_EVENT, type, e);
		else if (span_is(type, "O"))
			ret = slices_begin(&s->slices, s->track, find_frame(s, frame->text), d, e);
		else
			ret = slices_end(&s->slices, s->track, d, e);
	}
	arena_release(&arena);
	return ret ? JSON_ERROR : JSON_OBJECT_END;
}

/* Profiles */

/* The elements of an array that are of one type. */
static enum json_token each_element(struct speedscope *s, enum json_token type,
				    enum json_token (*read)(struct speedscope *s, struct error *e),
				    struct error *e)
{
	enum json_token token = json_next(&s->json, e);

	if (token != JSON_ARRAY)
		return json_skip(&s->json, token, e);
	for (;;) {
		token = json_next(&s->json, e);
		if (token == JSON_ARRAY_END)
			return token;
		token = token == type ? read(s, e) : json_skip(&s->json, token, e);
		if (is_over(token))
			return token;
	}
}

static enum json_token read_string(struct speedscope *s, struct strbuf *to, struct error *e)
{
	enum json_token token = json_next(&s->json, e);

	if (token != JSON_STRING)
		return json_skip(&s->json, token, e);
	strbuf_reset(to);
	strbuf_add(to, s->json.value);
	return token;
}

static enum json_token profile_member(struct speedscope *s, struct span name, struct error *e)
{
	if (span_is(name, "name"))
		return read_string(s, &s->name, e);
	if (span_is(name, "unit"))
		return read_string(s, &s->unit, e);
	if (span_is(name, "samples"))
		return each_element(s, JSON_ARRAY, read_stack, e);
	if (span_is(name, "weights"))
		return each_element(s, JSON_NUMBER, read_weight, e);
	if (span_is(name, "events"))
		return each_element(s, JSON_OBJECT, read_event, e);
	return pass_over(s, e);
}

static uint32_t find_event(struct profile *p, struct span unit)
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
			return profile_event(p, span_of(units[i].event), span_of(units[i].name));
	return profile_event(p, SPAN("samples"), SPAN(""));
}

/* Most writers have a profile a thread; where there is one only, its name is the file's. */
static int count_profile(struct speedscope *s, struct error *e)
{
	struct thread thread = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };

	s->b->event = find_event(s->b->p, strbuf_peek(&s->unit));
	if (s->nr_profile > 1)
		thread.comm = profile_string(s->b->p, strbuf_peek(&s->name));
	s->b->thread = profile_thread(s->b->p, &thread);
	s->slices.track[s->track].thread = thread;
	if (count_samples(s, e))
		return -1;
	return s->slices.track[s->track].nr ? slices_count(&s->slices, e) : 0;
}

static enum json_token read_profile(struct speedscope *s, struct error *e)
{
	enum json_token token;

	strbuf_reset(&s->name);
	strbuf_reset(&s->unit);
	s->nr_stack = s->nr_weight = 0;
	s->slices = (struct slices){ .b = s->b };
	s->track = slices_track(&s->slices, SPAN(""), SPAN(""));
	token = each_member(s, profile_member, e);
	/* If the file is cut short, count what there is of the profile. */
	if (token != JSON_ERROR && count_profile(s, e))
		token = JSON_ERROR;
	slices_release(&s->slices);
	return token;
}

/* The text, once for the frames and once for what speaks of them */

static enum json_token count_one(struct speedscope *s, struct error *e)
{
	s->nr_profile++;
	return json_skip(&s->json, JSON_OBJECT, e);
}

static enum json_token frames_member(struct speedscope *s, struct span name, struct error *e)
{
	bool shared = span_is(name, "shared");
	enum json_token token;

	if (span_is(name, "profiles"))
		return each_element(s, JSON_OBJECT, count_one, e);
	token = json_next(&s->json, e);
	if (!shared || token != JSON_OBJECT)
		return json_skip(&s->json, token, e);
	return each_member(s, shared_member, e);
}

static enum json_token profiles_member(struct speedscope *s, struct span name, struct error *e)
{
	if (span_is(name, "profiles"))
		return each_element(s, JSON_OBJECT, read_profile, e);
	return pass_over(s, e);
}

static int read_pass(struct speedscope *s, struct span all, member_fn *member, struct error *e)
{
	struct text *before = s->b->text, over;
	enum json_token token;
	bool cut;

	text_over(&over, all);
	s->b->text = &over;
	json_init(&s->json, &over);
	token = json_next(&s->json, e);
	if (token == JSON_OBJECT)
		token = each_member(s, member, e);
	cut = s->json.cut;
	json_release(&s->json);
	text_release(&over);
	s->b->text = before;
	if (token == JSON_ERROR)
		return -1;
	return cut && member == profiles_member ? build_note(s->b, NOTE_NO_END, SPAN(""), e) : 0;
}

static int speedscope_read(struct build *b, struct error *e)
{
	struct speedscope s = { .b = b };
	struct strbuf all = { 0 };
	int ret = whole_read(b, &all, e);

	if (!ret)
		ret = read_pass(&s, strbuf_peek(&all), frames_member, e);
	if (!ret)
		ret = read_pass(&s, strbuf_peek(&all), profiles_member, e);
	free(s.frame);
	free(s.stack);
	free(s.weight);
	strbuf_release(&s.name);
	strbuf_release(&s.unit);
	strbuf_release(&all);
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
