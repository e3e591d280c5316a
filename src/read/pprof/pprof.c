/*
 * pprof's own files (profile.proto), as Go, Rust, Node and many servers write
 * them; they are already decompressed.  Locations, functions and strings follow
 * the samples, which refer to them by number.
 */
#include "read/pprof/pprof.h"
#include "base/alloc.h"
#include "base/date.h"
#include "read/pprof/proto.h"
#include "read/readers.h"
#include "read/whole_input.h"

#include <stdlib.h>

enum { COLUMNS_MAX = 64, LABELS_MAX = 32, COMMENTS_MAX = 1000 };

/* Fields of the profile */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
	PROFILE_LAST = 20,
};

struct pprof {
	struct build *b;
	struct pprof_tables t;
	struct {
		uint64_t name, unit;
	} type[COLUMNS_MAX];
	uint32_t event[COLUMNS_MAX];
	size_t nr_type;
	uint64_t default_type;
	uint64_t period_unit, period; /* 0: unknown */
	uint64_t *comment;	      /* numbers of strings */
	size_t nr_comment, cap_comment;
};

/* Samples */

/* key = text, or a number with a unit */
static void read_label(struct pprof *p, struct span message, struct label *label)
{
	uint64_t number[NUMBERS_MAX];

	field_numbers(message, number);
	strbuf_reset(&p->t.text);
	strbuf_add(&p->t.text, pprof_string(&p->t, number[2]));
	if (!number[2])
		strbuf_addf(&p->t.text, "%lld", (long long)number[3]);
	if (number[4]) {
		strbuf_addch(&p->t.text, ' ');
		strbuf_add(&p->t.text, pprof_string(&p->t, number[4]));
	}
	label->key = profile_string(p->b->p, pprof_string(&p->t, number[1]));
	label->value = profile_string(p->b->p, strbuf_peek(&p->t.text));
}

struct sample {
	int64_t value[COLUMNS_MAX];
	size_t nr_value;
	struct label label[LABELS_MAX];
	size_t nr_label;
	struct thread thread;
	bool has_thread;
};

/*
 * The labels `thread`, `pid` and `tid`, as wick writes them, set the thread; others are labels.  If
 * another profiler has a label `thread`, it means the same.
 */
static bool take_thread(struct pprof *p, struct sample *s, struct span message)
{
	uint64_t number[NUMBERS_MAX];
	struct span key;

	field_numbers(message, number);
	key = pprof_string(&p->t, number[1]);
	if (span_is(key, "thread") && number[2])
		s->thread.comm = profile_string(p->b->p, pprof_string(&p->t, number[2]));
	else if (span_is(key, "pid") && !number[2] && !number[4] && number[3] < THREAD_UNKNOWN)
		s->thread.pid = (uint32_t)number[3];
	else if (span_is(key, "tid") && !number[2] && !number[4] && number[3] < THREAD_UNKNOWN)
		s->thread.tid = (uint32_t)number[3];
	else
		return false;
	s->has_thread = true;
	return true;
}

/* A list of numbers is packed, or has a field per number. */
static void each_number(struct pprof *p, struct sample *s, const struct field *f,
			void (*add)(struct pprof *p, struct sample *s, uint64_t number))
{
	struct bytes in = bytes_over(f->bytes);

	if (f->wire == WIRE_VARINT)
		add(p, s, f->value);
	while (f->wire == WIRE_BYTES && bytes_left(&in)) {
		uint64_t number = bytes_varint(&in);

		if (in.failed)
			break;
		add(p, s, number);
	}
}

static void add_location(struct pprof *p, struct sample *s, uint64_t id)
{
	(void)s;
	build_push(p->b, pprof_frame(&p->t, id));
}

static void add_value(struct pprof *p, struct sample *s, uint64_t value)
{
	(void)p;
	if (s->nr_value < COLUMNS_MAX)
		s->value[s->nr_value++] = (int64_t)value;
}

static bool is_unit(const struct pprof *p, size_t column, const char *unit)
{
	return column < p->nr_type && span_is(pprof_string(&p->t, p->type[column].unit), unit);
}

/* Heap profilers sample every `period` bytes. */
static bool is_heap(const struct pprof *p)
{
	return p->period > 1 && p->period <= INT64_MAX &&
	       span_is(pprof_string(&p->t, p->period_unit), "bytes");
}

/* How many samples a value represents: for a heap, by its bytes, in the column after the number of objects. */
static uint64_t samples_of(const struct pprof *p, const struct sample *s, size_t column)
{
	size_t bytes = is_unit(p, column, "bytes") ? column : column + 1;

	if (is_heap(p))
		return is_unit(p, bytes, "bytes") && bytes < s->nr_value
			       ? build_nr_of(s->value[bytes], p->period)
			       : 1;
	/* If the first column is a count, it is the number of samples. */
	return s->value[0] > 0 && is_unit(p, 0, "count") ? (uint64_t)s->value[0] : 1;
}

