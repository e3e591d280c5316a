/*
 * Chrome's Trace Event Format: JSON with an array of events.  Those with a
 * begin and a duration or end (`ph` X, or B and later E) are slices.  Samples of
 * JavaScript among them, and those in a separate list, become events of the
 * profile.  Counters (`ph` C) become series, one for each number of `args`.
 */
#include "base/alloc.h"
#include "base/json.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/chrome/chrome_profiles.h"
#include "read/chrome/chrome_samples.h"
#include "read/counters.h"
#include "read/readers.h"
#include "read/slices.h"

/* The fields of an event that are read. */
enum field {
	FIELD_PHASE,
	FIELD_NAME,
	FIELD_CATEGORY,
	FIELD_PID,
	FIELD_TID,
	FIELD_ID,
	FIELD_BEGIN,
	FIELD_DURATION,
	FIELD_FRAME,  /* of a sample: the id of its innermost stack frame */
	FIELD_WEIGHT, /* of a sample */
	FIELD_ARGS,
	FIELD_DATA,  /* args.data: kept as JSON, for V8 profiles */
	FIELD_LABEL, /* args.name: the thread's name, in an event `thread_name` */
	/* More of args, in tracks that wick wrote for events other than the shown one */
	FIELD_EVENT,
	FIELD_THREAD,
	FIELD_THREAD_ID,
	FIELD_SOURCE, /* "sampled": slices were made of samples */
	/* Of flows and asynchronous operations */
	FIELD_BINDS, /* "e": a flow ends in the slice at that time */
	FIELD_FLOW,  /* of a slice: the ID of its flow */
	FIELD_FLOW_IN,
	FIELD_FLOW_OUT,
	FIELD_SCOPE,
	FIELD_ID2, /* an object with one of these */
	FIELD_LOCAL,
	FIELD_GLOBAL,
	NR_FIELDS,
};

/* Where a field is: in the event itself, or in an object in it. */
enum where { IN_EVENT, IN_ARGS, IN_ID2 };

/* With its length, which is compared first. */
#define FIELD_TEXT(text) \
	{ \
		.at = text, .size = sizeof(text) - 1 \
	}

static const struct {
	struct span name;
	enum where where;
} fields[NR_FIELDS] = {
	[FIELD_PHASE] = { FIELD_TEXT("ph"), IN_EVENT },
	[FIELD_NAME] = { FIELD_TEXT("name"), IN_EVENT },
	[FIELD_PID] = { FIELD_TEXT("pid"), IN_EVENT },
	[FIELD_TID] = { FIELD_TEXT("tid"), IN_EVENT },
	[FIELD_ID] = { FIELD_TEXT("id"), IN_EVENT },
	[FIELD_BEGIN] = { FIELD_TEXT("ts"), IN_EVENT },
	[FIELD_DURATION] = { FIELD_TEXT("dur"), IN_EVENT },
	[FIELD_FRAME] = { FIELD_TEXT("sf"), IN_EVENT },
	[FIELD_WEIGHT] = { FIELD_TEXT("weight"), IN_EVENT },
	[FIELD_ARGS] = { FIELD_TEXT("args"), IN_EVENT },
	[FIELD_DATA] = { FIELD_TEXT("data"), IN_ARGS },
	[FIELD_LABEL] = { FIELD_TEXT("name"), IN_ARGS },
	[FIELD_EVENT] = { FIELD_TEXT("event"), IN_ARGS },
	[FIELD_THREAD] = { FIELD_TEXT("thread"), IN_ARGS },
	[FIELD_THREAD_ID] = { FIELD_TEXT("tid"), IN_ARGS },
	[FIELD_CATEGORY] = { FIELD_TEXT("cat"), IN_EVENT },
	[FIELD_BINDS] = { FIELD_TEXT("bp"), IN_EVENT },
	[FIELD_FLOW] = { FIELD_TEXT("bind_id"), IN_EVENT },
	[FIELD_FLOW_IN] = { FIELD_TEXT("flow_in"), IN_EVENT },
	[FIELD_FLOW_OUT] = { FIELD_TEXT("flow_out"), IN_EVENT },
	[FIELD_SCOPE] = { FIELD_TEXT("scope"), IN_EVENT },
	[FIELD_ID2] = { FIELD_TEXT("id2"), IN_EVENT },
	[FIELD_LOCAL] = { FIELD_TEXT("local"), IN_ID2 },
	[FIELD_GLOBAL] = { FIELD_TEXT("global"), IN_ID2 },
	[FIELD_SOURCE] = { FIELD_TEXT("source"), IN_ARGS },
};

