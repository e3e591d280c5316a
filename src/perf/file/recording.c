#include "perf/file/recording.h"

#include "base/alloc.h"
#include "perf/file/recording_parts.h"

#include <stdlib.h>

struct recording *recording_new(const char *path, struct error *e)
{
	static const char no_header[PERF_HEADER_SIZE];
	struct recording *r = xcalloc(1, sizeof(*r));

	r->order = ORDER_HOST;
	if (output_open_whole(&r->out, path, e)) {
		free(r);
		return NULL;
	}
	packer_init(&r->packer, &r->out);
	/* The header is written at the end, when all offsets are known. */
	output_add(&r->out, (struct span){ .at = no_header, .size = sizeof(no_header) });
	return r;
}

void recording_order(struct recording *r, enum byte_order order)
{
	r->order = r->packer.order = order;
}

static void free_recording(struct recording *r)
{
	for (size_t i = 0; i < r->nr_event; i++) {
		strbuf_release(&r->event[i].attr);
		strbuf_release(&r->event[i].ids);
		strbuf_release(&r->event[i].name);
	}
	for (size_t i = 0; i < FEATURE_BITS; i++)
		strbuf_release(&r->feature[i]);
	strbuf_release(&r->record);
	held_release(&r->held);
	held_release(&r->hidden);
	packer_release(&r->packer);
	free(r->event);
	free(r);
}

void recording_drop(struct recording *r)
{
	output_drop(&r->out);
	free_recording(r);
}

uint64_t recording_nr_sample(const struct recording *r)
{
	return r->nr_sample;
}

uint64_t recording_nr_truncated(const struct recording *r)
{
	return r->nr_truncated;
}

/* Records */

void recording_settle(struct recording *r, recording_root *root, void *arg)
{
	held_write(&r->held, &r->packer, r->order, root, arg);
	held_settle(&r->hidden, r->order, root, arg);
}

/* Writes a record, or holds it if it or an earlier record waits for a root. */
static void put(struct recording *r, struct span bytes, const struct held_record *record)
{
	if (!record->ticket && !held_any(&r->held))
		packer_add(&r->packer, bytes);
	else if (held_add(&r->held, bytes, record))
		recording_settle(r, NULL, NULL);
}

static const struct held_record finished;

void recording_add(struct recording *r, struct span record)
{
	put(r, record, &finished);
}

void recording_add_record(struct recording *r, const struct record *record, const struct attr *a)
{
	if (record_encode(&r->record, record, a, r->order))
		put(r, strbuf_peek(&r->record), &finished);
}

/*
 * Adds the chain; one that is too long for a record is truncated, and ends in the markers of
 * CHAIN_TOO_DEEP.
 */
static void add_chain(struct recording *r, const struct words *chain, size_t room)
{
	size_t nr = chain->nr <= room ? chain->nr : room - CHAIN_TOO_DEEP;
	bool too_deep = nr < chain->nr;

	/* Markers after the last address would be counted as part of CHAIN_TOO_DEEP. */
	while (too_deep && nr && word_at(chain, nr - 1) == PERF_CONTEXT_USER)
		nr--;
	append_u64(&r->record, too_deep ? nr + CHAIN_TOO_DEEP : nr, r->order);
	for (size_t i = 0; i < nr; i++)
		append_u64(&r->record, word_at(chain, i), r->order);
	for (int i = 0; too_deep && i < CHAIN_TOO_DEEP; i++)
		append_u64(&r->record, PERF_CONTEXT_USER, r->order);
	r->nr_truncated += too_deep;
}

struct held_record recording_encode_sample(struct recording *r, const struct record *sample,
					   const struct attr *a, const struct words *chain,
					   uint32_t ticket)
{
	const struct sample_parts *parts = &sample->sample.parts;
	uint64_t type = attr_finished_type(a);
	struct span branches = type & PERF_SAMPLE_BRANCH_STACK ? parts->branches : SPAN("");
	size_t size = RECORD_HEADER_SIZE + parts->who.size + parts->raw.size + branches.size +
		      parts->facts.size;
	/*
	 * Words for the chain, after its length.  The sample had a length, so this is not negative.
	 */
	size_t room = (RECORD_SIZE_MAX - size) / sizeof(uint64_t) - 1;
	struct held_record held = { 0 };

	strbuf_reset(&r->record);
	append_u32(&r->record, PERF_RECORD_SAMPLE, r->order);
	append_u16(&r->record, (uint16_t)sample->misc, r->order);
	append_u16(&r->record, 0, r->order);
	strbuf_add(&r->record, parts->who);
	held.chain = (uint32_t)r->record.size;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		add_chain(r, chain, room);
		held.ticket = chain->nr + CHAIN_ROOT_WORDS <= room ? ticket : 0;
	}
	held.end = (uint32_t)r->record.size;
	strbuf_add(&r->record, parts->raw);
	strbuf_add(&r->record, branches);
	strbuf_add(&r->record, parts->facts);
	store_u16(r->record.at + 6, (uint16_t)r->record.size, r->order);
	return held;
}

