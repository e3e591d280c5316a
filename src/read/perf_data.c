#include "read/perf_data.h"

#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/perf_header.h"
#include "read/readers.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	/* Sections that are read whole: none that is needed comes near. */
	SECTION_MAX = 64 * 1024 * 1024,
	ATTR_SIZE_MAX = 4096,
};

#define NO_EVENT UINT32_MAX

int perf_data_note(struct perf_data *d, enum note_code code, const char *what, struct error *e)
{
	char text[100];

	snprintf(text, sizeof(text), "record %llu: %s", (unsigned long long)d->nr_record, what);
	return build_note_at(d->b, 0, code, span_of(text), e);
}

/* Events */

static bool is_dummy(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

static uint32_t add_event(struct perf_data *d, size_t attr)
{
	struct strbuf name = { 0 };
	uint32_t event;

	if (d->attrs.name[attr].size)
		strbuf_add(&name, strbuf_peek(&d->attrs.name[attr]));
	else
		attr_name(&name, &d->attrs.attr[attr]);
	event = perf_event_add(d->b->p, strbuf_peek(&name));
	if (!d->attrs.attr[attr].freq)
		d->b->p->event[event].period = d->attrs.attr[attr].period;
	strbuf_release(&name);
	return event;
}

/* In the order of the recording, whichever has the first sample. */
static uint32_t event_of(struct perf_data *d, size_t attr)
{
	while (d->nr_event < d->attrs.nr) {
		d->event = xreallocarray(d->event, d->nr_event + 1, sizeof(*d->event));
		d->event[d->nr_event] = is_dummy(&d->attrs.attr[d->nr_event])
						? NO_EVENT
						: add_event(d, d->nr_event);
		d->nr_event++;
	}
	if (d->event[attr] == NO_EVENT)
		d->event[attr] = add_event(d, attr);
	return d->event[attr];
}

/* Records */

/* Which attr it is of; -1 when it makes no sense. */
static int decode(const struct perf_data *d, struct span bytes, struct record *r)
{
	int i = attrs_of_record(&d->attrs, bytes, d->order);

	return i >= 0 && record_decode(r, &d->attrs.attr[i], bytes, d->order) ? i : -1;
}

/*
 * A sample at which counters were read is one of each that counted something since the last one, as
 * in perf.  False when none of them is known: then it is its own event's like any other.
 */
static bool is_read(const struct perf_data *d, const struct record *r, const struct attr *a)
{
	uint64_t id, value;

	return r->kind == RECORD_SAMPLE && a->sample_type & PERF_SAMPLE_READ &&
	       !d->ingest.chains_only && sample_counter(&r->sample, a, 0, &id, &value) &&
	       attrs_find_id(&d->attrs, id) >= 0;
}

static int ingest_counters(struct perf_data *d, const struct record *r, const struct attr *a,
			   struct error *e)
{
	uint32_t tid = a->inherit ? r->tid : 0;
	uint64_t id, value;

	for (size_t i = 0; sample_counter(&r->sample, a, i, &id, &value); i++) {
		int attr = attrs_find_id(&d->attrs, id);
		struct record one = *r;

		if (attr < 0)
			continue;
		one.sample.period = readings_since(&d->readings, id, tid, value);
		if (one.sample.period &&
		    ingest_record(&d->ingest, &one, a, event_of(d, (size_t)attr), e))
			return -1;
	}
	return 0;
}

static int ingest_decoded(struct perf_data *d, struct span bytes, const struct record *r, int attr,
			  struct error *e)
{
	const struct attr *a = &d->attrs.attr[attr];
	uint32_t event = r->kind == RECORD_SAMPLE ? event_of(d, (size_t)attr) : 0;

	if (is_read(d, r, a))
		return ingest_counters(d, r, a, e);
	if (ingest_record(&d->ingest, r, a, event, e))
		return -1;
	perf_copy_record(d, bytes, r, a);
	return 0;
}

/* A sample that waited for the rest of its call chain. */
static int ingest_deferred(void *arg, struct span bytes, struct error *e)
{
	struct perf_data *d = arg;
	struct record r;
	int attr = decode(d, bytes, &r);

	return attr < 0 ? 0 : ingest_decoded(d, bytes, &r, attr, e);
}

/* A record of the kernel's whose turn it is. */
static int ingest(void *arg, struct span bytes, struct error *e)
{
	struct perf_data *d = arg;
	struct record r;
	int attr = decode(d, bytes, &r);

	if (attr < 0)
		return perf_data_note(d, NOTE_BAD_RECORD, "it is cut short", e);
	if (r.kind == RECORD_SAMPLE && deferred_hold(&d->deferred, &r, bytes))
		return 0;
	if (r.kind == RECORD_DEFERRED)
		return deferred_join(&d->deferred, &r, d->order, ingest_deferred, d, e);
	return ingest_decoded(d, bytes, &r, attr, e);
}

static int kernel_record(struct perf_data *d, struct span bytes, struct error *e)
{
	int i = attrs_of_record(&d->attrs, bytes, d->order);
	struct record r;

	if (i < 0)
		return perf_data_note(d, NOTE_BAD_RECORD, "no event has its id", e);
	d->is_declared = true;
	/* What makes no sense is said when its turn comes, and it has no time to wait for. */
	if (!record_decode(&r, &d->attrs.attr[i], bytes, d->order))
		r.time = 0;
	d->time = r.time ? r.time : d->time;
	return feed_stays(&d->feed, bytes) ? queue_add_staying(&d->queue, r.time, bytes, e)
					   : queue_add(&d->queue, r.time, bytes, e);
}

/* Ids of the attr that was added last. */
static void add_ids(struct perf_data *d, struct span bytes)
{
	struct fields f = fields_over(bytes, d->order);

	while (d->attrs.nr && fields_left(&f) >= sizeof(uint64_t))
		attrs_add_id(&d->attrs, fields_u64(&f), d->attrs.nr - 1);
	perf_copy_ids(d, bytes);
}

static bool add_attr(struct perf_data *d, struct span bytes)
{
	struct attr a;

	if (!attr_parse(&a, bytes, d->order) || attrs_add(&d->attrs, &a) < 0)
		return false;
	perf_copy_attr(d, bytes);
	return true;
}

/* The attr's own idea of its size; perf's first versions left it 0. */
static size_t attr_size(struct perf_data *d, struct span bytes)
{
	uint32_t size = bytes.size >= 8 ? load_u32(bytes.at + 4, d->order) : 0;

	return size ? size : PERF_ATTR_SIZE_VER0;
}

static int attr_record(struct perf_data *d, struct span body, struct error *e)
{
	size_t size = attr_size(d, body);

	if (d->is_declared)
		return perf_data_note(d, NOTE_BAD_RECORD, "an event that is told of too late", e);
	if (size > body.size || !add_attr(d, span_upto(body, size)))
		return perf_data_note(d, NOTE_BAD_RECORD, "an attribute is cut short", e);
	add_ids(d, span_from(body, size));
	return 0;
}

static void event_update(struct perf_data *d, struct span body)
{
	enum { UPDATE_NAME = 2 };
	struct fields f = fields_over(body, d->order);
	uint64_t type = fields_u64(&f), id = fields_u64(&f);
	int attr = attrs_find_id(&d->attrs, id);

	if (type != UPDATE_NAME || attr < 0)
		return;
	strbuf_reset(&d->attrs.name[attr]);
	strbuf_add(&d->attrs.name[attr], fields_text(&f));
}

static void feature_record(struct perf_data *d, struct span body)
{
	struct fields f = fields_over(body, d->order);
	uint64_t feature = fields_u64(&f);

	if (!f.failed && feature < FEATURE_BITS)
		perf_feature(d, (unsigned)feature, span_from(body, sizeof(uint64_t)));
}

int perf_data_record(struct perf_data *d, struct span bytes, struct error *e)
{
	struct span body = span_from(bytes, RECORD_HEADER_SIZE);
	uint32_t type = record_header(bytes.at, d->order).type;

	switch (type) {
	case USER_ATTR:
		return attr_record(d, body, e);
	case USER_BUILD_ID:
		perf_build_id(d, bytes);
		perf_copy_build_id(d, bytes);
		return 0;
	case USER_FINISHED_ROUND:
		return queue_round(&d->queue, e);
	case USER_EVENT_UPDATE:
		event_update(d, body);
		return 0;
	case USER_FEATURE:
		feature_record(d, body);
		return 0;
	case USER_COMPRESSED:
		return perf_unpack(d, body, e);
	case USER_COMPRESSED2: {
		/* How much of it is data comes first: the record ends at a whole word. */
		struct fields f = fields_over(body, d->order);
		uint64_t size = fields_u64(&f);

		return perf_unpack(d, fields_take(&f, size), e);
	}
	default:
		break;
	}
	if (type < USER_ATTR)
		return kernel_record(d, bytes, e);
	if (type > USER_LAST)
		return perf_data_note(d, NOTE_UNKNOWN_RECORD, "nobody knows its type", e);
	perf_copy_user_record(d, bytes, type);
	return 0;
}

/* Bytes that follow a record without being counted in its size. */
static uint64_t trailing_size(const struct perf_data *d, struct span bytes)
{
	struct fields f = fields_over(span_from(bytes, RECORD_HEADER_SIZE), d->order);

	switch (record_header(bytes.at, d->order).type) {
	case USER_AUXTRACE:
		return fields_u64(&f);
	case USER_TRACING_DATA:
		return ((uint64_t)fields_u32(&f) + 7) & ~UINT64_C(7);
	default:
		return 0;
	}
}

static int cut_off(struct perf_data *d, struct error *e)
{
	return perf_data_note(d, NOTE_NO_END, "the recording is cut off", e);
}

/*
 * simpleperf writes records of its own, with numbers that perf does not use: symbols and the
 * like.  They may be larger than the kernel's, so their size has more bits, where others have misc.
 */
enum { SIMPLEPERF_FIRST = 32768, SIMPLEPERF_LAST = 32799 };

static bool is_simpleperf(struct record_header h)
{
	return h.type >= SIMPLEPERF_FIRST && h.type <= SIMPLEPERF_LAST;
}

static int skip_simpleperf(struct perf_data *d, struct record_header h, struct error *e)
{
	uint32_t size = (uint32_t)h.misc << 16 | h.size;

	if (size < RECORD_HEADER_SIZE || !feed_skip(&d->feed, size))
		return cut_off(d, e);
	return 1;
}

/* 1: it goes on behind what makes no sense; 0: it does not. */
static int pass_damage(struct perf_data *d, struct error *e)
{
	uint64_t passed;
	bool found = perf_resync(d, &passed);
	char what[80];

	snprintf(what, sizeof(what),
		 found ? "%llu bytes that make no sense are passed over"
		       : "the rest makes no sense, and is not read",
		 (unsigned long long)passed);
	return perf_data_note(d, NOTE_BAD_RECORD, what, e) ? -1 : found;
}

/* A type that nobody knows may be that of a newer kernel, if a record is behind it, or nothing. */
static bool is_damaged(struct perf_data *d, struct record_header h)
{
	struct span both;

	if (h.size < RECORD_HEADER_SIZE)
		return true;
	if (perf_is_header(h))
		return false;
	both = feed_peek(&d->feed, (size_t)h.size + RECORD_HEADER_SIZE);
	if (both.size < (size_t)h.size + RECORD_HEADER_SIZE)
		return both.size != h.size;
	return !perf_is_header(record_header(both.at + h.size, d->order));
}

int perf_data_next(struct perf_data *d, struct error *e)
{
	struct span head = feed_peek(&d->feed, RECORD_HEADER_SIZE), bytes;
	struct record_header h;
	uint64_t behind;

	if (!head.size)
		return 0;
	d->nr_record++;
	if (head.size < RECORD_HEADER_SIZE)
		return cut_off(d, e);
	h = record_header(head.at, d->order);
	if (is_simpleperf(h))
		return skip_simpleperf(d, h, e);
	if (is_damaged(d, h))
		return pass_damage(d, e);
	bytes = feed_peek(&d->feed, h.size);
	if (bytes.size < h.size)
		return cut_off(d, e);
	behind = trailing_size(d, bytes);
	if (perf_data_record(d, bytes, e))
		return -1;
	if (!feed_skip(&d->feed, h.size))
		return cut_off(d, e);
	/* In a file this is a section like others. */
	if (h.type == USER_TRACING_DATA && behind <= SECTION_MAX)
		perf_feature(d, FEATURE_TRACING_DATA, feed_peek(&d->feed, (size_t)behind));
	if (!feed_skip(&d->feed, behind))
		return cut_off(d, e);
	return 1;
}

static int read_records(struct perf_data *d, struct error *e)
{
	int ret;

	do
		ret = perf_data_next(d, e);
	while (ret > 0);
	if (ret || perf_folder_read(d, e) || queue_end(&d->queue, e))
		return -1;
	return deferred_end(&d->deferred, ingest_deferred, d, e);
}

/* Files */

struct section {
	uint64_t offset, size;
};

static struct section take_section(struct fields *f)
{
	return (struct section){ .offset = fields_u64(f), .size = fields_u64(f) };
}

/* Reads a section whole; an empty one when it is not there. */
static int read_section(struct perf_data *d, struct section s, struct strbuf *into, struct error *e)
{
	ssize_t n;

	strbuf_reset(into);
	if (s.size > SECTION_MAX)
		return perf_data_note(d, NOTE_BAD_HEADER, "a section is too large to be one", e);
	strbuf_reserve(into, (size_t)s.size);
	n = source_read_at(d->b->text->source, s.offset, into->at, (size_t)s.size, e);
	if (n < 0)
		return -1;
	into->size = (size_t)n;
	return 0;
}

static int read_attrs(struct perf_data *d, struct section s, uint64_t entry, struct error *e)
{
	struct strbuf all = { 0 }, ids = { 0 };
	int ret = read_section(d, s, &all, e);
	struct fields f = fields_over(strbuf_peek(&all), d->order);

	while (!ret && fields_left(&f) >= entry) {
		struct span bytes = fields_take(&f, entry - 2 * sizeof(uint64_t));
		struct section where = take_section(&f);

		if (!add_attr(d, bytes))
			break;
		ret = read_section(d, where, &ids, e);
		if (!ret)
			add_ids(d, strbuf_peek(&ids));
	}
	strbuf_release(&all);
	strbuf_release(&ids);
	return ret;
}

static int read_features(struct perf_data *d, struct section data, const uint64_t bits[4],
			 struct error *e)
{
	struct strbuf table = { 0 }, bytes = { 0 };
	size_t nr = 0;
	struct fields f;
	int ret;

	for (int i = 0; i < 4; i++)
		nr += (size_t)__builtin_popcountll(bits[i]);
	ret = read_section(d,
			   (struct section){ .offset = data.offset + data.size,
					     .size = nr * 2 * sizeof(uint64_t) },
			   &table, e);
	f = fields_over(strbuf_peek(&table), d->order);
	for (unsigned i = 0; i < FEATURE_BITS && !ret; i++) {
		struct section s;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		s = take_section(&f);
		if (f.failed || s.size > SECTION_MAX)
			continue;
		ret = read_section(d, s, &bytes, e);
		if (!ret)
			perf_feature(d, i, strbuf_peek(&bytes));
	}
	strbuf_release(&table);
	strbuf_release(&bytes);
	return ret;
}

static int cut_in_header(struct error *e)
{
	return error_set(e, ERROR_INPUT, "the recording is cut off: its header is not whole");
}

static int read_file(struct perf_data *d, struct fields *f, struct error *e)
{
	uint64_t entry = fields_u64(f), bits[4];
	struct section attrs = take_section(f), data = take_section(f);

	take_section(f); /* event types, of long ago */
	for (int i = 0; i < 4; i++)
		bits[i] = fields_u64(f);
	if (f->failed)
		return cut_in_header(e);
	if (entry < PERF_ATTR_SIZE_VER0 + 16 || entry > ATTR_SIZE_MAX)
		return error_set(e, ERROR_INPUT, "the header of perf.data is damaged");
	if (read_attrs(d, attrs, entry, e))
		return -1;
	if (!d->attrs.nr)
		return attrs.size < entry
			       ? error_set(e, ERROR_INPUT, "the header of perf.data names no event")
			       : cut_in_header(e);
	/* A recorder that was killed did not come back to fill these in. */
	if (!data.size) {
		if (perf_data_note(d, NOTE_NO_END, "perf did not finish the file", e))
			return -1;
		data.size = UINT64_MAX - data.offset;
	} else if (read_features(d, data, bits, e)) {
		return -1;
	}
	d->feed.left = UINT64_MAX;
	feed_map(&d->feed);
	if (!feed_skip(&d->feed, data.offset))
		return cut_off(d, e);
	d->feed.left = data.size;
	return read_records(d, e);
}

static int read_pipe(struct perf_data *d, struct error *e)
{
	d->feed.left = UINT64_MAX;
	feed_skip(&d->feed, PERF_PIPE_HEADER_SIZE);
	return read_records(d, e);
}

static bool magic(struct span head, enum byte_order *order)
{
	*order = span_starts(head, "2ELIFREP") ? ORDER_BIG : ORDER_LITTLE;
	return *order == ORDER_BIG || span_starts(head, "PERFILE2");
}

static bool accepts(struct span head)
{
	enum byte_order order;

	return magic(head, &order);
}

static void release(struct perf_data *d)
{
	attrs_release(&d->attrs);
	queue_release(&d->queue);
	deferred_release(&d->deferred);
	readings_release(&d->readings);
	ingest_release(&d->ingest);
	strbuf_release(&d->feed.carry);
	perf_unpack_free(d->unpack);
	free(d->event);
}

static int read_perf_data(struct build *b, struct error *e)
{
	struct perf_data d = { .b = b, .feed = { .text = b->text } };
	struct fields f;
	int ret = -1;

	if (!magic(b->head, &d.order))
		return error_set(e, ERROR_INPUT, "it does not begin as perf.data does");
	f = fields_over(span_from(span_upto(b->head, PERF_HEADER_SIZE), 8), d.order);
	queue_init(&d.queue, ingest, &d);
	ingest_init(&d.ingest, b->p);
	d.ingest.stacks.image = b->o->image;
	d.ingest.keeps_cpus = b->o->cpus;
	d.ingest.times_only = b->o->times && !b->o->ticks;
	perf_copy_begin(&d);
	if (fields_u64(&f) == PERF_PIPE_HEADER_SIZE)
		ret = read_pipe(&d, e);
	else
		ret = read_file(&d, &f, e);
	ingest_finish(&d.ingest);
	perf_check_files(&d);
	if (d.queue.nr_late)
		notes_add(&b->p->notes, NOTE_LATE_RECORD, d.queue.nr_late, 0, SPAN(""));
	perf_copy_end(&d);
	release(&d);
	return ret;
}

const struct reader reader_perf_data = {
	.name = "perf-data",
	.title = "perf.data",
	.accepts = accepts,
	.read = read_perf_data,
	.split = SPLIT_ANYWHERE,
	.timed = true,
	.copies = true,
	.spelling = SPELL_THREAD,
};
