/*
 * Chrome's Trace Event Format: JSON with an array of events, of which those
 * that say when something began and how long it took (`ph` X, or B and later
 * E) are slices.  Samples of JavaScript that stand between them are an event of
 * their own.
 */
#include "base/alloc.h"
#include "base/json.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/chrome_profiles.h"
#include "read/readers.h"
#include "read/slices.h"

/* What is read of an event. */
enum field {
	FIELD_PHASE,
	FIELD_NAME,
	FIELD_PID,
	FIELD_TID,
	FIELD_ID,
	FIELD_BEGIN,
	FIELD_DURATION,
	FIELD_ARGS,
	FIELD_DATA,  /* args.data: kept as JSON, for V8 profiles */
	FIELD_LABEL, /* args.name: the thread's name, in an event `thread_name` */
	NR_FIELDS,
};

static const struct {
	const char *name;
	bool in_args;
} fields[NR_FIELDS] = {
	[FIELD_PHASE] = { "ph", false },  [FIELD_NAME] = { "name", false },
	[FIELD_ID] = { "id", false },	  [FIELD_DATA] = { "data", true },
	[FIELD_PID] = { "pid", false },	  [FIELD_TID] = { "tid", false },
	[FIELD_BEGIN] = { "ts", false },  [FIELD_DURATION] = { "dur", false },
	[FIELD_ARGS] = { "args", false }, [FIELD_LABEL] = { "name", true },
};

struct trace {
	struct build *b;
	struct json json;
	struct slices slices;
	struct chrome_profiles profiles;
	/* Of the event being read */
	struct strbuf field[NR_FIELDS];
	bool has[NR_FIELDS];
	const struct json_node *data;
	struct arena arena;
};

/* Events */

static struct span field(const struct trace *t, enum field f)
{
	return strbuf_peek(&t->field[f]);
}

static bool number(const struct trace *t, enum field f, struct decimal *d)
{
	return t->has[f] && decimal_parse(span_trim(field(t, f)), d);
}

static uint32_t track(struct trace *t)
{
	return slices_track(&t->slices, field(t, FIELD_PID), field(t, FIELD_TID));
}

static int bad_event(struct trace *t, struct error *e)
{
	return build_note(t->b, NOTE_BAD_EVENT, field(t, FIELD_NAME), e);
}

static int complete_event(struct trace *t, struct error *e)
{
	struct decimal begin, duration;

	/* The trace ended before the slice did. */
	if (!t->has[FIELD_DURATION])
		return build_note(t->b, NOTE_NO_END_EVENT, field(t, FIELD_NAME), e);
	if (!number(t, FIELD_BEGIN, &begin) || !number(t, FIELD_DURATION, &duration))
		return bad_event(t, e);
	return slices_add(&t->slices, track(t), build_name(t->b, field(t, FIELD_NAME)), begin,
			  duration, e);
}

static int begin_event(struct trace *t, struct error *e)
{
	struct decimal begin;

	if (!number(t, FIELD_BEGIN, &begin))
		return bad_event(t, e);
	return slices_begin(&t->slices, track(t), build_name(t->b, field(t, FIELD_NAME)), begin, e);
}

static int end_event(struct trace *t, struct error *e)
{
	struct decimal end;

	if (!number(t, FIELD_BEGIN, &end))
		return bad_event(t, e);
	return slices_end(&t->slices, track(t), end, e);
}

static int metadata_event(struct trace *t, struct error *e)
{
	uint32_t i;

	(void)e;
	if (span_is(field(t, FIELD_NAME), "thread_name") && t->has[FIELD_LABEL]) {
		i = track(t);
		t->slices.track[i].thread.comm = profile_string(t->b->p, field(t, FIELD_LABEL));
	}
	return 0;
}

static const struct {
	char phase;
	bool pair; /* one of two events that make a slice */
	int (*add)(struct trace *t, struct error *e);
} phases[] = {
	{ 'X', false, complete_event },
	{ 'B', true, begin_event },
	{ 'E', true, end_event },
	{ 'M', false, metadata_event },
};

static int add_event(struct trace *t, struct error *e)
{
	struct span phase = field(t, FIELD_PHASE);

	if (t->data && chrome_profiles_has(field(t, FIELD_NAME)))
		return chrome_profiles_add(&t->profiles,
					   &(struct chrome_owner){ .pid = field(t, FIELD_PID),
								   .id = field(t, FIELD_ID),
								   .track = track(t) },
					   t->data, &t->arena, e);
	for (size_t i = 0; i < ARRAY_SIZE(phases) && phase.size == 1; i++)
		if (phases[i].phase == phase.at[0])
			return phases[i].pair && t->b->o->complete_only ? 0 : phases[i].add(t, e);
	/* Counters, flows, instants, … take no time. */
	return 0;
}

/* JSON */

static enum field find_field(struct span name, bool in_args)
{
	enum field f = 0;

	while (f < NR_FIELDS && (fields[f].in_args != in_args || !span_is(name, fields[f].name)))
		f++;
	return f;
}

