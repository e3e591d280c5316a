/*
 * OpenTelemetry profiles: the message ProfilesData of opentelemetry.proto.profiles.v1development as it is
 * since version 1.10 of the protocol, which numbered the fields of a sample anew.  Collectors take it as
 * the body of a POST to /v1development/profiles.
 *
 * An event is a profile; tables are shared, and row 0 of each is empty, which stands for none.
 */
#include "base/alloc.h"
#include "base/date.h"
#include "base/intern.h"
#include "base/version.h"
#include "profile/spelling.h"
#include "write/protobuf.h"
#include "write/writer.h"

#include <stdlib.h>

/* Field numbers of the messages in profiles.proto */
enum {
	DATA_RESOURCE_PROFILES = 1,
	DATA_DICTIONARY = 2,
	RESOURCE_PROFILES_RESOURCE = 1,
	RESOURCE_PROFILES_SCOPE_PROFILES = 2,
	RESOURCE_ATTRIBUTES = 1,
	SCOPE_PROFILES_SCOPE = 1,
	SCOPE_PROFILES_PROFILES = 2,
	SCOPE_NAME = 1,
	SCOPE_VERSION = 2,
	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION = 2,
	DICTIONARY_FUNCTION = 3,
	DICTIONARY_LINK = 4,
	DICTIONARY_STRING = 5,
	DICTIONARY_ATTRIBUTE = 6,
	DICTIONARY_STACK = 7,
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLES = 2,
	PROFILE_TIME_UNIX_NANO = 3,
	PROFILE_DURATION_NANO = 4,
	PROFILE_PERIOD_TYPE = 5,
	PROFILE_PERIOD = 6,
	PROFILE_ATTRIBUTES = 11,
	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,
	SAMPLE_STACK = 1,
	SAMPLE_ATTRIBUTES = 2,
	SAMPLE_VALUES = 4,
	SAMPLE_TIMESTAMPS = 5,
	MAPPING_MEMORY_LIMIT = 2,
	MAPPING_FILENAME = 4,
	MAPPING_ATTRIBUTES = 5,
	STACK_LOCATIONS = 1,
	LOCATION_MAPPING = 1,
	LOCATION_ADDRESS = 2,
	LOCATION_LINES = 3,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_NAME = 1,
	FUNCTION_SYSTEM_NAME = 2,
	FUNCTION_FILENAME = 3,
	ATTRIBUTE_KEY = 1,
	ATTRIBUTE_VALUE = 2,
	KEY_VALUE_KEY = 1,
	KEY_VALUE_VALUE = 2,
	ANY_STRING = 1,
	ANY_INT = 3,
};

struct otlp {
	const struct profile *p;
	/* The tables intern encoded messages; row 0 is the empty one. */
	struct intern strings, functions, attributes, stacks;
	struct write_locations locations;
	uint64_t begin;	   /* time of all */
	uint64_t captured; /* ns since 1970; 0: unknown */
	struct strbuf message, part, text, list;
};

static uint32_t string_of(struct otlp *w, struct span s)
{
	strbuf_reset(&w->text);
	spelling_utf8(&w->text, s);
	return intern(&w->strings, strbuf_peek(&w->text));
}

static uint32_t string_id(struct otlp *w, str_id s)
{
	return string_of(w, profile_peek(w->p, s));
}

/* Attributes */

static uint32_t attribute_of(struct otlp *w, struct span key, struct span any)
{
	struct strbuf message = { 0 };
	uint32_t id;

	protobuf_number(&message, ATTRIBUTE_KEY, string_of(w, key));
	protobuf_bytes(&message, ATTRIBUTE_VALUE, any);
	id = intern(&w->attributes, strbuf_peek(&message));
	strbuf_release(&message);
	return id;
}

static uint32_t text_attribute(struct otlp *w, struct span key, struct span value)
{
	struct strbuf any = { 0 };
	uint32_t id;

	strbuf_reset(&w->text);
	spelling_utf8(&w->text, value);
	protobuf_bytes(&any, ANY_STRING, strbuf_peek(&w->text));
	id = attribute_of(w, key, strbuf_peek(&any));
	strbuf_release(&any);
	return id;
}

static uint32_t number_attribute(struct otlp *w, struct span key, uint64_t value)
{
	struct strbuf any = { 0 };
	uint32_t id;

	protobuf_present(&any, ANY_INT, value);
	id = attribute_of(w, key, strbuf_peek(&any));
	strbuf_release(&any);
	return id;
}

/* Samples */

