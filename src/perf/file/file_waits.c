/*
 * Samples of waits (perf/wait_record.h) if the user did not request waits, in a feature section of
 * wick's own, which perf skips: otherwise, perf would print them as samples of the first event.
 * The section is a zstd frame of records, sorted by time; reading merges them with the other
 * records.
 */
#include "base/strbuf.h"
#include "perf/file/perf_data.h"
#include "perf/file/recording_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

/* Writing */

void recording_hide_sample(struct recording *r, const struct record *sample, const struct attr *a,
			   const struct words *chain, uint32_t ticket)
{
	struct held_record held = recording_encode_sample(r, sample, a, chain, ticket);

	held_add(&r->hidden, strbuf_peek(&r->record), &held);
}

size_t recording_hidden_size(const struct recording *r)
{
	return r->hidden.bytes.size;
}

bool recording_has_waits(const struct recording *r)
{
	return held_any(&r->hidden) || r->has_feature[FEATURE_WAITS];
}

void recording_set_hidden(struct recording *r)
{
	size_t room = ZSTD_compressBound(r->hidden.bytes.size), size;
	struct strbuf packed = { 0 };
	ZSTD_CCtx *zstd;

	if (!held_any(&r->hidden))
		return;
	strbuf_reserve(&packed, room);
	zstd = ZSTD_createCCtx();
	if (zstd) {
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, PACKER_LEVEL);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
	}
	size = zstd ? ZSTD_compress2(zstd, packed.at, room, r->hidden.bytes.at,
				     r->hidden.bytes.size)
		    : (size_t)-1;
	ZSTD_freeCCtx(zstd);
	/* zstd only fails if it runs out of memory: then the file is not written. */
	if (ZSTD_isError(size))
		output_fail(&r->out, ENOMEM);
	else
		recording_set_feature(r, FEATURE_WAITS, (struct span){ packed.at, size });
	strbuf_release(&packed);
}

/* Reading */

/* Decompresses the section; false if it is corrupt. */
static bool unpack(struct strbuf *to, struct span packed)
{
	enum { PIECE = 256 * 1024 };
	ZSTD_inBuffer in = { .src = packed.at, .size = packed.size };
	ZSTD_DStream *zstd = ZSTD_createDStream();
	size_t left = 1;

	while (zstd && left && to->size < RECORDING_HIDDEN_MAX) {
		ZSTD_outBuffer out;

		strbuf_reserve(to, PIECE);
		out = (ZSTD_outBuffer){ .dst = to->at + to->size, .size = PIECE };
		left = ZSTD_decompressStream(zstd, &out, &in);
		if (ZSTD_isError(left) || (in.pos == in.size && !out.pos))
			break;
		to->size += out.pos;
	}
	ZSTD_freeDStream(zstd);
	return !left;
}

void perf_waits_read(struct perf_data *d, struct span bytes)
{
	strbuf_reset(&d->hidden.bytes);
	d->hidden.at = 0;
	if (!unpack(&d->hidden.bytes, bytes))
		notes_add(&d->b->p->notes, NOTE_BAD_RECORD, 1, 0, SPAN("stacks of waits"));
}

bool perf_waits_has(const struct perf_data *d, struct span record)
{
	uintptr_t at = (uintptr_t)record.at, begin = (uintptr_t)d->hidden.bytes.at;

	return at >= begin && at - begin < d->hidden.bytes.size;
}

/* The next record; false: there is none, or it is corrupt, and the rest is dropped. */
static bool peek(struct perf_data *d, struct span *bytes, struct record *r)
{
	struct span rest = span_from(strbuf_peek(&d->hidden.bytes), d->hidden.at);
	int attr;

	if (rest.size < RECORD_HEADER_SIZE)
		return false;
	*bytes = span_upto(rest, record_header(rest.at, d->order).size);
	attr = bytes->size < RECORD_HEADER_SIZE ? -1 : attrs_of_record(&d->attrs, *bytes, d->order);
	if (attr >= 0 && wait_record_is_of(&d->attrs.attr[attr]) &&
	    record_decode(r, &d->attrs.attr[attr], *bytes, d->order) && r->kind == RECORD_SAMPLE &&
	    r->time)
		return true;
	notes_add(&d->b->p->notes, NOTE_BAD_RECORD, 1, 0, SPAN("stacks of waits"));
	d->hidden.at = d->hidden.bytes.size;
	return false;
}

int perf_waits_queue(struct perf_data *d, uint64_t time, struct error *e)
{
	struct span bytes;
	struct record r;

	while (d->hidden.at < d->hidden.bytes.size && peek(d, &bytes, &r) && r.time <= time) {
		if (queue_add_staying(&d->queue, r.time, bytes, e))
			return -1;
		d->hidden.at += bytes.size;
	}
	return 0;
}