static bool is_over(enum json_token token)
{
	return token == JSON_ERROR || token == JSON_END;
}

/* The members of an object, to its end. */
static enum json_token read_members(struct trace *t, bool in_args, struct error *e)
{
	for (;;) {
		enum json_token token = json_next(&t->json, e);
		enum field f;

		if (token != JSON_NAME)
			return token;
		f = find_field(t->json.value, in_args);
		token = json_next(&t->json, e);
		if (f == FIELD_ARGS && token == JSON_OBJECT) {
			token = read_members(t, true, e);
		} else if (f == FIELD_DATA && token == JSON_OBJECT && !t->b->o->complete_only) {
			t->data = json_tree_take(&t->arena, &t->json, token, e);
			token = t->data ? JSON_OBJECT_END : t->json.cut ? JSON_END : JSON_ERROR;
		} else if (f < NR_FIELDS && (token == JSON_STRING || token == JSON_NUMBER)) {
			strbuf_reset(&t->field[f]);
			strbuf_add(&t->field[f], t->json.value);
			t->has[f] = true;
		} else {
			token = json_skip(&t->json, token, e);
		}
		if (is_over(token))
			return token;
	}
}

static enum json_token read_events(struct trace *t, struct error *e)
{
	for (;;) {
		enum json_token token = json_next(&t->json, e);

		if (token == JSON_ARRAY_END)
			return token;
		if (token == JSON_OBJECT) {
			for (enum field f = 0; f < NR_FIELDS; f++) {
				strbuf_reset(&t->field[f]);
				t->has[f] = false;
			}
			t->data = NULL;
			token = read_members(t, false, e);
			if (token == JSON_OBJECT_END && add_event(t, e))
				return JSON_ERROR;
			arena_release(&t->arena);
		} else {
			token = json_skip(&t->json, token, e);
		}
		if (is_over(token))
			return token;
	}
}

/* {"traceEvents":[…], …} or only the array, which may lack its end. */
static enum json_token read_document(struct trace *t, enum json_token token, struct error *e)
{
	bool found = false;

	if (token == JSON_ARRAY)
		return read_events(t, e);
	while (!is_over(token)) {
		bool here;

		token = json_next(&t->json, e);
		if (token != JSON_NAME)
			break;
		here = span_is(t->json.value, "traceEvents");
		token = json_next(&t->json, e);
		if (here && token == JSON_ARRAY) {
			found = true;
			token = read_events(t, e);
		} else {
			token = json_skip(&t->json, token, e);
		}
	}
	if (!found && token != JSON_ERROR && build_note(t->b, NOTE_NO_START, SPAN(""), e))
		return JSON_ERROR;
	return token;
}

/* Slices first, if there are any, so that they are the first event: the one shown by default. */
static int count_all(struct trace *t, struct error *e)
{
	struct build *b = t->b;

	if (t->slices.nr_order || !t->profiles.nr) {
		b->event = profile_event(b->p, SPAN("time"), SPAN("us"));
		if (slices_count(&t->slices, e))
			return -1;
	}
	return chrome_profiles_count(&t->profiles, &t->slices, e);
}

static int chrome_tracing_read(struct build *b, struct error *e)
{
	struct trace t = { .b = b, .slices = { .b = b }, .profiles = { .b = b } };
	enum json_token token;
	int ret = -1;

	json_init(&t.json, b->text);
	do {
		token = json_next(&t.json, e);
		if (!is_over(token))
			token = read_document(&t, token, e);
	} while (!is_over(token));
	if (token != JSON_ERROR && (!t.json.cut || !build_note(b, NOTE_NO_END, SPAN(""), e)))
		ret = count_all(&t, e);
	for (enum field f = 0; f < NR_FIELDS; f++)
		strbuf_release(&t.field[f]);
	slices_release(&t.slices);
	chrome_profiles_release(&t.profiles);
	arena_release(&t.arena);
	json_release(&t.json);
	return ret;
}

/* The first kilobytes are JSON with an array of such events, as far as they go. */
static bool chrome_tracing_accepts(struct span head)
{
	struct error e = ERROR_INIT;
	struct text text;
	struct json j;
	enum json_token token;
	bool yes = false, is_array;

	text_over(&text, head);
	json_init(&j, &text);
	token = json_next(&j, &e);
	is_array = token == JSON_ARRAY;
	if (is_array)
		token = json_next(&j, &e);
	while (!yes && token == JSON_OBJECT) {
		enum json_token name = json_next(&j, &e);

		if (name != JSON_NAME)
			break;
		yes = span_is(j.value, is_array ? "ph" : "traceEvents");
		if (is_over(json_skip(&j, json_next(&j, &e), &e)))
			break;
	}
	json_release(&j);
	return yes;
}

const struct reader reader_chrome_tracing = {
	.name = "chrome-tracing",
	.title = "Chrome trace events (JSON)",
	.accepts = chrome_tracing_accepts,
	.read = chrome_tracing_read,
	.split = SPLIT_ANYWHERE,
	.spelling = SPELL_THREAD,
};
