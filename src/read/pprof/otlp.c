/*
 * OpenTelemetry profiles: the message ProfilesData of opentelemetry.proto.profiles.v1development, since
 * version 1.10 of the protocol.  Requests to a collector have the same fields.
 *
 * The dictionary that samples refer to follows them: a first pass finds it.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/perf_script/script_frame.h"
#include "read/pprof/pprof.h"
#include "read/pprof/proto.h"
#include "read/readers.h"
#include "read/whole_input.h"

#include <stdlib.h>

/* Fields of the messages, by the names of profiles.proto */
enum {
	DATA_RESOURCE_PROFILES = 1,
	DATA_DICTIONARY = 2,
	RESOURCE_PROFILES_SCOPE_PROFILES = 2,
	RESOURCE_PROFILES_LAST = 3,
	SCOPE_PROFILES_PROFILES = 2,
	SCOPE_PROFILES_LAST = 3,
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLES = 2,
	PROFILE_PERIOD_TYPE = 5,
	PROFILE_PERIOD = 6,
	PROFILE_ATTRIBUTES = 11,
	SAMPLE_STACK = 1,
	SAMPLE_ATTRIBUTES = 2,
	SAMPLE_VALUES = 4,
	SAMPLE_TIMESTAMPS = 5,
	STACK_LOCATIONS = 1,
	LOCATION_LINES = 3,
	MAPPING_ATTRIBUTES = 5,
	ATTRIBUTE_KEY = 1,
	ATTRIBUTE_VALUE = 2,
	ANY_STRING = 1,
	ANY_INT = 3,
};

/* The tables of the dictionary, by the numbers of their fields. */
enum table {
	TABLE_MAPPING = 1,
	TABLE_LOCATION,
	TABLE_FUNCTION,
	TABLE_LINK,
	TABLE_STRING,
	TABLE_ATTRIBUTE,
	TABLE_STACK,
	NR_TABLES,
};

enum { INLINED_MAX = 32, /* as in go.c */ LABELS_MAX = 64 };

struct otlp {
	struct build *b;
	struct {
		struct span *message; /* undecoded bytes, in the input */
		size_t nr, cap;
	} table[NR_TABLES];
	stack_id *stack; /* by row of its table, if it is known */
	bool *has_stack;
	uint64_t period; /* of the profile being read; 0: unknown */
	bool counts;	 /* its values are numbers of samples */
	bool has_source; /* it has the source of its weights, which wick writes */
	enum weight_source source;
	struct strbuf text;
};

static struct span row(const struct otlp *o, enum table table, uint64_t i)
{
	return i < o->table[table].nr ? o->table[table].message[i] : SPAN("");
}

static void add_dictionary(struct otlp *o, struct span message)
{
	struct bytes in = bytes_over(message);
	struct field f;

	while (field_next(&in, &f)) {
		if (!f.number || f.number >= NR_TABLES || f.wire != WIRE_BYTES)
			continue;
		GROW(o->table[f.number].message, o->table[f.number].nr, o->table[f.number].cap);
		o->table[f.number].message[o->table[f.number].nr++] = f.bytes;
	}
}

/* Calls a function for each number of a list, which is packed or has a field per number. */
typedef void number_fn(struct otlp *o, void *arg, uint64_t number);

static void each_number(struct otlp *o, const struct field *f, number_fn *add, void *arg)
{
	struct bytes in = bytes_over(f->bytes);

	if (f->wire == WIRE_VARINT)
		add(o, arg, f->value);
	while (f->wire == WIRE_BYTES && bytes_left(&in)) {
		uint64_t number = bytes_varint(&in);

		if (!in.failed)
			add(o, arg, number);
	}
}

/* Frames and stacks */

