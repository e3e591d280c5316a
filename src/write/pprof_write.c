/*
 * pprof's format (profile.proto, gzip), for `go tool pprof`, Pyroscope and many others.
 *
 * A frame of the profile is a location, with a line for each call that was inlined there; a sample
 * has a value for each event.  Strings are numbered in order of first use, and written last.
 */
#include "base/alloc.h"
#include "base/date.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "write/protobuf.h"
#include "write/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

/* Each event is a column of every sample. */
enum { EVENTS_MAX = 48 };

/* Field numbers of the messages in profile.proto */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,
	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STR = 2,
	LABEL_NUM = 3,
	MAPPING_ID = 1,
	MAPPING_MEMORY_LIMIT = 3,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_INLINE_FRAMES = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING_ID = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION_ID = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_FILENAME = 4,
};

struct pprof {
	struct output *out;
	const struct write_what *what;
	const struct profile *p;
	bool *in;	  /* by event: is it written? */
	uint32_t *column; /* by event: the index of its weight among the values */
	size_t nr_column; /* of values */
	bool counts;	  /* the first value is the number of samples */
	bool several;	  /* events */
	uint64_t *roots;  /* by module: the number of samples whose root it has */
	struct write_locations locations;
	bool *used;		 /* by frame: is it a location of a sample? */
	struct intern strings;	 /* number 0 is the empty string */
	struct intern functions; /* by name and file */
	struct strbuf message, part, text;
	z_stream gzip;
};

/* gzip */

static void deflate_bytes(struct pprof *w, struct span s, int flush)
{
	unsigned char packed[16 * 1024];
	int ret = Z_OK;

	w->gzip.next_in = (unsigned char *)(uintptr_t)s.at;
	w->gzip.avail_in = (unsigned)s.size;
	do {
		w->gzip.next_out = packed;
		w->gzip.avail_out = sizeof(packed);
		ret = deflate(&w->gzip, flush);
		output_add(w->out, (struct span){ .at = (const char *)packed,
						  .size = sizeof(packed) - w->gzip.avail_out });
	} while (ret != Z_STREAM_ERROR && !w->gzip.avail_out);
}

/* Writes a field of the profile itself. */
static void put_bytes(struct pprof *w, unsigned field, struct span bytes)
{
	struct strbuf head = { 0 };

	protobuf_head(&head, field, bytes.size);
	deflate_bytes(w, strbuf_peek(&head), Z_NO_FLUSH);
	deflate_bytes(w, bytes, Z_NO_FLUSH);
	strbuf_release(&head);
}

static void put_message(struct pprof *w, unsigned field)
{
	put_bytes(w, field, strbuf_peek(&w->message));
	strbuf_reset(&w->message);
}

static void put_number(struct pprof *w, unsigned field, uint64_t value)
{
	protobuf_number(&w->message, field, value);
	deflate_bytes(w, strbuf_peek(&w->message), Z_NO_FLUSH);
	strbuf_reset(&w->message);
}

/* The number of a string. */
static uint32_t string_of(struct pprof *w, struct span s)
{
	strbuf_reset(&w->text);
	spelling_utf8(&w->text, s);
	return intern(&w->strings, strbuf_peek(&w->text));
}

static uint32_t string_id(struct pprof *w, str_id s)
{
	return string_of(w, profile_peek(w->p, s));
}

/* Events */

static void add_type(struct pprof *w, struct span name, struct span unit)
{
	protobuf_number(&w->message, VALUE_TYPE_TYPE, string_of(w, name));
	protobuf_number(&w->message, VALUE_TYPE_UNIT, string_of(w, unit));
}

/* Is the event's weight a number of samples? */
static bool is_count(const struct pprof *w, uint32_t event)
{
	return span_is(write_unit(w->p, event), "count");
}