/*
 * The stack's number in the table.  Its locations go from the leaf to the root, with numbers from 1
 * on.
 */
static uint32_t stack_of(struct otlp *w, stack_id stack)
{
	strbuf_reset(&w->list);
	while (stack.i)
		bytes_add_varint(&w->list,
				 (uint64_t)write_location(&w->locations, w->p, &stack) + 1);
	strbuf_reset(&w->text);
	if (w->list.size)
		protobuf_bytes(&w->text, STACK_LOCATIONS, strbuf_peek(&w->list));
	return intern(&w->stacks, strbuf_peek(&w->text));
}

static void add_attributes(struct otlp *w, struct strbuf *to, thread_id thread, label_id labels)
{
	const struct label_set *set = &w->p->labels[labels.i];
	const struct thread *t = &w->p->thread[thread.i];
	struct span comm = profile_peek(w->p, t->comm);

	strbuf_reset(&w->list);
	if (thread.i && comm.size)
		bytes_add_varint(&w->list, text_attribute(w, SPAN("thread.name"), comm));
	if (thread.i && t->pid != THREAD_UNKNOWN)
		bytes_add_varint(&w->list, number_attribute(w, SPAN("process.pid"), t->pid));
	if (thread.i && t->tid != THREAD_UNKNOWN)
		bytes_add_varint(&w->list, number_attribute(w, SPAN("thread.id"), t->tid));
	for (size_t i = 0; i < set->nr; i++)
		bytes_add_varint(&w->list, text_attribute(w, profile_peek(w->p, set->label[i].key),
							  profile_peek(w->p, set->label[i].value)));
	if (w->list.size)
		protobuf_bytes(to, SAMPLE_ATTRIBUTES, strbuf_peek(&w->list));
}

static void add_sample(struct otlp *w, struct strbuf *profile, const struct write_run *r,
		       uint32_t row)
{
	struct write_sample s = write_sample_at(w->p, r->table, row);

	strbuf_reset(&w->part);
	protobuf_number(&w->part, SAMPLE_STACK, stack_of(w, s.stack));
	add_attributes(w, &w->part, r->thread, s.labels);
	strbuf_reset(&w->list);
	bytes_add_varint(&w->list, (uint64_t)write_whole(w->p, r->event, s.weight));
	protobuf_bytes(&w->part, SAMPLE_VALUES, strbuf_peek(&w->list));
	if (r->table != WRITE_COUNTS) {
		protobuf_head(&w->part, SAMPLE_TIMESTAMPS, sizeof(s.time));
		protobuf_add_fixed64(&w->part, s.time - w->begin + w->captured);
	}
	protobuf_bytes(profile, PROFILE_SAMPLES, strbuf_peek(&w->part));
}

static void add_type(struct otlp *w, struct strbuf *to, unsigned field, uint32_t event)
{
	strbuf_reset(&w->part);
	protobuf_number(&w->part, VALUE_TYPE_TYPE, string_id(w, w->p->event[event].name));
	protobuf_number(&w->part, VALUE_TYPE_UNIT, string_of(w, write_unit(w->p, event)));
	protobuf_bytes(to, field, strbuf_peek(&w->part));
}

/* Adds the runs of one event as a profile.  Returns the first run of the next event. */
static size_t add_profile(struct otlp *w, struct strbuf *to, const struct write_order *o, size_t i,
			  uint64_t duration)
{
	uint32_t event = o->run[i].event;
	uint64_t period = write_period(w->p, event);
	bool measured = w->p->event[event].source == SOURCE_MEASURED;

	strbuf_reset(&w->message);
	add_type(w, &w->message, PROFILE_SAMPLE_TYPE, event);
	if (w->captured)
		protobuf_fixed64(&w->message, PROFILE_TIME_UNIX_NANO, w->captured);
	protobuf_number(&w->message, PROFILE_DURATION_NANO, duration);
	if (period) {
		add_type(w, &w->message, PROFILE_PERIOD_TYPE, event);
		protobuf_number(&w->message, PROFILE_PERIOD, period);
	}
	strbuf_reset(&w->list);
	bytes_add_varint(&w->list, text_attribute(w, SPAN("wick.source"),
						  measured ? SPAN("measured") : SPAN("sampled")));
	protobuf_bytes(&w->message, PROFILE_ATTRIBUTES, strbuf_peek(&w->list));
	for (; i < o->nr_run && o->run[i].event == event; i++)
		for (size_t k = o->run[i].begin; k < o->run[i].end; k++)
			add_sample(w, &w->message, &o->run[i], o->row[k]);
	protobuf_bytes(to, SCOPE_PROFILES_PROFILES, strbuf_peek(&w->message));
	return i;
}

