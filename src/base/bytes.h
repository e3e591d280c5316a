/*
 * A cursor over untrusted bytes, and the same encodings for writing.  It cannot overrun: reading
 * past the end gives 0 and sets `failed`, which callers check once per record.
 *
 * A number is a varint: seven bits a byte, the lowest first, the top bit set on
 * all but the last.  A signed one is zigzag: 0, -1, 1, -2 are 0, 1, 2, 3.
 */
#ifndef WICK_BASE_BYTES_H
#define WICK_BASE_BYTES_H

#include "base/span.h"
#include "base/strbuf.h"

struct bytes {
	const unsigned char *at, *end;
	bool failed; /* the bytes ended too early, or a number was out of range */
};

enum { VARINT_MAX = 10 };

static inline struct bytes bytes_over(struct span s)
{
	const unsigned char *at = (const unsigned char *)s.at;

	return (struct bytes){ .at = at, .end = s.size ? at + s.size : at };
}

static inline size_t bytes_left(const struct bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* Sets `failed`, and moves to the end: all further reads fail.  Returns 0. */
static inline uint64_t bytes_fail(struct bytes *b)
{
	b->at = b->end;
	b->failed = true;
	return 0;
}

static inline uint8_t bytes_u8(struct bytes *b)
{
	return b->at < b->end ? *b->at++ : (uint8_t)bytes_fail(b);
}

/* bytes_varint() of more than one byte. */
uint64_t bytes_long_varint(struct bytes *b);

static inline uint64_t bytes_varint(struct bytes *b)
{
	if (__builtin_expect(b->at < b->end && *b->at < 0x80, 1))
		return *b->at++;
	return bytes_long_varint(b);
}

static inline int64_t bytes_signed(struct bytes *b)
{
	uint64_t v = bytes_varint(b);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* A number that is at most max. */
static inline uint64_t bytes_upto(struct bytes *b, uint64_t max)
{
	uint64_t v = bytes_varint(b);

	return v <= max ? v : bytes_fail(b);
}

/* A number of items that follow, each of at least one byte: fails if it exceeds the bytes left. */
static inline size_t bytes_count(struct bytes *b)
{
	uint64_t nr = bytes_varint(b);

	return nr <= bytes_left(b) ? (size_t)nr : (size_t)bytes_fail(b);
}

/* The next size bytes, in place; fails, and is empty, if there are fewer. */
static inline struct span bytes_take(struct bytes *b, uint64_t size)
{
	struct span s = { .at = (const char *)b->at, .size = (size_t)size };

	if (size > bytes_left(b)) {
		bytes_fail(b);
		return SPAN("");
	}
	/* `at` may be NULL, and C does not allow NULL + 0. */
	if (size)
		b->at += size;
	return s;
}

/* A string, preceded by its size. */
static inline struct span bytes_text(struct bytes *b)
{
	return bytes_take(b, bytes_varint(b));
}

/* A cursor over the next nr numbers, which b skips: to read several columns side by side. */
struct bytes bytes_column(struct bytes *b, size_t nr);

/* Writing */

/* Writes to a buffer with VARINT_MAX bytes free; returns the end of what it wrote. */
static inline char *bytes_put_varint(char *to, uint64_t v)
{
	/* Numbers of one and of two bytes often alternate at random: a branch would be mispredicted. */
	if (v < 1 << 14) {
		bool two = v >= 0x80;

		to[0] = (char)(v | (uint64_t)two << 7);
		to[1] = (char)(v >> 7);
		return to + 1 + two;
	}
	for (; v >= 0x80; v >>= 7)
		*to++ = (char)(v | 0x80);
	*to++ = (char)v;
	return to;
}

static inline void bytes_add_varint(struct strbuf *out, uint64_t v)
{
	strbuf_reserve(out, VARINT_MAX);
	out->size = (size_t)(bytes_put_varint(out->at + out->size, v) - out->at);
}

static inline void bytes_add_text(struct strbuf *out, struct span s)
{
	bytes_add_varint(out, s.size);
	strbuf_add(out, s);
}

static inline void bytes_add_signed(struct strbuf *out, int64_t v)
{
	bytes_add_varint(out, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

#endif
