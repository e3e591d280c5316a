#include "base/source.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	/* Small enough to stay in the second-level cache between read() and parser. */
	CHUNK_SIZE = 256 * 1024,
	/*
	 * No block is this long: if none ends by then, the text has no blocks.  perf script prints
	 * events without stacks on one line each, without empty lines between them.
	 */
	BLOCK_MAX = 2 * 1024 * 1024,
	/* What source_whole() reads into memory: SOURCE_HEAD_SIZE × a power of two. */
	IN_MEMORY_MAX = 64 * 1024 * 1024,
};

/* Reads the next chunk while one is parsed: see source_read_ahead(). */
struct ahead {
	bool wanted, running;
	pthread_t thread;
	pthread_cond_t changed;
	bool full, stop;
	struct chunk chunk;
	int ret; /* of next_chunk() */
	struct error error;
};

struct source {
	struct stream *stream;
	pthread_mutex_t lock;
	enum split split;
	source_begins *begins;
	/* Bytes read from the stream that are not in a chunk yet. */
	char *rest;
	size_t rest_size, rest_cap;
	struct span head;
	char *head_bytes;
	bool at_end, broken;
	uint64_t number, overlong;
	struct ahead ahead;
	source_watcher *watcher;
	void *watcher_arg;
};

static void put_back(struct source *s, const char *bytes, size_t size)
{
	if (size > s->rest_cap) {
		s->rest = xreallocarray(s->rest, size, 1);
		s->rest_cap = size;
	}
	if (size)
		memmove(s->rest, bytes, size);
	s->rest_size = size;
}

struct source *source_new(struct stream *stream, struct error *e)
{
	struct source *s = xcalloc(1, sizeof(*s));
	ssize_t n;

	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->ahead.changed, NULL);
	s->stream = stream;
	s->head_bytes = xmalloc(SOURCE_HEAD_SIZE);
	n = stream_read(stream, s->head_bytes, SOURCE_HEAD_SIZE, e);
	if (n < 0) {
		source_free(s);
		return NULL;
	}
	s->head = (struct span){ .at = s->head_bytes, .size = (size_t)n };
	s->at_end = n < SOURCE_HEAD_SIZE;
	put_back(s, s->head_bytes, (size_t)n);
	return s;
}

void source_read_ahead(struct source *s)
{
	s->ahead.wanted = true;
}

static void stop_reading_ahead(struct source *s)
{
	struct ahead *a = &s->ahead;

	if (a->running) {
		pthread_mutex_lock(&s->lock);
		a->stop = true;
		pthread_cond_signal(&a->changed);
		pthread_mutex_unlock(&s->lock);
		pthread_join(a->thread, NULL);
	}
	free(a->chunk.buf);
}

void source_free(struct source *s)
{
	if (!s)
		return;
	stop_reading_ahead(s);
	stream_close(s->stream);
	pthread_cond_destroy(&s->ahead.changed);
	pthread_mutex_destroy(&s->lock);
	free(s->rest);
	free(s->head_bytes);
	free(s);
}

struct span source_head(const struct source *s)
{
	return s->head;
}

void source_split(struct source *s, enum split split, source_begins *begins)
{
	s->split = split;
	s->begins = begins;
}

void source_watch(struct source *s, source_watcher *watcher, void *arg)
{
	s->watcher = watcher;
	s->watcher_arg = arg;
}

uint64_t source_overlong(const struct source *s)
{
	return s->overlong;
}

static size_t after_last_newline(struct span s)
{
	const char *p = s.size ? memrchr(s.at, '\n', s.size) : NULL;

	return p ? (size_t)(p - s.at) + 1 : 0;
}

/* Lines of blanks, or with only \r, count as empty. */
static bool is_empty(struct span line)
{
	return !span_trim(line).size;
}

static bool is_number(struct span line)
{
	uint64_t number;

	return span_u64(span_trim(line), &number);
}

/* The end of the last line for which is_end() is true; 0: there is none. */
static size_t after_last_line(struct span s, bool (*is_end)(struct span line))
{
	size_t end = after_last_newline(s);

	while (end > 0) {
		size_t begin = after_last_newline(span_upto(s, end - 1));

		if (is_end(span_from(span_upto(s, end), begin)))
			return end;
		end = begin;
	}
	return 0;
}

/* The beginning of the last line for which begins() is true; 0: there is none, or it is the first line. */
static size_t before_last_block(struct span s, source_begins *begins)
{
	size_t end = after_last_newline(s);

	while (end > 0) {
		size_t begin = after_last_newline(span_upto(s, end - 1));

		if (begins(span_trim_end(span_from(span_upto(s, end), begin))))
			return begin;
		end = begin;
	}
	return 0;
}