static int choose_columns(struct pprof *w, struct error *e)
{
	struct write_what chosen = *w->what;
	size_t nr = 0;

	w->in = write_events(w->what);
	for (uint32_t i = 0; i < w->p->nr_event; i++)
		nr += w->in[i];
	if (nr > EVENTS_MAX && w->what->all) {
		free(w->in);
		chosen.all = false;
		w->in = write_events(&chosen);
		nr = 0;
		for (uint32_t i = 0; i < w->p->nr_event; i++)
			nr += w->in[i];
	}
	if (nr > EVENTS_MAX) {
		error_set(e, ERROR_INPUT, "a pprof profile holds at most %d events, not %zu",
			  EVENTS_MAX, nr);
		return error_hint(e, "choose one with -e EVENT");
	}
	w->several = nr > 1;
	return 0;
}

static void write_types(struct pprof *w)
{
	uint32_t first = write_first_event(w->what, w->in);
	uint64_t period = write_period(w->p, first);

	w->column = xcalloc(w->p->nr_event, sizeof(*w->column));
	w->counts = w->several || !is_count(w, first);
	for (uint32_t i = 0; i < w->p->nr_event; i++)
		if (w->in[i] && span_is(profile_peek(w->p, w->p->event[i].name), "samples"))
			w->counts = false;
	if (w->counts) {
		add_type(w, SPAN("samples"), SPAN("count"));
		put_message(w, PROFILE_SAMPLE_TYPE);
		w->nr_column++;
	}
	for (uint32_t i = 0; i < w->p->nr_event; i++) {
		if (!w->in[i])
			continue;
		w->column[i] = (uint32_t)w->nr_column++;
		add_type(w, profile_peek(w->p, w->p->event[i].name), write_unit(w->p, i));
		put_message(w, PROFILE_SAMPLE_TYPE);
	}
	put_number(w, PROFILE_DEFAULT_SAMPLE_TYPE, string_id(w, w->p->event[first].name));
	if (period) {
		add_type(w, profile_peek(w->p, w->p->event[first].name), write_unit(w->p, first));
		put_message(w, PROFILE_PERIOD_TYPE);
		put_number(w, PROFILE_PERIOD, period);
	}
}

/*
 * Writes whether an event is sampled or measured, if that is not what wick's reader assumes: a
 * profile with a number of samples is sampled.
 */
static void write_sources(struct pprof *w)
{
	for (uint32_t i = 0; i < w->p->nr_event; i++) {
		bool measured = w->p->event[i].source == SOURCE_MEASURED;
		struct strbuf text = { 0 };

		if (!w->in[i] || measured != w->counts)
			continue;
		strbuf_add(&text, measured ? SPAN("measured event: ") : SPAN("sampled event: "));
		strbuf_add(&text, profile_peek(w->p, w->p->event[i].name));
		put_number(w, PROFILE_COMMENT, string_of(w, strbuf_peek(&text)));
		strbuf_release(&text);
	}
}

/* Samples */

static void add_label(struct pprof *w, struct span key, struct span value)
{
	strbuf_reset(&w->part);
	protobuf_number(&w->part, LABEL_KEY, string_of(w, key));
	protobuf_number(&w->part, LABEL_STR, string_of(w, value));
	protobuf_bytes(&w->message, SAMPLE_LABEL, strbuf_peek(&w->part));
}

static void add_number_label(struct pprof *w, struct span key, uint64_t value)
{
	strbuf_reset(&w->part);
	protobuf_number(&w->part, LABEL_KEY, string_of(w, key));
	protobuf_number(&w->part, LABEL_NUM, value);
	protobuf_bytes(&w->message, SAMPLE_LABEL, strbuf_peek(&w->part));
}

static void add_labels(struct pprof *w, const struct count *c)
{
	const struct thread *t = &w->p->thread[c->thread.i];
	const struct label_set *set = &w->p->labels[c->labels.i];
	struct span comm = profile_peek(w->p, t->comm);

	if (c->thread.i && comm.size)
		add_label(w, SPAN("thread"), comm);
	if (c->thread.i && t->pid != THREAD_UNKNOWN)
		add_number_label(w, SPAN("pid"), t->pid);
	if (c->thread.i && t->tid != THREAD_UNKNOWN)
		add_number_label(w, SPAN("tid"), t->tid);
	for (size_t i = 0; i < set->nr; i++)
		add_label(w, profile_peek(w->p, set->label[i].key),
			  profile_peek(w->p, set->label[i].value));
}