/* Limit of values in one counter event; viewers draw them stacked. */
enum { VALUES_MAX = 64 };

/* A number of `args`. */
struct value {
	struct strbuf name;
	struct decimal number;
};

struct trace {
	struct build *b;
	struct json json;
	struct slices slices;
	struct chrome_profiles profiles;
	struct chrome_samples samples;
	struct counters counters;
	struct strbuf counter; /* the name of one */
	/* Of the event being read */
	struct value value[VALUES_MAX];
	size_t nr_value;
	struct strbuf field[NR_FIELDS];
	bool has[NR_FIELDS];
	const struct json_node *data;
	struct arena arena;
	struct strbuf key; /* of a flow or an asynchronous operation */
};

/* Events */

static struct span field(const struct trace *t, enum field f)
{
	return t->has[f] ? strbuf_peek(&t->field[f]) : SPAN("");
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

/* Adds the flow of a slice event, if the slice was added: there were `before` slices. */
static int add_own_flow(struct trace *t, uint32_t before, struct error *e)
{
	unsigned kind =
		(t->has[FIELD_FLOW_IN] ? FLOW_IN : 0) | (t->has[FIELD_FLOW_OUT] ? FLOW_OUT : 0);

	if (!t->has[FIELD_FLOW] || !kind || t->slices.nr_slice == before)
		return 0;
	strbuf_reset(&t->key);
	strbuf_addch(&t->key, '#');
	strbuf_add(&t->key, field(t, FIELD_FLOW));
	return slices_flow_of_last(&t->slices, track(t), strbuf_peek(&t->key), kind, e);
}

static int complete_event(struct trace *t, struct error *e)
{
	struct decimal begin, duration;
	uint32_t before = t->slices.nr_slice;
	int ret;

	/* The trace ended before the slice did. */
	if (!t->has[FIELD_DURATION] && t->b->o->complete_only)
		return build_note(t->b, NOTE_NO_END_EVENT, field(t, FIELD_NAME), e);
	if (!number(t, FIELD_BEGIN, &begin))
		return bad_event(t, e);
	if (!t->has[FIELD_DURATION])
		ret = slices_add_open(&t->slices, track(t), build_name(t->b, field(t, FIELD_NAME)),
				      begin, e);
	else if (!number(t, FIELD_DURATION, &duration))
		return bad_event(t, e);
	else
		ret = slices_add(&t->slices, track(t), build_name(t->b, field(t, FIELD_NAME)),
				 begin, duration, e);
	return ret ? -1 : add_own_flow(t, before, e);
}

static int begin_event(struct trace *t, struct error *e)
{
	uint32_t before = t->slices.nr_slice;
	struct decimal begin;

	if (!number(t, FIELD_BEGIN, &begin))
		return bad_event(t, e);
	if (slices_begin(&t->slices, track(t), build_name(t->b, field(t, FIELD_NAME)), begin, e))
		return -1;
	return add_own_flow(t, before, e);
}

static int end_event(struct trace *t, struct error *e)
{
	struct decimal end;

	if (!number(t, FIELD_BEGIN, &end))
		return bad_event(t, e);
	return slices_end(&t->slices, track(t), end, e);
}

static int add_sample(struct trace *t, struct error *e)
{
	struct decimal time;

	if (number(t, FIELD_BEGIN, &time))
		slices_seen(&t->slices, time);
	return chrome_samples_add(&t->samples,
				  &(struct chrome_sample_text){ .name = field(t, FIELD_NAME),
								.frame = field(t, FIELD_FRAME),
								.weight = field(t, FIELD_WEIGHT) },
				  track(t), e);
}

/* Samples with a stack frame; without one, they are messages of V8's profiler. */
static int sample_event(struct trace *t, struct error *e)
{
	return t->has[FIELD_FRAME] ? add_sample(t, e) : 0;
}

/* The name of the event and of the value: viewers draw the values of an event in one chart. */
static struct span counter_name(struct trace *t, struct span value)
{
	struct span name = field(t, FIELD_NAME);

