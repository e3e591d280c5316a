/* perf.data by hand, in either byte order: for tests of those who read it. */
#ifndef PERF_BYTES_H
#define PERF_BYTES_H

#include "base/fields.h"
#include "base/strbuf.h"

#include <linux/perf_event.h>

struct perf_bytes {
	struct strbuf b;
	enum byte_order order;
	size_t record; /* where the one being written begins */
};

static inline void put(struct perf_bytes *p, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		size_t byte = p->order == ORDER_BIG ? size - 1 - i : i;

		strbuf_addch(&p->b, (char)(v >> 8 * byte));
	}
}

static inline void put_u16(struct perf_bytes *p, uint16_t v)
{
	put(p, v, 2);
}

static inline void put_u32(struct perf_bytes *p, uint32_t v)
{
	put(p, v, 4);
}

static inline void put_u64(struct perf_bytes *p, uint64_t v)
{
	put(p, v, 8);
}

/* With a NUL, filled up to whole words. */
static inline void put_text(struct perf_bytes *p, const char *s)
{
	size_t begin = p->b.size;

	strbuf_add(&p->b, span_of(s));
	do
		strbuf_addch(&p->b, '\0');
	while ((p->b.size - begin) % 8);
}

static inline void patch_u16(struct perf_bytes *p, size_t at, uint16_t v)
{
	struct perf_bytes one = { .order = p->order };

	put_u16(&one, v);
	memcpy(p->b.at + at, one.b.at, 2);
	strbuf_release(&one.b);
}

static inline void begin_record(struct perf_bytes *p, uint32_t type, uint16_t misc)
{
	p->record = p->b.size;
	put_u32(p, type);
	put_u16(p, misc);
	put_u16(p, 0);
}

static inline void end_record(struct perf_bytes *p)
{
	patch_u16(p, p->record + 6, (uint16_t)(p->b.size - p->record));
}

/* An attr of 64 bytes; flags by their bits' numbers. */
static inline void put_attr(struct perf_bytes *p, uint64_t sample_type, uint64_t flags)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < 64; i++)
		if (flags >> i & 1)
			bits |= UINT64_C(1) << (p->order == ORDER_BIG ? 63 - i : i);
	put_u32(p, PERF_TYPE_SOFTWARE);
	put_u32(p, 64);
	put_u64(p, PERF_COUNT_SW_CPU_CLOCK);
	put_u64(p, 1000);
	put_u64(p, sample_type);
	put_u64(p, 0);
	put_u64(p, bits);
	put_u64(p, 0);
	put_u64(p, 0);
}

#define SAMPLE_ID_ALL (UINT64_C(1) << 18)

#endif