/* Where to end the chunk; 0: more bytes are needed. */
static size_t cut_at(const struct source *s, struct span have)
{
	size_t at = 0, newline;

	switch (s->split) {
	case SPLIT_LINE:
		return after_last_newline(have);
	case SPLIT_BLANK_LINE:
		at = after_last_line(have, is_empty);
		break;
	case SPLIT_NUMBER_LINE:
		at = after_last_line(have, is_number);
		break;
	case SPLIT_ANYWHERE:
		return have.size;
	}
	if (!at && have.size >= BLOCK_MAX && s->begins)
		at = before_last_block(have, s->begins);
	newline = after_last_newline(have);
	/* Splits inside a block only if that is long because of many lines, or is far too long. */
	if (!at && have.size >= BLOCK_MAX &&
	    (have.size - newline < BLOCK_MAX / 2 || have.size >= 2 * (size_t)SOURCE_LINE_MAX))
		at = newline;
	return at;
}

/* Discards the rest of a line that is longer than SOURCE_LINE_MAX. */
static int skip_line(struct source *s, struct chunk *c, struct error *e)
{
	char *buf = c->buf + c->size;

	s->overlong++;
	c->skipped++;
	for (;;) {
		ssize_t n = stream_read(s->stream, buf, CHUNK_SIZE, e);
		const char *newline;

		if (n < 0)
			return -1;
		newline = n ? memchr(buf, '\n', (size_t)n) : NULL;
		s->at_end = n < CHUNK_SIZE;
		if (newline) {
			put_back(s, newline + 1, (size_t)(buf + n - newline - 1));
			return 0;
		}
		if (s->at_end)
			return 0;
	}
}

static void reserve(struct chunk *c, size_t size)
{
	if (c->cap < size) {
		c->buf = xreallocarray(c->buf, size, 1);
		c->cap = size;
	}
}

/* Fills the chunk to `want` bytes, fewer at the end: from `rest` first, then from the stream. */
static int fill(struct source *s, struct chunk *c, size_t want, struct error *e)
{
	size_t have = c->size + s->rest_size, room;
	ssize_t n;

	reserve(c, want > have ? want : have);
	if (s->rest_size) {
		memcpy(c->buf + c->size, s->rest, s->rest_size);
		c->size = have;
		s->rest_size = 0;
	}
	room = c->cap - c->size;
	if (s->at_end || !room)
		return 0;
	n = stream_read(s->stream, c->buf + c->size, room, e);
	if (n < 0)
		return -1;
	s->at_end = (size_t)n < room;
	c->size += (size_t)n;
	return 0;
}

static int next_chunk(struct source *s, struct chunk *c, struct error *e)
{
	size_t want = CHUNK_SIZE;

	c->size = 0;
	c->skipped = 0;
	for (;;) {
		size_t cut, line;

		if (fill(s, c, want, e))
			return -1;
		if (s->at_end)
			return c->size > 0;
		cut = cut_at(s, (struct span){ .at = c->buf, .size = c->size });
		if (cut) {
			put_back(s, c->buf + cut, c->size - cut);
			c->size = cut;
			return 1;
		}
		line = after_last_newline((struct span){ .at = c->buf, .size = c->size });
		if (c->size - line > SOURCE_LINE_MAX) {
			/* A chunk has one skip_at: a second gap begins another chunk. */
			if (c->skipped && c->skip_at != line) {
				put_back(s, c->buf + line, c->size - line);
				c->size = line;
				return 1;
			}
			/* The chunk does not end here: the lines before and after it may be one block. */
			c->size = c->skip_at = line;
			if (skip_line(s, c, e))
				return -1;
			want = c->size + CHUNK_SIZE;
			continue;
		}
		/*
		 * In the end, room for the longest line and its newline, whatever is before it.
		 */
		want = c->size < SOURCE_LINE_MAX / 2 ? c->size * 2 : line + SOURCE_LINE_MAX + 1;
	}
}

