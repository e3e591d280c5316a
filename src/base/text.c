#include "base/text.h"

#include "base/alloc.h"

#include <stdlib.h>

/* How much of a mapping is read before its pages are freed: large enough for the kernel's readahead. */
enum { PIECE_SIZE = 1024 * 1024 };

void text_init(struct text *t, struct source *source)
{
	*t = (struct text){ .source = source };
	t->at = t->end = "";
}

void text_over(struct text *t, struct span bytes)
{
	*t = (struct text){ .at = bytes.at, .end = bytes.at + bytes.size };
}

void text_over_source(struct text *t, struct source *source, struct span bytes)
{
	*t = (struct text){ .source = source, .at = bytes.at, .end = bytes.at };
	t->last = bytes.at + bytes.size;
}

void text_release(struct text *t)
{
	free(t->chunk.buf);
	free(t->seen);
	*t = (struct text){ 0 };
}

/* Stores the number of lines of the chunk, which was read completely. */
static void remember_lines(struct text *t)
{
	if (!t->shared || !t->chunk.buf)
		return;
	GROW(t->seen, t->nr_seen, t->cap_seen);
	t->seen[t->nr_seen++] = (struct chunk_lines){
		.number = t->chunk.number,
		.lines = t->line & UINT32_MAX,
	};
}

/* Continues after the lines that were skipped, and counts them. */
static bool continue_after_skipped(struct text *t)
{
	t->end = t->chunk.buf + t->chunk.size;
	t->line += t->chunk.skipped;
	t->chunk.skipped = 0;
	return t->at < t->end || text_refill(t);
}

/* Continues with the next piece of a mapping, and frees the pages of the previous one. */
static bool take_piece(struct text *t)
{
	size_t left = (size_t)(t->last - t->end);

	if (t->piece)
		source_forget(t->source, span_between(t->piece, t->end));
	t->piece = t->end;
	t->end += left < PIECE_SIZE ? left : PIECE_SIZE;
	return left > 0;
}

bool text_refill(struct text *t)
{
	int ret;

	if (t->failed || !t->source)
		return false;
	if (t->last)
		return take_piece(t);
	if (t->chunk.skipped)
		return continue_after_skipped(t);
	remember_lines(t);
	ret = source_next(t->source, &t->chunk, &t->error);
	t->failed = ret < 0;
	if (ret <= 0)
		return false;
	t->at = t->chunk.buf;
	t->end = t->chunk.buf + (t->chunk.skipped ? t->chunk.skip_at : t->chunk.size);
	if (t->shared)
		t->line = t->chunk.number << 32;
	return t->at < t->end || text_refill(t);
}

void text_unread(struct text *t, struct span line)
{
	t->at = line.at;
	t->line--;
}