static int count_sample(struct pprof *p, const struct sample *s, struct error *e)
{
	struct build *b = p->b;
	stack_id stack;

	b->thread = s->has_thread ? profile_thread(b->p, &s->thread) : (thread_id){ 0 };
	b->labels = profile_labels(b->p, s->label, s->nr_label);
	if (build_stack(b, LEAF_FIRST, &stack, e))
		return -1;
	for (size_t i = 0; i < s->nr_value && i < p->nr_type; i++) {
		b->event = p->event[i];
		if (s->value[i] < 0) {
			if (build_note(b, NOTE_BAD_COUNT, SPAN(""), e))
				return -1;
		} else if ((s->value[i] || b->o->keep_zero) &&
			   build_add(b, stack, s->value[i], samples_of(p, s, i), e)) {
			return -1;
		}
	}
	return 0;
}

static int read_sample(struct pprof *p, struct span message, struct error *e)
{
	struct bytes in = bytes_over(message);
	struct sample s = { .thread = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN } };
	struct field f;

	while (field_next(&in, &f)) {
		if (f.number == 1)
			each_number(p, &s, &f, add_location);
		else if (f.number == 2)
			each_number(p, &s, &f, add_value);
		else if (f.number == 3 && f.wire == WIRE_BYTES && !take_thread(p, &s, f.bytes) &&
			 s.nr_label < LABELS_MAX)
			read_label(p, f.bytes, &s.label[s.nr_label++]);
	}
	if (in.failed) {
		build_drop(p->b);
		return build_note(p->b, NOTE_BAD_RECORD, SPAN(""), e);
	}
	return count_sample(p, &s, e);
}

/* The profile */

static void add_type(struct pprof *p, struct span message)
{
	uint64_t number[NUMBERS_MAX];

	if (p->nr_type == COLUMNS_MAX)
		return;
	field_numbers(message, number);
	p->type[p->nr_type].name = number[1];
	p->type[p->nr_type++].unit = number[2];
}

static void add_comments(struct pprof *p, const struct field *f)
{
	struct bytes in = bytes_over(f->wire == WIRE_BYTES ? f->bytes : SPAN(""));
	uint64_t number = f->value;

	for (bool more = f->wire == WIRE_VARINT || bytes_left(&in);
	     more && p->nr_comment < COMMENTS_MAX; more = bytes_left(&in)) {
		if (f->wire == WIRE_BYTES)
			number = bytes_varint(&in);
		if (in.failed)
			return;
		GROW(p->comment, p->nr_comment, p->cap_comment);
		p->comment[p->nr_comment++] = number;
	}
}

static void read_period_type(struct pprof *p, struct span message)
{
	uint64_t number[NUMBERS_MAX];

	field_numbers(message, number);
	p->period_unit = number[2];
}

/* Everything but the samples. */
static bool read_tables(struct pprof *p, struct whole *w, uint64_t *time)
{
	struct bytes in = bytes_over(w->all);
	struct field f;

	while (field_next(&in, &f)) {
		if (f.number == PROFILE_SAMPLE_TYPE)
			add_type(p, f.bytes);
		else if (f.number == PROFILE_MAPPING)
			pprof_table_add(&p->t.mappings, f.bytes);
		else if (f.number == PROFILE_LOCATION)
			pprof_table_add(&p->t.locations, f.bytes);
		else if (f.number == PROFILE_FUNCTION)
			pprof_table_add(&p->t.functions, f.bytes);
		else if (f.number == PROFILE_TIME)
			*time = f.value;
		else if (f.number == PROFILE_DEFAULT_TYPE)
			p->default_type = f.value;
		else if (f.number == PROFILE_PERIOD_TYPE && f.wire == WIRE_BYTES)
			read_period_type(p, f.bytes);
		else if (f.number == PROFILE_PERIOD)
			p->period = f.value;
		else if (f.number == PROFILE_COMMENT)
			add_comments(p, &f);
		if (f.number == PROFILE_STRING) {
			GROW(p->t.string, p->t.nr_string, p->t.cap_string);
			p->t.string[p->t.nr_string++] = f.bytes;
		}
		whole_passed(w, in.at);
	}
	pprof_tables_end(&p->t);
	return !in.failed;
}

struct span pprof_unit(struct span unit)
{
	static const char *const units[][2] = {
		{ "nanoseconds", "ns" },
		{ "microseconds", "us" },
		{ "milliseconds", "ms" },
		{ "seconds", "s" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i][0]))
			return span_of(units[i][1]);
	return unit;
}

bool pprof_counts_samples(struct span name, struct span unit)
{
	return span_is(unit, "count") && (span_ends(name, "samples") || span_ends(name, "sample"));
}