/* Holds the lock while it reads: a caller of source_next() has to wait for the chunk anyway. */
static void *read_ahead(void *arg)
{
	struct source *s = arg;
	struct ahead *a = &s->ahead;

	pthread_mutex_lock(&s->lock);
	do {
		a->ret = next_chunk(s, &a->chunk, &a->error);
		a->full = true;
		pthread_cond_signal(&a->changed);
		while (a->full && !a->stop)
			pthread_cond_wait(&a->changed, &s->lock);
	} while (a->ret > 0 && !a->stop);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* Swaps the caller's used chunk with the full one.  At the end or on errors, nothing is swapped. */
static int take_ahead(struct source *s, struct chunk *c, struct error *e)
{
	struct ahead *a = &s->ahead;
	struct chunk old = *c;

	while (!a->full)
		pthread_cond_wait(&a->changed, &s->lock);
	if (a->ret <= 0) {
		if (a->ret < 0)
			*e = a->error;
		return a->ret;
	}
	*c = a->chunk;
	a->chunk = old;
	a->full = false;
	pthread_cond_signal(&a->changed);
	return 1;
}

int source_next(struct source *s, struct chunk *c, struct error *e)
{
	struct ahead *a = &s->ahead;
	int ret = 0;

	pthread_mutex_lock(&s->lock);
	/* Starts the thread with the first chunk: until then, source_read_at() may be called. */
	if (a->wanted && !a->running)
		a->wanted = a->running = !pthread_create(&a->thread, NULL, read_ahead, s);
	if (!s->broken)
		ret = a->running ? take_ahead(s, c, e) : next_chunk(s, c, e);
	if (ret < 0)
		s->broken = true;
	c->number = s->number++;
	if (s->watcher)
		s->watcher(s->watcher_arg, stream_position(s->stream), stream_size(s->stream));
	pthread_mutex_unlock(&s->lock);
	return ret;
}

ssize_t source_read_at(struct source *s, uint64_t offset, void *buf, size_t size, struct error *e)
{
	/* The head contains all of a small input. */
	if (s->head.size < SOURCE_HEAD_SIZE) {
		struct span part = span_upto(span_from(s->head, (size_t)offset), size);

		if (part.size)
			memcpy(buf, part.at, part.size);
		return (ssize_t)part.size;
	}
	if (!stream_can_seek(s->stream) && stream_spool(s->stream, s->head, UINT64_MAX, e))
		return -1;
	return stream_read_at(s->stream, offset, buf, size, e);
}

bool source_map(struct source *s, struct span *bytes, struct error *e)
{
	/* As in source_read_at(), whose first call may have spooled the stream already. */
	if (s->head.size < SOURCE_HEAD_SIZE) {
		*bytes = s->head;
		return true;
	}
	return (stream_can_seek(s->stream) || !stream_spool(s->stream, s->head, UINT64_MAX, e)) &&
	       stream_map(s->stream, bytes);
}

/* Reads all of a stream into `rest`, or its first IN_MEMORY_MAX bytes. */
static int read_rest(struct source *s, struct error *e)
{
	while (!s->at_end && s->rest_size < IN_MEMORY_MAX) {
		size_t room = s->rest_size;
		ssize_t n;

		s->rest_cap = s->rest_size + room;
		s->rest = xreallocarray(s->rest, s->rest_cap, 1);
		n = stream_read(s->stream, s->rest + s->rest_size, room, e);
		if (n < 0)
			return -1;
		s->at_end = (size_t)n < room;
		s->rest_size += (size_t)n;
	}
	return 0;
}

int source_whole(struct source *s, struct span *bytes, struct error *e)
{
	struct span rest;
	int ret;

	if (stream_can_seek(s->stream) && stream_map(s->stream, bytes))
		return 0;
	if (read_rest(s, e))
		return -1;
	rest = (struct span){ .at = s->rest, .size = s->rest_size };
	*bytes = rest;
	if (s->at_end)
		return 0;
	ret = stream_spool(s->stream, rest, SOURCE_WHOLE_MAX, e);
	free(s->rest);
	s->rest = NULL;
	s->rest_size = s->rest_cap = 0;
	if (!ret && !stream_map(s->stream, bytes))
		ret = error_sys(e, "cannot map a temporary file");
	return ret;
}

void source_forget(struct source *s, struct span part)
{
	stream_forget(s->stream, part);
	if (s->watcher)
		s->watcher(s->watcher_arg, stream_position(s->stream), stream_size(s->stream));
}

void source_passed(struct source *s, uint64_t offset)
{
	stream_unmap_before(s->stream, offset);
	if (s->watcher)
		s->watcher(s->watcher_arg, offset, stream_size(s->stream));
}

const char *source_name(const struct source *s)
{
	return stream_name(s->stream);
}

uint64_t source_changed(const struct source *s)
{
	return stream_changed(s->stream);
}

bool source_beside(struct source *s, const char *name, struct span *bytes)
{
	return stream_beside(s->stream, name, bytes);
}
