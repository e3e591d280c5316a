#include "perf/file/perf_data.h"

#include "profile/spelling.h"
#include "read/readers.h"

#include <stdio.h>
#include <stdlib.h>

int perf_data_note(struct perf_data *d, enum note_code code, const char *what, struct error *e)
{
	char text[100];

	snprintf(text, sizeof(text), "record %llu: %s", (unsigned long long)d->nr_record, what);
	return build_note_at(d->b, 0, code, span_of(text), e);
}

void perf_data_add_ids(struct perf_data *d, struct span bytes)
{
	struct fields f = fields_over(bytes, d->order);

	while (d->attrs.nr && fields_left(&f) >= sizeof(uint64_t))
		attrs_add_id(&d->attrs, fields_u64(&f), d->attrs.nr - 1);
	perf_copy_ids(d, bytes);
}

bool perf_data_add_attr(struct perf_data *d, struct span bytes)
{
	struct attr a;

	if (!attr_parse(&a, bytes, d->order) || attrs_add(&d->attrs, &a) < 0)
		return false;
	d->ingest.waits.on |= a.switches;
	perf_copy_attr(d, bytes);
	return true;
}

/* The size in the attr itself; the first versions of perf left it 0. */
static size_t attr_size(struct perf_data *d, struct span bytes)
{
	uint32_t size = bytes.size >= 8 ? load_u32(bytes.at + 4, d->order) : 0;

	return size ? size : PERF_ATTR_SIZE_VER0;
}

static int attr_record(struct perf_data *d, struct span body, struct error *e)
{
	size_t size = attr_size(d, body);

	if (d->is_declared)
		return perf_data_note(d, NOTE_BAD_RECORD, "event declared after its first sample",
				      e);
	if (size > body.size || !perf_data_add_attr(d, span_upto(body, size)))
		return perf_data_note(d, NOTE_BAD_RECORD, "truncated event attribute", e);
	perf_data_add_ids(d, span_from(body, size));
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
		/* The size of the data comes first: the record is padded to a multiple of 8. */
		struct fields f = fields_over(body, d->order);
		uint64_t size = fields_u64(&f);

		return perf_unpack(d, fields_take(&f, size), e);
	}
	case USER_AUXTRACE:
		/* It is still copied, for perf. */
		notes_add(&d->b->p->notes, NOTE_HARDWARE_TRACE, 1, 0, SPAN(""));
		break;
	default:
		break;
	}
	if (type < USER_ATTR)
		return perf_kernel_record(d, bytes, e);
	if (type > USER_LAST)
		return perf_data_note(d, NOTE_UNKNOWN_RECORD, "unknown record type", e);
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
	return perf_data_note(d, NOTE_NO_END, "truncated recording", e);
}

/*
 * Android's simpleperf writes records of its own (symbols and the like), of types that perf does
 * not use.  They may exceed 64 kB: misc holds the upper 16 bits of their size.
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

/* Skips corrupt bytes.  1: another record follows; 0: none does. */
static int pass_damage(struct perf_data *d, struct error *e)
{
	uint64_t passed;
	bool found = perf_resync(d, &passed);
	char what[80];

	snprintf(what, sizeof(what),
		 found ? "%llu corrupt bytes skipped" : "corrupt from here to the end",
		 (unsigned long long)passed);
	return perf_data_note(d, NOTE_BAD_RECORD, what, e) ? -1 : found;
}

/*
 * A record of unknown type is assumed to be of a newer kernel if another record, or the end,
 * follows it.
 */
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
		return d->has_end && d->feed.left ? cut_off(d, e) : 0;
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
	/* In a file, these bytes are a feature section. */
	if (h.type == USER_TRACING_DATA && behind <= PERF_SECTION_MAX)
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
	return ret || perf_folder_read(d, e) || perf_kernel_end(d, e) ? -1 : 0;
}

static int read_file(struct perf_data *d, struct fields *f, struct error *e)
{
	struct perf_section records;

	if (perf_contents_read(d, f, &records, e))
		return -1;
	d->feed.left = UINT64_MAX;
	feed_map(&d->feed);
	if (!feed_skip(&d->feed, records.offset))
		return cut_off(d, e);
	d->feed.left = records.size;
	d->has_end = records.size < UINT64_MAX - records.offset;
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
	strbuf_release(&d->hidden.bytes);
	deferred_release(&d->deferred);
	readings_release(&d->readings);
	ingest_release(&d->ingest);
	strbuf_release(&d->feed.carry);
	perf_unpack_free(d->unpack);
	free(d->event);
	free(d->sched.says);
}

static int read_perf_data(struct build *b, struct error *e)
{
	struct perf_data d = { .b = b, .feed = { .text = b->text } };
	struct fields f;
	int ret = -1;

	if (!magic(b->head, &d.order))
		return error_set(e, ERROR_INPUT, "not a perf.data file (bad magic)");
	f = fields_over(span_from(span_upto(b->head, PERF_HEADER_SIZE), 8), d.order);
	queue_init(&d.queue, perf_kernel_turn, &d);
	ingest_init(&d.ingest, b->p);
	d.ingest.stacks.image = b->o->image;
	d.ingest.keeps_labels = d.ingest.waits.keeps_labels = b->o->cpus;
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