void recording_add_open_sample(struct recording *r, const struct record *sample,
			       const struct attr *a, const struct words *chain, uint32_t ticket)
{
	struct held_record held = recording_encode_sample(r, sample, a, chain, ticket);

	put(r, strbuf_peek(&r->record), &held);
	r->nr_sample++;
}

void recording_add_sample(struct recording *r, const struct record *sample, const struct attr *a,
			  const struct words *chain)
{
	recording_add_open_sample(r, sample, a, chain, 0);
}

/* The end of the file */

struct ending {
	uint64_t at; /* its offset in the file */
	struct strbuf bytes;
};

static void add_section(const struct recording *r, struct strbuf *to, uint64_t at, uint64_t size)
{
	append_u64(to, at, r->order);
	append_u64(to, size, r->order);
}

static void add_features(struct recording *r, struct ending *end)
{
	uint64_t at = end->at;

	for (size_t i = 0; i < FEATURE_BITS; i++)
		at += r->has_feature[i] ? PERF_SECTION_SIZE : 0;
	for (size_t i = 0; i < FEATURE_BITS; i++) {
		if (!r->has_feature[i])
			continue;
		add_section(r, &end->bytes, at, r->feature[i].size);
		at += r->feature[i].size;
	}
	for (size_t i = 0; i < FEATURE_BITS; i++)
		if (r->has_feature[i])
			strbuf_add(&end->bytes, strbuf_peek(&r->feature[i]));
}

/* Returns the offset of the attrs in the file. */
static uint64_t add_attrs(struct recording *r, struct ending *end)
{
	uint64_t ids = end->at + end->bytes.size, attrs;

	for (size_t i = 0; i < r->nr_event; i++)
		strbuf_add(&end->bytes, strbuf_peek(&r->event[i].ids));
	attrs = end->at + end->bytes.size;
	for (size_t i = 0; i < r->nr_event; i++) {
		recording_put_attr(r, &end->bytes, &r->event[i]);
		add_section(r, &end->bytes, ids, r->event[i].ids.size);
		ids += r->event[i].ids.size;
	}
	return attrs;
}

static void write_header(struct recording *r, uint64_t attrs)
{
	uint64_t entry = recording_attr_size(r) + PERF_SECTION_SIZE,
		 bits[FEATURE_BITS / 64] = { 0 };
	struct strbuf header = { 0 };

	for (size_t i = 0; i < FEATURE_BITS; i++)
		bits[i / 64] |= (uint64_t)r->has_feature[i] << i % 64;
	strbuf_add(&header, r->order == ORDER_BIG ? SPAN("2ELIFREP") : SPAN("PERFILE2"));
	append_u64(&header, PERF_HEADER_SIZE, r->order);
	append_u64(&header, entry, r->order);
	add_section(r, &header, attrs, entry * r->nr_event);
	add_section(r, &header, PERF_HEADER_SIZE, r->packer.nr_written);
	add_section(r, &header, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		append_u64(&header, bits[i], r->order);
	output_patch(&r->out, 0, strbuf_peek(&header));
	strbuf_release(&header);
}

int recording_close(struct recording *r, struct error *e)
{
	struct ending end = { 0 };
	uint64_t attrs;
	int ret;

	recording_settle(r, NULL, NULL);
	packer_end(&r->packer);
	recording_set_hidden(r);
	recording_describe(r);
	end.at = PERF_HEADER_SIZE + r->packer.nr_written;
	add_features(r, &end);
	attrs = add_attrs(r, &end);
	output_add(&r->out, strbuf_peek(&end.bytes));
	write_header(r, attrs);
	strbuf_release(&end.bytes);
	ret = output_close(&r->out, e);
	free_recording(r);
	return ret;
}