static bool read_line(struct otlp *o, struct span message, struct line *line)
{
	uint64_t number[NUMBERS_MAX], function[NUMBERS_MAX];
	struct span name;

	field_numbers(message, number);
	field_numbers(row(o, TABLE_FUNCTION, number[1]), function);
	name = row(o, TABLE_STRING, function[1]);
	if (!name.size)
		name = row(o, TABLE_STRING, function[2]);
	if (!name.size)
		return false;
	*line = (struct line){ .function = profile_string(o->b->p, name) };
	if (build_wants_lines(o->b, number[2] != 0)) {
		line->file = profile_string(o->b->p, row(o, TABLE_STRING, function[3]));
		line->line = number[2] <= UINT32_MAX ? (uint32_t)number[2] : 0;
	}
	return true;
}

/* Attributes */

struct attribute {
	struct span key;
	struct field value; /* of the AnyValue */
};

static struct attribute attribute(const struct otlp *o, uint64_t number)
{
	struct bytes in = bytes_over(row(o, TABLE_ATTRIBUTE, number));
	struct attribute a = { .key = SPAN(""), .value = { .bytes = SPAN("") } };
	struct field f;

	while (field_next(&in, &f)) {
		struct bytes any = bytes_over(f.bytes);

		if (f.number == ATTRIBUTE_KEY)
			a.key = row(o, TABLE_STRING, f.value);
		else if (f.number == ATTRIBUTE_VALUE && !field_next(&any, &a.value))
			a.value = (struct field){ .bytes = SPAN("") };
	}
	return a;
}

static void take_build_id(struct otlp *o, void *arg, uint64_t number)
{
	struct attribute a = attribute(o, number);
	struct span *id = arg;

	if (span_is(a.key, "process.executable.build_id.gnu") && a.value.number == ANY_STRING)
		*id = a.value.bytes;
}

static struct span build_id(struct otlp *o, uint64_t mapping)
{
	struct bytes in = bytes_over(row(o, TABLE_MAPPING, mapping));
	struct span id = SPAN("");
	struct field f;

	while (field_next(&in, &f))
		if (f.number == MAPPING_ATTRIBUTES)
			each_number(o, &f, take_build_id, &id);
	return id;
}

/* mapping: start, limit, offset, file */
static void set_module(struct otlp *o, const uint64_t location[NUMBERS_MAX], struct frame *f)
{
	uint64_t mapping[NUMBERS_MAX];
	struct span file;

	field_numbers(row(o, TABLE_MAPPING, location[1]), mapping);
	file = row(o, TABLE_STRING, mapping[4]);
	if (!location[1] || !file.size)
		return;
	f->kind = script_frame_kind(file);
	f->module = profile_module(o->b->p, file, build_id(o, location[1]));
	if (f->nr_line)
		return;
	f->address = location[2];
	if (f->kind == FRAME_USER && location[2] >= mapping[1]) {
		f->address = location[2] - mapping[1] + mapping[3];
		f->flags |= FRAME_IN_MODULE;
	}
}

static void push_location(struct otlp *o, void *arg, uint64_t number)
{
	struct span message = row(o, TABLE_LOCATION, number);
	struct bytes in = bytes_over(message);
	struct line line[INLINED_MAX];
	struct frame f = { .kind = FRAME_USER, .line = line };
	uint64_t location[NUMBERS_MAX];
	struct field field;

	(void)arg;
	if (number >= o->table[TABLE_LOCATION].nr)
		notes_add(&o->b->p->notes, NOTE_BAD_REF, 1, 0, SPAN("location"));
	while (field_next(&in, &field)) {
		if (field.number != LOCATION_LINES || field.wire != WIRE_BYTES)
			continue;
		if (f.nr_line == INLINED_MAX)
			notes_add(&o->b->p->notes, NOTE_TOO_DEEP, 1, 0, SPAN(""));
		else if (!(f.nr_line && o->b->o->drop_inlined))
			f.nr_line += read_line(o, field.bytes, &line[f.nr_line]);
	}
	field_numbers(message, location);
	set_module(o, location, &f);
	build_push(o->b, profile_frame(o->b->p, &f));
}