	if (t->nr_value == 1 && (span_is(value, "value") || span_eq(value, name)))
		return name;
	strbuf_reset(&t->counter);
	strbuf_add(&t->counter, name);
	strbuf_addch(&t->counter, ' ');
	strbuf_add(&t->counter, value);
	return strbuf_peek(&t->counter);
}

/* If wick wrote it, the name of the value is its unit. */
static int counter_event(struct trace *t, struct error *e)
{
	bool own = span_is(field(t, FIELD_CATEGORY), "wick");
	struct decimal time;
	int64_t ns;

	if (!number(t, FIELD_BEGIN, &time) || !slices_point(&t->slices, time, &ns))
		return bad_event(t, e);
	for (size_t i = 0; i < t->nr_value; i++) {
		struct span value = strbuf_peek(&t->value[i].name);
		struct counter_name name = { .name = own ? field(t, FIELD_NAME)
							 : counter_name(t, value),
					     .unit = SPAN(""),
					     .scope = field(t, FIELD_ID),
					     .process = field(t, FIELD_PID) };

		if (own && !span_is(value, "value"))
			name.unit = value;
		if (counters_add(&t->counters, &name, ns, t->value[i].number, e))
			return -1;
	}
	return 0;
}

/* Identifies a flow or an operation: category, scope and ID, which may be local to the process. */
static void make_key(struct trace *t)
{
	static const enum field parts[] = { FIELD_CATEGORY, FIELD_SCOPE, FIELD_ID, FIELD_GLOBAL };

	strbuf_reset(&t->key);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		strbuf_add(&t->key, field(t, parts[i]));
		strbuf_addch(&t->key, '/');
	}
	if (t->has[FIELD_LOCAL]) {
		strbuf_add(&t->key, field(t, FIELD_PID));
		strbuf_addch(&t->key, '/');
		strbuf_add(&t->key, field(t, FIELD_LOCAL));
	}
}

/*
 * `b` and `e`, or `S` and `F`: an operation that begins in a thread and may end in another, so it is
 * on the stack of neither.  `b` and `e` of one ID nest; `S` and `F`, the older kind, are matched by name.
 */
static int async_event(struct trace *t, struct error *e)
{
	char phase = field(t, FIELD_PHASE).at[0];
	struct decimal time;
	uint32_t operation;

	if (!number(t, FIELD_BEGIN, &time))
		return bad_event(t, e);
	make_key(t);
	if (phase == 'S' || phase == 'F')
		strbuf_add(&t->key, field(t, FIELD_NAME));
	operation = slices_async(&t->slices, strbuf_peek(&t->key), track(t));
	if (phase == 'e' || phase == 'F')
		return slices_end(&t->slices, operation, time, e);
	return slices_begin(&t->slices, operation, build_name(t->b, field(t, FIELD_NAME)), time, e);
}

/* `s`, `t` and `f`: a flow from the slice of each event to that of the next. */
static int flow_event(struct trace *t, struct error *e)
{
	struct decimal time;
	unsigned kind;

	if (!number(t, FIELD_BEGIN, &time))
		return 0;
	switch (field(t, FIELD_PHASE).at[0]) {
	case 's':
		kind = FLOW_OUT;
		break;
	case 't':
		kind = FLOW_IN | FLOW_OUT;
		break;
	default:
		kind = FLOW_IN | (span_is(field(t, FIELD_BINDS), "e") ? 0 : FLOW_NEXT);
		break;
	}
	make_key(t);
	strbuf_add(&t->key, field(t, FIELD_NAME));
	return slices_flow(&t->slices, track(t), strbuf_peek(&t->key), kind, time, e);
}