void pprof_comment(struct profile *p, uint32_t event, struct span comment)
{
	static const struct {
		const char *text;
		enum weight_source source;
	} sources[] = { { "measured event: ", SOURCE_MEASURED },
			{ "sampled event: ", SOURCE_SAMPLED } };

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (span_starts(comment, sources[i].text) &&
		    span_eq(span_from(comment, strlen(sources[i].text)),
			    profile_peek(p, p->event[event].name)))
			p->event[event].source = sources[i].source;
}

/* Without a number of samples, columns are sums, such as the delay of contentions. */
static bool is_measured(const struct pprof *p)
{
	return !pprof_counts_samples(pprof_string(&p->t, p->type[0].name),
				     pprof_string(&p->t, p->type[0].unit)) &&
	       !is_heap(p);
}

/* If its name is in the missing rest of a truncated file, the event is named by its column. */
static uint32_t make_event(struct pprof *p, size_t column)
{
	struct span name = pprof_string(&p->t, p->type[column].name);

	strbuf_reset(&p->t.text);
	strbuf_add(&p->t.text, name);
	if (!name.size)
		strbuf_addf(&p->t.text, "column %zu", column + 1);
	return profile_event(p->b->p, strbuf_peek(&p->t.text),
			     pprof_unit(pprof_string(&p->t, p->type[column].unit)));
}

/*
 * The first event is shown by default: as in pprof, the file's default type, or else the last one.
 */
static void make_events(struct pprof *p)
{
	size_t first = p->nr_type ? p->nr_type - 1 : 0;

	for (size_t i = 0; i < p->nr_type && p->default_type; i++)
		if (span_eq(pprof_string(&p->t, p->type[i].name),
			    pprof_string(&p->t, p->default_type)))
			first = i;
	if (p->nr_type)
		p->event[first] = make_event(p, first);
	for (size_t i = 0; i < p->nr_type; i++) {
		p->event[i] = p->b->event = make_event(p, i);
		if (is_measured(p))
			build_measure(p->b, SOURCE_MEASURED, EXTENT_SHARE);
		for (size_t k = 0; k < p->nr_comment; k++)
			pprof_comment(p->b->p, p->event[i], pprof_string(&p->t, p->comment[k]));
	}
}

static void inform_time(struct pprof *p, uint64_t time)
{
	struct strbuf text = { 0 };

	if (!time)
		return;
	date_add(&text, (time_t)(time / 1000000000));
	profile_inform(p->b->p, SPAN("captured"), strbuf_peek(&text));
	strbuf_release(&text);
}

static int read_profile(struct pprof *p, struct whole *w, struct error *e)
{
	struct bytes in = bytes_over(w->all);
	uint64_t time = 0;
	struct field f;

	if (!read_tables(p, w, &time) && build_note(p->b, NOTE_NO_END, SPAN(""), e))
		return -1;
	make_events(p);
	inform_time(p, time);
	while (field_next(&in, &f)) {
		if (f.number == PROFILE_SAMPLE && read_sample(p, f.bytes, e))
			return -1;
		whole_passed(w, in.at);
	}
	return 0;
}

static int pprof_read(struct build *b, struct error *e)
{
	struct pprof p = { .b = b, .t = { .b = b } };
	struct whole whole;
	int ret = whole_open(&whole, b, e);

	if (!ret)
		ret = read_profile(&p, &whole, e);
	pprof_tables_release(&p.t);
	free(p.comment);
	return ret;
}

/* A type is two numbers of strings. */
static bool is_type(struct span message)
{
	struct bytes in = bytes_over(message);
	struct field f;
	size_t nr = 0;

	while (field_next(&in, &f)) {
		if (f.wire != WIRE_VARINT || f.number > 2)
			return false;
		nr++;
	}
	return nr && !in.failed;
}

/* There is no magic number: all fields in the head must be valid, and include a sample type. */
static bool pprof_accepts(struct span head)
{
	struct bytes in = bytes_over(head);
	bool typed = false, empty = false, strings = false;
	struct field f;

	while (field_next(&in, &f)) {
		bool bytes = f.number <= PROFILE_STRING || f.number == 11;

		if (f.number > PROFILE_LAST || (bytes && f.wire != WIRE_BYTES) ||
		    (!bytes && f.wire != WIRE_VARINT && f.number != 13))
			return false;
		if (f.number == PROFILE_SAMPLE_TYPE && !is_type(f.bytes))
			return false;
		typed |= f.number == PROFILE_SAMPLE_TYPE;
		/* The first string is always the empty one. */
		if (f.number == PROFILE_STRING && !strings)
			empty = !f.bytes.size;
		strings |= f.number == PROFILE_STRING;
	}
	if (strings && !empty)
		return false;
	return typed && (strings || head.size == SOURCE_HEAD_SIZE);
}

const struct reader reader_pprof = {
	.name = "pprof",
	.title = "pprof profiles (profile.proto)",
	.accepts = pprof_accepts,
	.read = pprof_read,
	.split = SPLIT_ANYWHERE,
};
