/*
 * A stream cut into chunks that can be read apart from each other: every
 * chunk ends where a line (or a block of lines) ends.  Several threads may
 * take chunks from one source; each chunk goes to exactly one of them, in
 * order.
 */
#ifndef WICK_BASE_SOURCE_H
#define WICK_BASE_SOURCE_H

#include "base/error.h"
#include "base/span.h"
#include "base/stream.h"

#include <stdint.h>

enum split {
	SPLIT_LINE,	   /* every line stands alone */
	SPLIT_BLANK_LINE,  /* blocks are ended by an empty line */
	SPLIT_NUMBER_LINE, /* blocks are ended by a line that is nothing but a number */
	SPLIT_ANYWHERE,	   /* lines mean nothing: the reader puts the chunks together itself */
};

enum {
	/* A longer line is passed over and counted: no profiler writes one. */
	SOURCE_LINE_MAX = 16 * 1024 * 1024,
	/* How much of the beginning source_head() shows. */
	SOURCE_HEAD_SIZE = 128 * 1024,
};

struct chunk {
	char *buf;
	size_t size, cap;
	uint64_t number; /* 0, 1, … in the order of the input */
	uint64_t
		skipped; /* lines that were too long and stood at skip_at: at most one place a chunk */
	size_t skip_at;
};

struct source;

/* Reads the head at once.  The stream is the source's from here on. */
struct source *source_new(struct stream *stream, struct error *e);
void source_free(struct source *s);

/* The first bytes of the input, whole unless they are SOURCE_HEAD_SIZE. */
struct span source_head(const struct source *s);

/*
 * How to cut; before the first chunk is taken.  Where no empty line comes for
 * long, a block may begin with a line that begins() likes; NULL: with any.
 */
typedef bool source_begins(struct span line);
void source_split(struct source *s, enum split split, source_begins *begins);

/* Is called with the lock held after every chunk, for a progress line. */
typedef void source_watcher(void *arg, uint64_t position, uint64_t size);
void source_watch(struct source *s, source_watcher *watcher, void *arg);

/*
 * Reads the next chunk while this one is worked on, in a thread of its own: for one reader on a
 * machine that has a second processor.
 */
void source_read_ahead(struct source *s);

/* 1: c is the next chunk; 0: there is no more; -1: the input broke off. */
int source_next(struct source *s, struct chunk *c, struct error *e);

/*
 * Bytes from anywhere in the input, fewer only at its end, for formats with tables
 * of contents.  What cannot be sought in is copied to a temporary file at the first
 * call, which comes before the first chunk.
 */
ssize_t source_read_at(struct source *s, uint64_t offset, void *buf, size_t size, struct error *e);

/*
 * The same bytes as memory that stays until the source is freed, where that can be had: chunks are
 * not taken then, and the reader says from time to time how far it is.
 */
bool source_map(struct source *s, struct span *bytes, struct error *e);
void source_passed(struct source *s, uint64_t offset);

/* See stream_changed(). */
uint64_t source_changed(const struct source *s);

/* See stream_beside(). */
bool source_beside(struct source *s, const char *name, struct span *bytes);

/* How many lines were longer than SOURCE_LINE_MAX and are in no chunk. */
uint64_t source_overlong(const struct source *s);

#endif