static int find_stack(struct otlp *o, uint64_t number, stack_id *stack, struct error *e)
{
	struct bytes in = bytes_over(row(o, TABLE_STACK, number));
	struct field f;

	*stack = (stack_id){ 0 };
	if (number >= o->table[TABLE_STACK].nr)
		return number ? build_note(o->b, NOTE_BAD_REF, SPAN("stack"), e) : 0;
	if (!o->has_stack[number]) {
		while (field_next(&in, &f))
			if (f.number == STACK_LOCATIONS)
				each_number(o, &f, push_location, NULL);
		if (build_stack(o->b, LEAF_FIRST, &o->stack[number], e))
			return -1;
		o->has_stack[number] = true;
	}
	*stack = o->stack[number];
	return 0;
}

/* Samples */

struct sample {
	struct thread thread;
	bool has_thread;
	struct label label[LABELS_MAX];
	size_t nr_label;
	uint64_t stack;
	struct span values, times; /* packed */
};

static uint32_t id_of(uint64_t number)
{
	return number < THREAD_UNKNOWN ? (uint32_t)number : THREAD_UNKNOWN;
}

/* Attributes of OpenTelemetry's semantic conventions set the thread; others are labels. */
static void add_attribute(struct otlp *o, void *arg, uint64_t number)
{
	struct attribute a = attribute(o, number);
	struct span key = a.key;
	struct field value = a.value;
	struct sample *s = arg;

	if (span_is(key, "thread.name") && value.number == ANY_STRING) {
		s->thread.comm = profile_string(o->b->p, value.bytes);
		s->has_thread = true;
	} else if (span_is(key, "process.pid") && value.number == ANY_INT) {
		s->thread.pid = id_of(value.value);
		s->has_thread = true;
	} else if (span_is(key, "thread.id") && value.number == ANY_INT) {
		s->thread.tid = id_of(value.value);
		s->has_thread = true;
	} else if (key.size && s->nr_label < LABELS_MAX) {
		strbuf_reset(&o->text);
		if (value.number == ANY_STRING)
			strbuf_add(&o->text, value.bytes);
		else if (value.wire == WIRE_VARINT)
			strbuf_addf(&o->text, "%lld", (long long)value.value);
		s->label[s->nr_label++] =
			(struct label){ .key = profile_string(o->b->p, key),
					.value = profile_string(o->b->p, strbuf_peek(&o->text)) };
	}
}

/* A value without times: the number of samples follows from the period, or the value is that number. */
static int add_sum(struct otlp *o, stack_id stack, int64_t value, struct error *e)
{
	if (!o->counts && !o->period && !o->has_source)
		build_measure(o->b, SOURCE_MEASURED, EXTENT_SHARE);
	return build_add(o->b, stack, value, build_nr_of(value, o->counts ? 1 : o->period), e);
}

/* There is a value for each time, or one for all, or only times: then each value is 1. */
static int count_sample(struct otlp *o, const struct sample *s, struct error *e)
{
	struct bytes values = bytes_over(s->values);
	struct build *b = o->b;
	size_t nr_time = s->times.size / sizeof(uint64_t);
	stack_id stack;

	if (find_stack(o, s->stack, &stack, e))
		return -1;
	b->thread = s->has_thread ? profile_thread(b->p, &s->thread) : (thread_id){ 0 };
	b->labels = profile_labels(b->p, s->label, s->nr_label);
	for (size_t i = 0; i < nr_time || bytes_left(&values); i++) {
		int64_t value = !s->values.size ? 1 : 0;
		uint64_t time = 0;
		int ret = 0;

		if (bytes_left(&values))
			value = (int64_t)bytes_varint(&values);
		if (i < nr_time)
			memcpy(&time, s->times.at + i * sizeof(time), sizeof(time));
		if (values.failed || value < 0)
			ret = build_note(b, NOTE_BAD_COUNT, SPAN(""), e);
		else if (i < nr_time)
			ret = build_add_at(b, stack, value, 1, time, e);
		else if (value || b->o->keep_zero)
			ret = add_sum(o, stack, value, e);
		if (ret)
			return -1;
	}
	return 0;
}

