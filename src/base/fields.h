/*
 * A cursor over untrusted fields of fixed sizes, in the byte order of the machine that wrote them.
 * It cannot overrun: reading past the end gives 0 and sets `failed`, which callers check once a
 * record.
 */
#ifndef WICK_BASE_FIELDS_H
#define WICK_BASE_FIELDS_H

#include "base/leb128.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <endian.h>

enum byte_order { ORDER_LITTLE, ORDER_BIG };

#define ORDER_HOST (BYTE_ORDER == BIG_ENDIAN ? ORDER_BIG : ORDER_LITTLE)

struct fields {
	const char *at, *end;
	enum byte_order order;
	bool failed;
};

static inline struct fields fields_over(struct span s, enum byte_order order)
{
	return (struct fields){ .at = s.at, .end = s.size ? s.at + s.size : s.at, .order = order };
}

static inline size_t fields_left(const struct fields *f)
{
	return (size_t)(f->end - f->at);
}

/* The next size bytes, in place; fails, and is empty, if there are fewer. */
static inline struct span fields_take(struct fields *f, uint64_t size)
{
	struct span s = { .at = f->at, .size = (size_t)size };

	if (size > fields_left(f)) {
		f->at = f->end;
		f->failed = true;
		return SPAN("");
	}
	f->at += size;
	return s;
}

static inline uint16_t load_u16(const char *at, enum byte_order order)
{
	uint16_t v;

	memcpy(&v, at, sizeof(v));
	return order == ORDER_BIG ? be16toh(v) : le16toh(v);
}

static inline uint32_t load_u32(const char *at, enum byte_order order)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return order == ORDER_BIG ? be32toh(v) : le32toh(v);
}

static inline uint64_t load_u64(const char *at, enum byte_order order)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return order == ORDER_BIG ? be64toh(v) : le64toh(v);
}

static inline void store_u16(char *at, uint16_t v, enum byte_order order)
{
	v = order == ORDER_BIG ? htobe16(v) : htole16(v);
	memcpy(at, &v, sizeof(v));
}

static inline void store_u32(char *at, uint32_t v, enum byte_order order)
{
	v = order == ORDER_BIG ? htobe32(v) : htole32(v);
	memcpy(at, &v, sizeof(v));
}

static inline void store_u64(char *at, uint64_t v, enum byte_order order)
{
	v = order == ORDER_BIG ? htobe64(v) : htole64(v);
	memcpy(at, &v, sizeof(v));
}

static inline void append_u16(struct strbuf *to, uint16_t v, enum byte_order order)
{
	char bytes[sizeof(v)];

	store_u16(bytes, v, order);
	strbuf_add(to, (struct span){ .at = bytes, .size = sizeof(v) });
}

static inline void append_u32(struct strbuf *to, uint32_t v, enum byte_order order)
{
	char bytes[sizeof(v)];

	store_u32(bytes, v, order);
	strbuf_add(to, (struct span){ .at = bytes, .size = sizeof(v) });
}

static inline void append_u64(struct strbuf *to, uint64_t v, enum byte_order order)
{
	char bytes[sizeof(v)];

	store_u64(bytes, v, order);
	strbuf_add(to, (struct span){ .at = bytes, .size = sizeof(v) });
}

static inline uint8_t fields_u8(struct fields *f)
{
	struct span s = fields_take(f, 1);

	return s.size ? (uint8_t)*s.at : 0;
}

static inline uint16_t fields_u16(struct fields *f)
{
	struct span s = fields_take(f, 2);

	return s.size ? load_u16(s.at, f->order) : 0;
}

static inline uint32_t fields_u32(struct fields *f)
{
	struct span s = fields_take(f, 4);

	return s.size ? load_u32(s.at, f->order) : 0;
}

static inline uint64_t fields_u64(struct fields *f)
{
	struct span s = fields_take(f, 8);

	return s.size ? load_u64(s.at, f->order) : 0;
}

/* Bytes up to a NUL or the end; the cursor goes to the end. */
static inline struct span fields_text(struct fields *f)
{
	struct span s = fields_take(f, fields_left(f));

	return span_upto(s, span_find(s, '\0'));
}

/* LEB128, as leb128.h says. */
static inline struct leb128 fields_leb(struct fields *f)
{
	struct leb128 n = { 0 };

	while (leb128_add(&n, fields_u8(f)))
		;
	return n;
}

static inline uint64_t fields_uleb(struct fields *f)
{
	return fields_leb(f).value;
}

static inline int64_t fields_sleb(struct fields *f)
{
	struct leb128 n = fields_leb(f);

	return leb128_signed(&n);
}

/* An array of u64 in place, unaligned and in any byte order: call chains, registers. */
struct words {
	const char *at;
	size_t nr;
	enum byte_order order;
};

static inline struct words fields_words(struct fields *f, uint64_t nr)
{
	struct words w = { .at = f->at, .nr = (size_t)nr, .order = f->order };

	if (nr > fields_left(f) / sizeof(uint64_t)) {
		fields_take(f, UINT64_MAX);
		return (struct words){ .at = f->end };
	}
	f->at += nr * sizeof(uint64_t);
	return w;
}

static inline uint64_t word_at(const struct words *w, size_t i)
{
	return load_u64(w->at + i * sizeof(uint64_t), w->order);
}

#endif
