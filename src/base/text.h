/*
 * A cursor over untrusted lines.  It hides where chunks of a source end: readers only see lines.
 */
#ifndef WICK_BASE_TEXT_H
#define WICK_BASE_TEXT_H

#include "base/source.h"
#include "base/span.h"

#include <stdint.h>

struct text {
	struct source *source;
	const char *at, *end; /* the unread part of the chunk */
	const char *last;     /* text_over_source(): the end of the text; NULL: there are chunks */
	const char *piece;    /* … and the begin of the part that ends at `end` */
	struct chunk chunk;
	uint64_t line; /* number of the line that text_line() gave last, from 1 */
	bool failed;   /* reading failed; error says why */
	struct error error;
	/*
	 * If threads share a source, the number of lines in other threads' chunks is not known
	 * yet.  `line` is then (number of the chunk) << 32 | (line in the chunk), and `seen` has
	 * the number of lines of each chunk, to convert it to line numbers at the end.
	 */
	bool shared;
	struct chunk_lines *seen;
	size_t nr_seen, cap_seen;
};

struct chunk_lines {
	uint64_t number, lines;
};

void text_init(struct text *t, struct source *source);

/* Over bytes that the caller owns. */
void text_over(struct text *t, struct span bytes);

/*
 * Over a part of what source_whole() returned: pages are freed once they were read.  Several texts may
 * be over one source.
 */
void text_over_source(struct text *t, struct source *source, struct span bytes);
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

/* Skips the next line if it is equal to `line`, which includes the \n. */
static inline bool text_take(struct text *t, struct span line)
{
	if ((size_t)(t->end - t->at) < line.size || memcmp(t->at, line.at, line.size) != 0)
		return false;
	t->at += line.size;
	t->line++;
	return true;
}

/* Makes the next text_line() return the line of the last one again. */
void text_unread(struct text *t, struct span line);

/* Is this the very first line of the input? */
static inline bool text_at_start(const struct text *t)
{
	return t->chunk.number == 0 && t->line <= 1;
}

#endif
