/*
 * A cursor over untrusted lines.  It hides where the chunks of a source end:
 * a reader sees nothing but lines.
 */
#ifndef WICK_BASE_TEXT_H
#define WICK_BASE_TEXT_H

#include "base/source.h"
#include "base/span.h"

#include <stdint.h>

struct text {
	struct source *source;
	const char *at, *end; /* what is left of the chunk */
	struct chunk chunk;
	uint64_t line; /* number of the line that text_line() gave last, from 1 */
	bool failed;   /* the input broke off; error says why */
	struct error error;
	/*
	 * Where threads share a source, nobody knows yet how many lines the
	 * others' chunks have: `line` is then (number of the chunk) << 32 | (line
	 * in the chunk), and this table makes line numbers of it at the end.
	 */
	bool shared;
	struct chunk_lines *seen;
	size_t nr_seen, cap_seen;
};

struct chunk_lines {
	uint64_t number, lines;
};

void text_init(struct text *t, struct source *source);

/* Over bytes that stay the caller's. */
void text_over(struct text *t, struct span bytes);
void text_release(struct text *t);

/* Takes the next chunk; false at the end. */
bool text_refill(struct text *t);

/*
 * The next line without its end (\n or \r\n), valid until the next call;
 * false at the end of the input.
 */
static inline bool text_line(struct text *t, struct span *line)
{
	const char *begin = t->at, *newline;

	if (__builtin_expect(begin == t->end, 0)) {
		if (!text_refill(t))
			return false;
		begin = t->at;
	}
	newline = memchr(begin, '\n', (size_t)(t->end - begin));
	if (__builtin_expect(!newline, 0)) {
		newline = t->end;
		t->at = newline;
	} else {
		t->at = newline + 1;
	}
	t->line++;
	line->at = begin;
	line->size = (size_t)(newline - begin);
	if (line->size && newline[-1] == '\r')
		line->size--;
	return true;
}

/* Takes the next line if it is this one, whose \n is part of it. */
static inline bool text_take(struct text *t, struct span line)
{
	if ((size_t)(t->end - t->at) < line.size || memcmp(t->at, line.at, line.size) != 0)
		return false;
	t->at += line.size;
	t->line++;
	return true;
}

/* The same line once more at the next text_line(): only the line it gave last. */
void text_unread(struct text *t, struct span line);

/* Is this the very first line of the input? */
static inline bool text_at_start(const struct text *t)
{
	return t->chunk.number == 0 && t->line <= 1;
}

#endif