static int read_sample(struct otlp *o, struct span message, struct error *e)
{
	struct sample s = { .thread = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN },
			    .values = SPAN(""),
			    .times = SPAN("") };
	struct bytes in = bytes_over(message);
	struct field f;

	while (field_next(&in, &f)) {
		if (f.number == SAMPLE_STACK && f.wire == WIRE_VARINT)
			s.stack = f.value;
		else if (f.number == SAMPLE_ATTRIBUTES)
			each_number(o, &f, add_attribute, &s);
		else if (f.number == SAMPLE_VALUES && f.wire == WIRE_BYTES)
			s.values = f.bytes;
		else if (f.number == SAMPLE_TIMESTAMPS && f.wire == WIRE_BYTES)
			s.times = f.bytes;
	}
	if (in.failed)
		return build_note(o->b, NOTE_BAD_RECORD, SPAN(""), e);
	return count_sample(o, &s, e);
}

static void take_source(struct otlp *o, void *arg, uint64_t number)
{
	struct attribute a = attribute(o, number);

	(void)arg;
	if (!span_is(a.key, "wick.source") || a.value.number != ANY_STRING)
		return;
	o->has_source = true;
	o->source = span_is(a.value.bytes, "measured") ? SOURCE_MEASURED : SOURCE_SAMPLED;
}

static void find_source(struct otlp *o, struct span profile)
{
	struct bytes in = bytes_over(profile);
	struct field f;

	o->has_source = false;
	while (field_next(&in, &f))
		if (f.number == PROFILE_ATTRIBUTES)
			each_number(o, &f, take_source, NULL);
}

/* The weight of a sample: the period, if it has the same type as the samples; else 0. */
static uint64_t find_period(struct span profile)
{
	struct bytes in = bytes_over(profile);
	struct span type = SPAN(""), period_type = SPAN("");
	uint64_t period = 0;
	struct field f;

	while (field_next(&in, &f)) {
		if (f.number == PROFILE_SAMPLE_TYPE && f.wire == WIRE_BYTES)
			type = f.bytes;
		else if (f.number == PROFILE_PERIOD_TYPE && f.wire == WIRE_BYTES)
			period_type = f.bytes;
		else if (f.number == PROFILE_PERIOD && f.wire == WIRE_VARINT)
			period = f.value;
	}
	return span_eq(type, period_type) && period <= INT64_MAX ? period : 0;
}

/* Each profile becomes an event. */
static int read_profile(struct otlp *o, struct span message, struct error *e)
{
	struct bytes in = bytes_over(message);
	struct span name, unit;
	uint64_t type[NUMBERS_MAX];
	bool typed = false;
	struct field f;

	find_source(o, message);
	o->period = find_period(message);
	o->counts = true;
	while (field_next(&in, &f)) {
		if (f.wire != WIRE_BYTES)
			continue;
		/* The type comes first, if there is one. */
		if (!typed && f.number == PROFILE_SAMPLES)
			o->b->event = profile_event(o->b->p, SPAN("samples"), SPAN(""));
		typed = true;
		if (f.number == PROFILE_SAMPLE_TYPE) {
			field_numbers(f.bytes, type);
			name = row(o, TABLE_STRING, type[1]);
			unit = pprof_unit(row(o, TABLE_STRING, type[2]));
			o->b->event =
				profile_event(o->b->p, name.size ? name : SPAN("samples"), unit);
			o->counts = pprof_counts_samples(name, unit);
			if (o->has_source)
				build_measure(o->b, o->source, EXTENT_SHARE);
		} else if (f.number == PROFILE_SAMPLES && read_sample(o, f.bytes, e)) {
			return -1;
		}
	}
	return in.failed ? build_note(o->b, NOTE_BAD_RECORD, SPAN(""), e) : 0;
}