/* Tables */

static uint32_t function_of(struct otlp *w, struct span name, struct span file)
{
	struct strbuf message = { 0 };
	uint32_t number = string_of(w, name), id;

	protobuf_number(&message, FUNCTION_NAME, number);
	protobuf_number(&message, FUNCTION_SYSTEM_NAME, number);
	protobuf_number(&message, FUNCTION_FILENAME, string_of(w, file));
	id = intern(&w->functions, strbuf_peek(&message));
	strbuf_release(&message);
	return id;
}

static void add_line(struct otlp *w, struct strbuf *to, uint32_t function, uint32_t line)
{
	strbuf_reset(&w->part);
	protobuf_number(&w->part, LINE_FUNCTION, function);
	protobuf_number(&w->part, LINE_LINE, line);
	protobuf_bytes(to, LOCATION_LINES, strbuf_peek(&w->part));
}

static void add_lines(struct otlp *w, frame_id id)
{
	const struct frame *f = &w->p->frame[id.i];
	struct strbuf name = { 0 };

	for (size_t i = 0; i < f->nr_line; i++)
		add_line(w, &w->message,
			 function_of(w, profile_peek(w->p, f->line[i].function),
				     profile_peek(w->p, f->line[i].file)),
			 f->line[i].line);
	if (!f->nr_line && !(f->module.i && f->address)) {
		spelling_frame(&name, w->p, id, 0, SPELL_ADDRESS);
		add_line(w, &w->message, function_of(w, strbuf_peek(&name), SPAN("")), 0);
	}
	strbuf_release(&name);
}

static void add_location(struct otlp *w, struct strbuf *dictionary, uint32_t location)
{
	const frame_id *frame;
	size_t nr = write_location_frames(&w->locations, w->p, location, &frame);
	const struct frame *f = &w->p->frame[frame[nr - 1].i];

	strbuf_reset(&w->message);
	protobuf_number(&w->message, LOCATION_MAPPING, f->module.i);
	protobuf_number(&w->message, LOCATION_ADDRESS, f->address);
	for (size_t i = 0; i < nr; i++)
		add_lines(w, frame[i]);
	protobuf_bytes(dictionary, DICTIONARY_LOCATION, strbuf_peek(&w->message));
}

/* Addresses are relative to the module, so each mapping begins at 0. */
static void add_mapping(struct otlp *w, struct strbuf *dictionary, uint32_t module, uint64_t end)
{
	struct span build_id = profile_peek(w->p, w->p->module[module].build_id);

	strbuf_reset(&w->message);
	protobuf_number(&w->message, MAPPING_MEMORY_LIMIT, end);
	protobuf_number(&w->message, MAPPING_FILENAME, string_id(w, w->p->module[module].path));
	if (build_id.size) {
		strbuf_reset(&w->list);
		bytes_add_varint(&w->list,
				 text_attribute(w, SPAN("process.executable.build_id.gnu"),
						build_id));
		protobuf_bytes(&w->message, MAPPING_ATTRIBUTES, strbuf_peek(&w->list));
	}
	protobuf_bytes(dictionary, DICTIONARY_MAPPING, strbuf_peek(&w->message));
}

static void add_table(struct strbuf *dictionary, unsigned field, const struct intern *table)
{
	for (uint32_t i = 0; i < table->nr; i++)
		protobuf_bytes(dictionary, field, intern_peek(table, i));
}

static void add_dictionary(struct otlp *w, struct strbuf *dictionary)
{
	uint64_t *end = xcalloc(w->p->nr_module, sizeof(*end));

	for (size_t i = 0; i < w->p->nr_frame; i++) {
		const struct frame *f = &w->p->frame[i];
		uint64_t behind = f->address + (f->address < UINT64_MAX);

		end[f->module.i] = end[f->module.i] < behind ? behind : end[f->module.i];
	}
	protobuf_bytes(dictionary, DICTIONARY_MAPPING, SPAN(""));
	for (uint32_t i = 1; i < w->p->nr_module; i++)
		add_mapping(w, dictionary, i, end[i]);
	free(end);
	protobuf_bytes(dictionary, DICTIONARY_LOCATION, SPAN(""));
	for (uint32_t i = 0; i < write_nr_locations(&w->locations, w->p); i++)
		add_location(w, dictionary, i);
	protobuf_bytes(dictionary, DICTIONARY_LINK, SPAN(""));
	add_table(dictionary, DICTIONARY_FUNCTION, &w->functions);
	add_table(dictionary, DICTIONARY_STRING, &w->strings);
	add_table(dictionary, DICTIONARY_ATTRIBUTE, &w->attributes);
	add_table(dictionary, DICTIONARY_STACK, &w->stacks);
}

