/*
 * Records that perf compressed (`perf record -z`): all compressed records form one zstd stream,
 * split anywhere, so a record may begin in one of them and end in the next.
 */
#include "base/alloc.h"
#include "perf/file/perf_data.h"

#include <stdlib.h>
#include <zstd.h>

/* Bytes that are decompressed at a time. */
enum { PIECE = 256 * 1024 };

struct perf_unpack {
	ZSTD_DStream *zstd;
	struct strbuf plain; /* decompressed bytes: a still incomplete record */
	bool broken;	     /* it is corrupt: the rest of the stream is not read */
};

void perf_unpack_free(struct perf_unpack *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->zstd);
	strbuf_release(&u->plain);
	free(u);
}

static int broken(struct perf_data *d, const char *why, struct error *e)
{
	d->unpack->broken = true;
	return perf_data_note(d, NOTE_BAD_RECORD, why, e);
}

/* Passes on the complete records, and keeps the rest. */
static int hand_on(struct perf_data *d, struct error *e)
{
	struct strbuf *plain = &d->unpack->plain;
	struct span rest = strbuf_peek(plain);

	while (rest.size >= RECORD_HEADER_SIZE) {
		struct record_header h = record_header(rest.at, d->order);

		if (h.size < RECORD_HEADER_SIZE)
			return broken(d, "compressed record without a size", e);
		if (h.size > rest.size)
			break;
		/* Skips a compressed record inside one: that could be an endless recursion. */
		if (h.type != USER_COMPRESSED && h.type != USER_COMPRESSED2 &&
		    perf_data_record(d, span_upto(rest, h.size), e))
			return -1;
		rest = span_from(rest, h.size);
	}
	memmove(plain->at, rest.at, rest.size);
	plain->size = rest.size;
	return 0;
}

int perf_unpack(struct perf_data *d, struct span packed, struct error *e)
{
	struct perf_unpack *u = d->unpack;
	ZSTD_inBuffer in = { .src = packed.at, .size = packed.size };
	ZSTD_outBuffer out;

	if (!u) {
		u = d->unpack = xcalloc(1, sizeof(*u));
		u->zstd = ZSTD_createDStream();
		if (!u->zstd)
			return error_set(e, ERROR_SYSTEM, "cannot initialize zstd");
	}
	/* The rest of a corrupt stream refers to bytes that are lost. */
	if (u->broken)
		return perf_data_note(d, NOTE_BAD_RECORD, "compressed record is corrupt", e);
	do {
		size_t ret;

		strbuf_reserve(&u->plain, PIECE);
		out = (ZSTD_outBuffer){ .dst = u->plain.at + u->plain.size, .size = PIECE };
		ret = ZSTD_decompressStream(u->zstd, &out, &in);
		if (ZSTD_isError(ret))
			return broken(d, ZSTD_getErrorName(ret), e);
		u->plain.size += out.pos;
		if (hand_on(d, e))
			return -1;
		/* hand_on() found a corrupt record. */
		if (u->broken)
			return 0;
	} while (in.pos < in.size || out.pos == out.size);
	return 0;
}