/* Reads the nested messages at a level: resources contain scopes, which contain profiles. */
static int read_profiles(struct otlp *o, struct span message, size_t level, struct error *e)
{
	static const uint64_t path[] = { RESOURCE_PROFILES_SCOPE_PROFILES,
					 SCOPE_PROFILES_PROFILES };
	struct bytes in = bytes_over(message);
	struct field f;

	if (level == ARRAY_SIZE(path))
		return read_profile(o, message, e);
	while (field_next(&in, &f))
		if (f.number == path[level] && f.wire == WIRE_BYTES &&
		    read_profiles(o, f.bytes, level + 1, e))
			return -1;
	return 0;
}

static int read_data(struct otlp *o, struct whole *w, struct error *e)
{
	struct bytes in = bytes_over(w->all);
	struct field f;

	while (field_next(&in, &f))
		if (f.number == DATA_DICTIONARY && f.wire == WIRE_BYTES)
			add_dictionary(o, f.bytes);
	if (in.failed && build_note(o->b, NOTE_NO_END, SPAN(""), e))
		return -1;
	o->stack = xcalloc(o->table[TABLE_STACK].nr + 1, sizeof(*o->stack));
	o->has_stack = xcalloc(o->table[TABLE_STACK].nr + 1, sizeof(*o->has_stack));
	in = bytes_over(w->all);
	while (field_next(&in, &f))
		if (f.number == DATA_RESOURCE_PROFILES && f.wire == WIRE_BYTES &&
		    read_profiles(o, f.bytes, 0, e))
			return -1;
	return 0;
}

static int otlp_read(struct build *b, struct error *e)
{
	struct otlp o = { .b = b };
	struct whole whole;
	int ret = whole_open(&whole, b, e);

	if (!ret)
		ret = read_data(&o, &whole, e);
	for (size_t i = 0; i < NR_TABLES; i++)
		free(o.table[i].message);
	free(o.stack);
	free(o.has_stack);
	strbuf_release(&o.text);
	return ret;
}

/*
 * The first field of this number in a message, all of whose fields are messages with numbers up to
 * `last`.  If the head ends in the field, the part of it that is there.
 */
static bool enter(struct span *message, uint64_t number, uint64_t last)
{
	struct bytes in = bytes_over(*message);

	while (bytes_left(&in)) {
		uint64_t key = bytes_varint(&in), size = bytes_varint(&in);

		if (in.failed || (key & 7) != WIRE_BYTES || key >> 3 > last || !(key >> 3))
			return false;
		if (key >> 3 == number) {
			*message = bytes_take(&in, size < bytes_left(&in) ? size : bytes_left(&in));
			return true;
		}
		bytes_take(&in, size);
	}
	return false;
}

/* There is no magic number: accepts a profile in a scope in a resource that has a sample type. */
static bool otlp_accepts(struct span head)
{
	uint64_t key, type;
	struct bytes in;

	if (!enter(&head, DATA_RESOURCE_PROFILES, DATA_DICTIONARY) ||
	    !enter(&head, RESOURCE_PROFILES_SCOPE_PROFILES, RESOURCE_PROFILES_LAST) ||
	    !enter(&head, SCOPE_PROFILES_PROFILES, SCOPE_PROFILES_LAST) ||
	    !enter(&head, PROFILE_SAMPLE_TYPE, PROFILE_SAMPLES))
		return false;
	in = bytes_over(head);
	key = bytes_varint(&in);
	type = bytes_varint(&in);
	return !in.failed && key == (1 << 3 | WIRE_VARINT) && type;
}

const struct reader reader_otlp = {
	.name = "otlp",
	.title = "OpenTelemetry profiles",
	.accepts = otlp_accepts,
	.read = otlp_read,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.spelling = SPELL_THREAD,
};