/* A pprof sample has the values of all events with the same thread, stack and labels. */
static void write_sample(struct pprof *w, const struct count *c, const int64_t *value)
{
	frame_id f = { 0 };

	strbuf_reset(&w->part);
	for (stack_id s = c->stack; s.i;) {
		uint32_t location = write_location(&w->locations, w->p, &s);

		if (location < w->p->nr_frame)
			w->used[location] = true;
		bytes_add_varint(&w->part, (uint64_t)location + 1);
	}
	for (stack_id s = c->stack; s.i; s = w->p->stack[s.i].caller)
		f = w->p->stack[s.i].frame;
	w->roots[w->p->frame[f.i].module.i] += c->nr;
	if (w->part.size)
		protobuf_bytes(&w->message, SAMPLE_LOCATION_ID, strbuf_peek(&w->part));
	strbuf_reset(&w->part);
	for (size_t i = 0; i < w->nr_column; i++)
		bytes_add_varint(&w->part, (uint64_t)value[i]);
	protobuf_bytes(&w->message, SAMPLE_VALUE, strbuf_peek(&w->part));
	add_labels(w, c);
	put_message(w, PROFILE_SAMPLE);
}

static void write_samples(struct pprof *w)
{
	const struct count **first = NULL; /* by sample: one of its counts */
	size_t cap_first = 0, cap_value = 0, nr = w->nr_column;
	struct intern samples = { 0 };
	int64_t *value = NULL;

	for (size_t i = 0; i < w->p->nr_count; i++) {
		const struct count *c = &w->p->count[i];
		const uint32_t key[] = { c->thread.i, c->stack.i, c->labels.i };
		uint32_t known = samples.nr, at;

		if (!w->in[c->event])
			continue;
		at = intern(&samples,
			    (struct span){ .at = (const char *)key, .size = sizeof(key) });
		if (at == known) {
			GROW(first, (size_t)at, cap_first);
			first[at] = c;
			if (cap_value < cap_first) {
				value = xreallocarray(value, cap_first, nr * sizeof(*value));
				cap_value = cap_first;
			}
			memset(value + at * nr, 0, nr * sizeof(*value));
		}
		assert(first && value); /* as the first sample is a new one */
		write_add(&value[at * nr + w->column[c->event]],
			  write_whole(w->p, c->event, c->weight));
		if (w->counts)
			write_add(&value[at * nr], c->nr < INT64_MAX ? (int64_t)c->nr : INT64_MAX);
	}
	for (uint32_t i = 0; first && i < samples.nr; i++)
		write_sample(w, first[i], value + i * nr);
	intern_release(&samples);
	free(first);
	free(value);
}

/* Locations, functions, mappings */

/*
 * The number of a function, which is written at its first use.  The system name stays empty, so
 * that pprof takes the name for a demangled one: otherwise it drops what looks like parameters, and
 * of `<a as b>::f` all but `::f`.
 */
static uint64_t function_of(struct pprof *w, struct span name, struct span file)
{
	uint32_t key[2] = { string_of(w, name), string_of(w, file) }, known = w->functions.nr, id;

	id = intern(&w->functions, (struct span){ .at = (const char *)key, .size = sizeof(key) });
	if (id == known) {
		strbuf_reset(&w->part);
		protobuf_number(&w->part, FUNCTION_ID, (uint64_t)id + 1);
		protobuf_number(&w->part, FUNCTION_NAME, key[0]);
		protobuf_number(&w->part, FUNCTION_FILENAME, key[1]);
		put_bytes(w, PROFILE_FUNCTION, strbuf_peek(&w->part));
	}
	return (uint64_t)id + 1;
}