/* The whole message */

/* Facts that OpenTelemetry's conventions have a name for are attributes of the resource. */
static void add_resource(struct otlp *w, struct strbuf *to)
{
	static const char *const names[][2] = { { "command", "process.command_line" },
						{ "host", "host.name" } };
	struct strbuf any = { 0 };

	strbuf_reset(&w->message);
	for (size_t i = 0; i < w->p->nr_info; i++)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
			if (!span_is(profile_peek(w->p, w->p->info[i].key), names[k][0]))
				continue;
			strbuf_reset(&any);
			strbuf_reset(&w->text);
			spelling_utf8(&w->text, profile_peek(w->p, w->p->info[i].value));
			protobuf_bytes(&any, ANY_STRING, strbuf_peek(&w->text));
			strbuf_reset(&w->part);
			protobuf_bytes(&w->part, KEY_VALUE_KEY, span_of(names[k][1]));
			protobuf_bytes(&w->part, KEY_VALUE_VALUE, strbuf_peek(&any));
			protobuf_bytes(&w->message, RESOURCE_ATTRIBUTES, strbuf_peek(&w->part));
		}
	protobuf_bytes(to, RESOURCE_PROFILES_RESOURCE, strbuf_peek(&w->message));
	strbuf_release(&any);
}

static void add_scope(struct otlp *w, struct strbuf *to)
{
	strbuf_reset(&w->part);
	protobuf_bytes(&w->part, SCOPE_NAME, SPAN("wick"));
	protobuf_bytes(&w->part, SCOPE_VERSION, span_of(wick_version));
	protobuf_bytes(to, SCOPE_PROFILES_SCOPE, strbuf_peek(&w->part));
}

static uint64_t find_times(struct otlp *w, const struct write_order *o)
{
	uint64_t last = 0;
	time_t when;

	w->begin = UINT64_MAX;
	for (size_t i = 0; i < o->nr_run; i++)
		for (size_t k = o->run[i].begin;
		     k < o->run[i].end && o->run[i].table != WRITE_COUNTS; k++) {
			struct write_sample s = write_sample_at(w->p, o->run[i].table, o->row[k]);

			w->begin = s.time < w->begin ? s.time : w->begin;
			last = s.time > last ? s.time : last;
		}
	for (size_t i = 0; i < w->p->nr_info; i++)
		if (span_is(profile_peek(w->p, w->p->info[i].key), "captured") &&
		    date_parse(profile_peek(w->p, w->p->info[i].value), &when) && when > 0)
			w->captured = (uint64_t)when * 1000000000;
	return last > w->begin ? last - w->begin : 0;
}

static void put_message(struct output *out, unsigned field, const struct strbuf *message)
{
	struct strbuf head = { 0 };

	protobuf_head(&head, field, message->size);
	output_add(out, strbuf_peek(&head));
	output_add(out, strbuf_peek(message));
	strbuf_release(&head);
}

int otlp_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct otlp w = { .p = what->p };
	struct strbuf resource = { 0 }, scope = { 0 }, dictionary = { 0 };
	struct intern *const table[] = { &w.strings, &w.functions, &w.attributes, &w.stacks };
	bool *in = write_events(what);
	struct write_order order;
	uint64_t duration;

	(void)e;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		intern(table[i], SPAN(""));
	write_order_make(&order, what, in, true);
	duration = find_times(&w, &order);
	add_scope(&w, &scope);
	for (size_t i = 0; i < order.nr_run;)
		i = add_profile(&w, &scope, &order, i, duration);
	add_resource(&w, &resource);
	protobuf_bytes(&resource, RESOURCE_PROFILES_SCOPE_PROFILES, strbuf_peek(&scope));
	put_message(out, DATA_RESOURCE_PROFILES, &resource);
	add_dictionary(&w, &dictionary);
	put_message(out, DATA_DICTIONARY, &dictionary);
	write_order_release(&order);
	free(in);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		intern_release(table[i]);
	write_locations_release(&w.locations);
	strbuf_release(&resource);
	strbuf_release(&scope);
	strbuf_release(&dictionary);
	strbuf_release(&w.message);
	strbuf_release(&w.part);
	strbuf_release(&w.text);
	strbuf_release(&w.list);
	return 0;
}
