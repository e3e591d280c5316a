/*
 * Cuts a stream into chunks that can be parsed independently: each ends where a line, or a block of
 * lines, ends.  Several threads may take chunks from one source; each chunk goes to one of them, in
 * order.
 */
#ifndef WICK_BASE_SOURCE_H
#define WICK_BASE_SOURCE_H

#include "base/error.h"
#include "base/span.h"
#include "base/stream.h"

#include <stdint.h>

enum split {
	SPLIT_LINE,	   /* every line is independent */
	SPLIT_BLANK_LINE,  /* blocks are ended by an empty line */
	SPLIT_NUMBER_LINE, /* blocks are ended by a line that consists of a number */
	SPLIT_ANYWHERE,	   /* not at lines: the reader joins the chunks itself */
};

enum {
	/* Longer lines are skipped and counted: no profiler writes any. */
	SOURCE_LINE_MAX = 16 * 1024 * 1024,
	SOURCE_HEAD_SIZE = 128 * 1024, /* see source_head() */
};

/* The limit of source_whole(): the programs that write such files cannot read larger ones, either. */
#define SOURCE_WHOLE_MAX ((uint64_t)2 << 30)

struct chunk {
	char *buf;
	size_t size, cap;
	uint64_t number;  /* 0, 1, … in the order of the input */
	uint64_t skipped; /* number of lines that were too long, all at offset skip_at */
	size_t skip_at;
};

struct source;

/* Takes over the stream, and reads the head. */
struct source *source_new(struct stream *stream, struct error *e);
void source_free(struct source *s);

/* The first SOURCE_HEAD_SIZE bytes of the input, or all of a smaller one. */
struct span source_head(const struct source *s);

/*
 * Where to split; to be called before the first chunk is taken.  If blocks are so long that none ends
 * in a chunk, a chunk may also end before a line for which begins() is true; NULL: any line.
 */
typedef bool source_begins(struct span line);
void source_split(struct source *s, enum split split, source_begins *begins);

/* Called after each chunk, with the source's lock held: for progress. */
typedef void source_watcher(void *arg, uint64_t position, uint64_t size);
void source_watch(struct source *s, source_watcher *watcher, void *arg);

/*
 * Reads the next chunk in another thread while the current one is parsed: for a single reader on a
 * machine with more than one CPU.
 */
void source_read_ahead(struct source *s);

/* Fills *c, whose buffer is reused: 1; at the end of the input: 0; on errors: -1. */
int source_next(struct source *s, struct chunk *c, struct error *e);

/*
 * Random access, for formats with tables of contents; fewer bytes only at the end.  A pipe or a
 * compressed file is copied to a temporary file at the first call, which must come before the first
 * chunk is taken.
 */
ssize_t source_read_at(struct source *s, uint64_t offset, void *buf, size_t size, struct error *e);

/*
 * The whole input in memory, valid until the source is freed; false if it cannot be mapped.  No
 * chunks are taken then; with source_passed(), the reader reports its position, for progress and to
 * free pages.
 */
bool source_map(struct source *s, struct span *bytes, struct error *e);
void source_passed(struct source *s, uint64_t offset);

/*
 * The same for formats whose parts refer to later ones.  An input that cannot be mapped is read into
 * memory, if it is small; a larger one is copied to a temporary file, and one of more than
 * SOURCE_WHOLE_MAX bytes is an error.  source_forget() frees the pages of a part that was read; if
 * they are needed again, they are read from the file.
 */
int source_whole(struct source *s, struct span *bytes, struct error *e);
void source_forget(struct source *s, struct span part);

/* See stream_name(), stream_changed(). */
const char *source_name(const struct source *s);
uint64_t source_changed(const struct source *s);

/* See stream_beside(). */
bool source_beside(struct source *s, const char *name, struct span *bytes);

/* How many lines were longer than SOURCE_LINE_MAX, and skipped. */
uint64_t source_overlong(const struct source *s);

#endif