static void add_line(struct pprof *w, struct span name, struct span file, uint32_t line)
{
	uint64_t function = function_of(w, name, file);

	strbuf_reset(&w->part);
	protobuf_number(&w->part, LINE_FUNCTION_ID, function);
	protobuf_number(&w->part, LINE_LINE, line);
	protobuf_bytes(&w->message, LOCATION_LINE, strbuf_peek(&w->part));
}

/*
 * An unresolved frame with a module and an address has no line: pprof symbolizes it.  Any other gets a line with the name
 * that wick displays.
 */
static void add_lines(struct pprof *w, frame_id id)
{
	const struct frame *f = &w->p->frame[id.i];
	struct strbuf name = { 0 };

	for (size_t i = 0; i < f->nr_line; i++)
		add_line(w, profile_peek(w->p, f->line[i].function),
			 profile_peek(w->p, f->line[i].file), f->line[i].line);
	if (!f->nr_line && !(f->module.i && f->address)) {
		spelling_frame(&name, w->p, id, 0, SPELL_ADDRESS);
		add_line(w, strbuf_peek(&name), SPAN(""), 0);
	}
	strbuf_release(&name);
}

static bool is_used(const struct pprof *w, uint32_t location)
{
	return location >= w->p->nr_frame || w->used[location];
}

static void put_location(struct pprof *w, uint32_t location)
{
	const frame_id *frame;
	size_t nr = write_location_frames(&w->locations, w->p, location, &frame);
	const struct frame *f = &w->p->frame[frame[nr - 1].i];

	protobuf_number(&w->message, LOCATION_ID, (uint64_t)location + 1);
	protobuf_number(&w->message, LOCATION_MAPPING_ID, f->module.i);
	protobuf_number(&w->message, LOCATION_ADDRESS, f->address);
	for (size_t i = 0; i < nr; i++)
		add_lines(w, frame[i]);
	put_message(w, PROFILE_LOCATION);
}

/*
 * By module: the end of its addresses.  They are relative to the module, so each mapping begins at
 * 0.
 */
static uint64_t *find_ends(struct pprof *w)
{
	uint64_t *end = xcalloc(w->p->nr_module, sizeof(*end));

	for (uint32_t i = 0; i < write_nr_locations(&w->locations, w->p); i++) {
		const frame_id *frame;
		size_t nr = write_location_frames(&w->locations, w->p, i, &frame);
		const struct frame *f = &w->p->frame[frame[nr - 1].i];
		uint64_t behind = f->address + (f->address < UINT64_MAX);

		if (is_used(w, i) && end[f->module.i] < behind)
			end[f->module.i] = behind;
	}
	return end;
}

static void write_mapping(struct pprof *w, uint32_t module, uint64_t end)
{
	protobuf_number(&w->message, MAPPING_ID, module);
	protobuf_number(&w->message, MAPPING_MEMORY_LIMIT, end);
	protobuf_number(&w->message, MAPPING_FILENAME, string_id(w, w->p->module[module].path));
	protobuf_number(&w->message, MAPPING_BUILD_ID, string_id(w, w->p->module[module].build_id));
	/* Tells pprof not to symbolize it again. */
	for (unsigned k = MAPPING_HAS_FUNCTIONS; k <= MAPPING_HAS_INLINE_FRAMES; k++)
		protobuf_number(&w->message, k, 1);
	put_message(w, PROFILE_MAPPING);
}

/* The module with this file name, if it has locations; else 0. */
static uint32_t find_module(const struct pprof *w, const uint64_t *end, struct span file)
{
	for (uint32_t i = 1; i < w->p->nr_module; i++)
		if (end[i] && file.size &&
		    span_eq(span_base(profile_peek(w->p, w->p->module[i].path)), file))
			return i;
	return 0;
}

/*
 * The main binary: the module of the recorded command, or else one that the main thread of a
 * process is named after, or else the module with the roots of most stacks.  Roots are only the
 * last resort, as stacks of threads begin in the C library.
 */
