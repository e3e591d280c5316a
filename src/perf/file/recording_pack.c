#include "perf/file/recording_pack.h"

#include "perf/event.h"
#include "perf/file/perf_file.h"

#include <errno.h>
#include <zstd.h>

void packer_init(struct packer *p, struct output *out)
{
	*p = (struct packer){ .out = out, .order = ORDER_HOST, .zstd = ZSTD_createCCtx() };
	if (p->zstd)
		ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, PACKER_LEVEL);
}

void packer_release(struct packer *p)
{
	ZSTD_freeCCtx(p->zstd);
	strbuf_release(&p->plain);
	strbuf_release(&p->packed);
}

static void put_bytes(struct packer *p, struct span bytes)
{
	output_add(p->out, bytes);
	p->nr_written += bytes.size;
}

static void put_header(struct packer *p, char *to, uint32_t type, size_t size)
{
	store_u32(to, type, p->order);
	store_u16(to + 4, 0, p->order);
	store_u16(to + 6, (uint16_t)size, p->order);
}

/* Tells perf that all records so far may be processed: it need not keep more of them in memory. */
static void end_round(struct packer *p)
{
	char record[RECORD_HEADER_SIZE];

	put_header(p, record, USER_FINISHED_ROUND, sizeof(record));
	put_bytes(p, (struct span){ .at = record, .size = sizeof(record) });
}

/*
 * All compressed records are one zstd stream, flushed after each: a reader can decompress them one
 * by one.
 */
static void pack(struct packer *p)
{
	ZSTD_inBuffer in = { .src = p->plain.at, .size = p->plain.size };
	ZSTD_outBuffer out;

	if (!p->plain.size)
		return;
	strbuf_reserve(&p->packed, RECORD_SIZE_MAX);
	out = (ZSTD_outBuffer){ .dst = p->packed.at,
				.size = RECORD_SIZE_MAX,
				.pos = RECORD_HEADER_SIZE };
	/* zstd only fails if it runs out of memory: then the file is not written. */
	if (!p->zstd || ZSTD_compressStream2(p->zstd, &out, &in, ZSTD_e_flush))
		output_fail(p->out, ENOMEM);
	put_header(p, p->packed.at, USER_COMPRESSED, out.pos);
	put_bytes(p, (struct span){ .at = p->packed.at, .size = out.pos });
	p->nr_plain += in.size;
	p->nr_packed += out.pos;
	strbuf_reset(&p->plain);
	end_round(p);
}

/* This many bytes always fit into a record: zstd adds a little to data that it cannot compress. */
enum { MARGIN = 512, PLAIN_MAX = RECORD_SIZE_MAX - RECORD_HEADER_SIZE - MARGIN };
static_assert(ZSTD_COMPRESSBOUND(PLAIN_MAX) < PLAIN_MAX + MARGIN, "the margin is too small");

void packer_add(struct packer *p, struct span record)
{
	if (p->plain.size + record.size > PLAIN_MAX)
		pack(p);
	if (record.size > PLAIN_MAX)
		put_bytes(p, record);
	else
		strbuf_add(&p->plain, record);
}

void packer_end(struct packer *p)
{
	pack(p);
	/* perf considers a file without any record unfinished. */
	if (!p->nr_written)
		end_round(p);
}
