#include "record/encode.h"

static void add_u32(struct strbuf *out, uint32_t value)
{
	strbuf_add(out, (struct span){ (const char *)&value, sizeof(value) });
}

static void add_u64(struct strbuf *out, uint64_t value)
{
	strbuf_add(out, (struct span){ (const char *)&value, sizeof(value) });
}

/* With a NUL at least, filled up to words. */
static void add_text(struct strbuf *out, struct span text)
{
	static const char zeroes[8];

	strbuf_add(out, span_upto(text, 4095));
	strbuf_add(out, (struct span){ zeroes, 8 - out->size % 8 });
}

/* What stands behind every record when the attr says so. */
static void add_sample_id(struct strbuf *out, const struct record *r, const struct attr *a)
{
	if (!a->sample_id_all)
		return;
	if (a->sample_type & PERF_SAMPLE_TID) {
		add_u32(out, r->pid);
		add_u32(out, r->tid);
	}
	if (a->sample_type & PERF_SAMPLE_TIME)
		add_u64(out, r->time);
	if (a->sample_type & PERF_SAMPLE_ID)
		add_u64(out, r->id);
	if (a->sample_type & PERF_SAMPLE_STREAM_ID)
		add_u64(out, 0);
	if (a->sample_type & PERF_SAMPLE_CPU)
		add_u64(out, r->cpu);
	if (a->sample_type & PERF_SAMPLE_IDENTIFIER)
		add_u64(out, r->id);
}

static void add_mapping(struct strbuf *out, const struct record *r)
{
	const uint32_t private = 2; /* MAP_PRIVATE */

	add_u64(out, r->mmap.addr);
	add_u64(out, r->mmap.len);
	add_u64(out, r->mmap.pgoff);
	/* Device, inode and its generation are not known. */
	add_u64(out, 0);
	add_u64(out, 0);
	add_u64(out, 0);
	add_u32(out, r->mmap.prot);
	add_u32(out, private);
	add_text(out, r->mmap.path);
}

struct span encode_record(struct strbuf *out, const struct record *r, const struct attr *a)
{
	struct perf_event_header header = {
		.type = r->kind == RECORD_MMAP ? PERF_RECORD_MMAP2 : PERF_RECORD_COMM,
		.misc = (uint16_t)r->misc,
	};

	strbuf_reset(out);
	strbuf_add(out, (struct span){ (const char *)&header, sizeof(header) });
	add_u32(out, r->pid);
	add_u32(out, r->tid);
	if (r->kind == RECORD_MMAP)
		add_mapping(out, r);
	else
		add_text(out, r->comm.name);
	add_sample_id(out, r, a);
	header.size = (uint16_t)out->size;
	memcpy(out->at, &header, sizeof(header));
	return strbuf_peek(out);
}