static uint32_t find_program(const struct pprof *w, const uint64_t *end)
{
	uint32_t program = 0;

	for (size_t i = 0; i < w->p->nr_info && !program; i++) {
		struct span command = profile_peek(w->p, w->p->info[i].value);

		if (span_is(profile_peek(w->p, w->p->info[i].key), "command"))
			program = find_module(
				w, end, span_base(span_upto(command, span_find(command, ' '))));
	}
	for (size_t i = 1; i < w->p->nr_thread && !program; i++)
		if (w->p->thread[i].pid == w->p->thread[i].tid)
			program = find_module(w, end, profile_peek(w->p, w->p->thread[i].comm));
	if (program)
		return program;
	for (uint32_t i = 1; i < w->p->nr_module; i++)
		if (w->roots[i] > (program ? w->roots[program] : 0))
			program = i;
	return program;
}

/* pprof takes the first mapping for the main binary. */
static void write_mappings(struct pprof *w)
{
	uint64_t *end = find_ends(w);
	uint32_t program = find_program(w, end);

	if (program)
		write_mapping(w, program, end[program]);
	for (uint32_t i = 1; i < w->p->nr_module; i++)
		if (end[i] && i != program)
			write_mapping(w, i, end[i]);
	free(end);
}

/* The whole profile */

static void write_facts(struct pprof *w)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < w->p->nr_tick; i++) {
		if (!profile_ticks_timed(w->p, w->p->tick[i].event))
			continue;
		first = w->p->tick[i].time < first ? w->p->tick[i].time : first;
		last = w->p->tick[i].time > last ? w->p->tick[i].time : last;
	}
	if (last > first)
		put_number(w, PROFILE_DURATION_NANOS, last - first);
	for (size_t i = 0; i < w->p->nr_info; i++) {
		struct span key = profile_peek(w->p, w->p->info[i].key);
		struct span value = profile_peek(w->p, w->p->info[i].value);
		struct strbuf text = { 0 };
		time_t when;

		if (span_is(key, "captured") && date_parse(value, &when) && when > 0)
			put_number(w, PROFILE_TIME_NANOS, (uint64_t)when * 1000000000);
		strbuf_add(&text, key);
		strbuf_add(&text, SPAN(": "));
		strbuf_add(&text, value);
		put_number(w, PROFILE_COMMENT, string_of(w, strbuf_peek(&text)));
		strbuf_release(&text);
	}
}

static void write_all(struct pprof *w)
{
	write_types(w);
	write_sources(w);
	write_facts(w);
	write_samples(w);
	for (uint32_t i = 0; i < write_nr_locations(&w->locations, w->p); i++)
		if (is_used(w, i))
			put_location(w, i);
	write_mappings(w);
	for (uint32_t i = 0; i < w->strings.nr; i++)
		put_bytes(w, PROFILE_STRING_TABLE, intern_peek(&w->strings, i));
}

int pprof_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct pprof w = { .out = out, .what = what, .p = what->p };
	int ret = choose_columns(&w, e);

	/* 15 + 16: the largest window, and a gzip header. */
	if (!ret && deflateInit2(&w.gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
				 Z_DEFAULT_STRATEGY) != Z_OK)
		ret = error_set(e, ERROR_SYSTEM, "cannot initialize zlib");
	if (!ret) {
		w.roots = xcalloc(w.p->nr_module, sizeof(*w.roots));
		w.used = xcalloc(w.p->nr_frame, sizeof(*w.used));
		intern(&w.strings, SPAN(""));
		write_all(&w);
		deflate_bytes(&w, SPAN(""), Z_FINISH);
		deflateEnd(&w.gzip);
	}
	free(w.in);
	free(w.column);
	free(w.used);
	write_locations_release(&w.locations);
	free(w.roots);
	intern_release(&w.strings);
	intern_release(&w.functions);
	strbuf_release(&w.message);
	strbuf_release(&w.part);
	strbuf_release(&w.text);
	return ret;
}
