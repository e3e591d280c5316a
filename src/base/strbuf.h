/* A string that grows.  It may hold any byte, and is NUL-terminated.  Zeroed, it is empty. */
#ifndef WICK_BASE_STRBUF_H
#define WICK_BASE_STRBUF_H

#include "base/span.h"

#include <assert.h>
#include <stddef.h>

struct strbuf {
	char *at;
	size_t size, cap;
};

void strbuf_release(struct strbuf *b);
void strbuf_grow(struct strbuf *b, size_t extra);
/* Frees unused capacity, for strings that are kept for long. */
void strbuf_trim(struct strbuf *b);
void strbuf_addf(struct strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes room for that many more bytes and a NUL. */
static inline void strbuf_reserve(struct strbuf *b, size_t extra)
{
	if (__builtin_expect(b->cap - b->size <= extra, 0))
		strbuf_grow(b, extra);
	assert(b->at);
}

static inline void strbuf_add(struct strbuf *b, struct span s)
{
	strbuf_reserve(b, s.size);
	if (s.size)
		memcpy(b->at + b->size, s.at, s.size);
	b->size += s.size;
	b->at[b->size] = '\0';
}

static inline void strbuf_addch(struct strbuf *b, char c)
{
	strbuf_add(b, (struct span){ .at = &c, .size = 1 });
}

static inline void strbuf_reset(struct strbuf *b)
{
	b->size = 0;
}

/* Valid until b is next changed. */
static inline struct span strbuf_peek(const struct strbuf *b)
{
	return (struct span){ .at = b->at ? b->at : "", .size = b->size };
}

#endif