static int metadata_event(struct trace *t, struct error *e)
{
	struct track *to;
	uint64_t tid;
	uint32_t i;

	(void)e;
	if (!span_is(field(t, FIELD_NAME), "thread_name") || !t->has[FIELD_LABEL])
		return 0;
	i = track(t); /* maybe a new one */
	to = &t->slices.track[i];
	to->thread.comm = profile_string(t->b->p, field(t, FIELD_LABEL));
	to->is_sampled = span_is(field(t, FIELD_SOURCE), "sampled");
	if (t->has[FIELD_EVENT] && t->has[FIELD_THREAD]) {
		to->event = profile_string(t->b->p, field(t, FIELD_EVENT));
		to->thread.comm = profile_string(t->b->p, field(t, FIELD_THREAD));
		to->thread.tid = THREAD_UNKNOWN;
		if (span_u64(field(t, FIELD_THREAD_ID), &tid) && tid < THREAD_UNKNOWN)
			to->thread.tid = (uint32_t)tid;
	}
	return 0;
}

static const struct {
	char phase;
	bool incomplete; /* not a slice of one event */
	int (*add)(struct trace *t, struct error *e);
} phases[] = {
	{ 'X', false, complete_event }, { 'B', true, begin_event },  { 'E', true, end_event },
	{ 'M', false, metadata_event }, { 'P', true, sample_event }, { 'b', true, async_event },
	{ 'e', true, async_event },	{ 'S', true, async_event },  { 'F', true, async_event },
	{ 's', true, flow_event },	{ 't', true, flow_event },   { 'f', true, flow_event },
	{ 'C', true, counter_event },
};

static int add_event(struct trace *t, struct error *e)
{
	struct span phase = field(t, FIELD_PHASE);
	struct decimal time;

	if (t->data && chrome_profiles_has(field(t, FIELD_NAME)))
		return chrome_profiles_add(&t->profiles,
					   &(struct chrome_owner){ .pid = field(t, FIELD_PID),
								   .id = field(t, FIELD_ID),
								   .track = track(t) },
					   t->data, e);
	for (size_t i = 0; i < ARRAY_SIZE(phases) && phase.size == 1; i++)
		if (phases[i].phase == phase.at[0])
			return phases[i].incomplete && t->b->o->complete_only ? 0
									      : phases[i].add(t, e);
	/* Instants, … have no duration, but the trace lasts at least until then. */
	if (number(t, FIELD_BEGIN, &time))
		slices_seen(&t->slices, time);
	return 0;
}

/* JSON */

static enum field find_field(struct span name, enum where where)
{
	enum field f = 0;

	while (f < NR_FIELDS && (fields[f].name.size != name.size || fields[f].where != where ||
				 memcmp(fields[f].name.at, name.at, name.size) != 0))
		f++;
	return f;
}

static bool is_over(enum json_token token)
{
	return token == JSON_ERROR || token == JSON_END;
}

/* The name of a member of `args`, whose value may be a number. */
static void begin_value(struct trace *t)
{
	if (t->nr_value == VALUES_MAX)
		return;
	strbuf_reset(&t->value[t->nr_value].name);
	strbuf_add(&t->value[t->nr_value].name, t->json.value);
}

static void end_value(struct trace *t)
{
	if (t->nr_value < VALUES_MAX && decimal_parse(t->json.value, &t->value[t->nr_value].number))
		t->nr_value++;
}

/* The members of an object, to its end. */
static enum json_token read_members(struct trace *t, enum where where, struct error *e)
{
	for (;;) {
		enum json_token token = json_next(&t->json, e);
		enum field f;

		if (token != JSON_NAME)
			return token;
		f = find_field(t->json.value, where);
		if (where == IN_ARGS)
			begin_value(t);
		token = json_next(&t->json, e);
		if (where == IN_ARGS && token == JSON_NUMBER)
			end_value(t);
		if (f == FIELD_ARGS && token == JSON_OBJECT) {
			token = read_members(t, IN_ARGS, e);
		} else if (f == FIELD_ID2 && token == JSON_OBJECT) {
			token = read_members(t, IN_ID2, e);
		} else if (f == FIELD_DATA && token == JSON_OBJECT && !t->b->o->complete_only) {
			t->data = json_tree_take(&t->arena, &t->json, token, e);
			token = t->data ? JSON_OBJECT_END : t->json.cut ? JSON_END : JSON_ERROR;
		} else if (f < NR_FIELDS && (token == JSON_STRING || token == JSON_NUMBER)) {
			strbuf_reset(&t->field[f]);
			strbuf_add(&t->field[f], t->json.value);
			t->has[f] = true;
		} else {
			if (token == JSON_TRUE && (f == FIELD_FLOW_IN || f == FIELD_FLOW_OUT)) {
				strbuf_reset(&t->field[f]);
				t->has[f] = true;
			}
			token = json_skip(&t->json, token, e);
		}
		if (is_over(token))
			return token;
	}
}

typedef int add_fn(struct trace *t, struct error *e);

/* An array of objects with the fields above. */
static enum json_token read_events(struct trace *t, add_fn *add, struct error *e)
{
	for (;;) {
		enum json_token token = json_next(&t->json, e);

		if (token == JSON_ARRAY_END)
			return token;
		if (token == JSON_OBJECT) {
			memset(t->has, 0, sizeof(t->has));
			t->data = NULL;
			t->nr_value = 0;
			token = read_members(t, IN_EVENT, e);
			if (token == JSON_OBJECT_END && add(t, e))
				return JSON_ERROR;
			arena_release(&t->arena);
		} else {
			token = json_skip(&t->json, token, e);
		}
		if (is_over(token))
			return token;
	}
}

/* A member of the document; *found: it contains data. */
static enum json_token read_member(struct trace *t, bool *found, struct error *e)
{
	add_fn *add = span_is(t->json.value, "traceEvents") ? add_event
		      : span_is(t->json.value, "samples")   ? add_sample
							    : NULL;
	enum json_token token;

	if (t->b->o->complete_only && add == add_sample)
		add = NULL;
	if (span_is(t->json.value, "stackFrames") && !t->b->o->complete_only)
		return chrome_samples_frames(&t->samples, &t->json, e);
	token = json_next(&t->json, e);
	if (!add || token != JSON_ARRAY)
		return json_skip(&t->json, token, e);
	*found = true;
	return read_events(t, add, e);
}

/* {"traceEvents":[…], …} or only the array, which may be truncated. */
static enum json_token read_document(struct trace *t, enum json_token token, struct error *e)
{
	bool found = false;

	if (token == JSON_ARRAY)
		return read_events(t, add_event, e);
	while (!is_over(token)) {
		token = json_next(&t->json, e);
		if (token != JSON_NAME)
			break;
		token = read_member(t, &found, e);
	}
	if (!found && token != JSON_ERROR && build_note(t->b, NOTE_NO_START, SPAN(""), e))
		return JSON_ERROR;
	return token;
}

/* Slices first, if there are any, so that they are the first event: the one shown by default. */
static int count_all(struct trace *t, struct error *e)
{
	struct build *b = t->b;

	counters_finish(&t->counters, slices_begin_ns(&t->slices));
	if (t->slices.nr_order || (!t->profiles.nr && !t->samples.nr)) {
		b->event = profile_event(b->p, SPAN("time"), SPAN("us"));
		if (slices_count(&t->slices, e))
			return -1;
	}
	if (chrome_profiles_count(&t->profiles, &t->slices, e))
		return -1;
	return chrome_samples_count(&t->samples, &t->slices, e);
}

static int chrome_tracing_read(struct build *b, struct error *e)
{
	struct trace t = {
		.b = b,
		.slices = { .b = b },
		.profiles = { .b = b },
		.samples = { .b = b },
		.counters = { .b = b },
	};
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
	for (size_t i = 0; i < VALUES_MAX; i++)
		strbuf_release(&t.value[i].name);
	strbuf_release(&t.counter);
	counters_release(&t.counters);
	strbuf_release(&t.key);
	slices_release(&t.slices);
	chrome_profiles_release(&t.profiles);
	chrome_samples_release(&t.samples);
	arena_release(&t.arena);
	json_release(&t.json);
	return ret;
}

/* Is the head JSON with an array of such events? */
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
		yes = span_is(j.value, is_array ? "ph" : "traceEvents") ||
		      (!is_array && span_is(j.value, "stackFrames"));
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
