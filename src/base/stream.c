#include "base/stream.h"

#include "base/alloc.h"
#include "base/stream_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads the bytes of the file as on disk: fewer only at its end. */
static ssize_t raw_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	size_t done = 0;

	while (done < size && s->fd >= 0) {
		ssize_t n = read(s->fd, (char *)buf + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_sys(e, "%s", s->name);
		if (!n)
			break;
		done += (size_t)n;
	}
	s->position += done;
	return (ssize_t)done;
}

int stream_refill(struct stream *s, struct error *e)
{
	ssize_t n;

	if (s->raw_at < s->raw_size)
		return 0;
	if (s->outer) {
		n = stream_decompress(s->outer, s->raw, STREAM_RAW_SIZE, e);
		s->raw_at = 0;
		s->raw_size = n < 0 ? 0 : (size_t)n;
		return n < 0 ? -1 : 0;
	}
	if (s->fd < 0) {
		s->raw_at = s->raw_size;
		return 0;
	}
	n = raw_read(s, s->raw, STREAM_RAW_SIZE, e);
	if (n < 0)
		return -1;
	s->raw_at = 0;
	s->raw_size = (size_t)n;
	return 0;
}

/* Opens the file `data` in place of its directory; false if there is none. */
static bool enter_folder(struct stream *s, const char *path, struct stat *st)
{
	int fd = openat(s->fd, "data", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (fstat(fd, st) || !S_ISREG(st->st_mode)) {
		close(fd);
		return false;
	}
	close(s->fd);
	s->fd = fd;
	s->folder = xstrdup(path);
	return true;
}

struct stream *stream_open(const char *path, struct error *e)
{
	bool is_stdin = !strcmp(path, "-");
	struct stream *s = xcalloc(1, sizeof(*s));
	struct stat st;

	s->name = xstrdup(is_stdin ? "standard input" : path);
	s->fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0) {
		error_sys(e, "%s", s->name);
		goto fail;
	}
	if (fstat(s->fd, &st)) {
		error_sys(e, "%s", s->name);
		goto fail;
	}
	if (S_ISDIR(st.st_mode) && (is_stdin || !enter_folder(s, path, &st))) {
		error_set(e, ERROR_SYSTEM, "%s: is a directory", s->name);
		goto fail;
	}
	if (S_ISREG(st.st_mode)) {
		s->size = (uint64_t)st.st_size;
		s->changed =
			(uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	}
	s->raw = xmalloc(STREAM_RAW_SIZE);
	if (stream_detect(s, e))
		goto fail;
	return s;
fail:
	stream_close(s);
	return NULL;
}

struct stream *stream_over(struct span bytes)
{
	struct stream *s = xcalloc(1, sizeof(*s));
	struct error ignored = ERROR_INIT;

	s->fd = -1;
	s->name = xstrdup("memory");
	s->raw = xmemdup(bytes.at, bytes.size);
	s->raw_size = bytes.size;
	s->size = bytes.size;
	(void)stream_detect(s, &ignored);
	return s;
}

static ssize_t plain_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	size_t have = s->raw_size - s->raw_at;
	ssize_t n = 0;

	if (have > size)
		have = size;
	memcpy(buf, s->raw + s->raw_at, have);
	s->raw_at += have;
	if (have < size)
		n = raw_read(s, (char *)buf + have, size - have, e);
	return n < 0 ? -1 : n + (ssize_t)have;
}

void stream_chain(struct stream *s, struct stream *next)
{
	while (s->next)
		s = s->next;
	s->next = next;
}

/* Decompresses the first bytes, to detect UTF-16. */
static int look_inside(struct stream *s, struct error *e)
{
	s->inside = xcalloc(1, sizeof(*s->inside));
	s->inside->fd = -1;
	s->inside->outer = s;
	s->inside->raw = xmalloc(STREAM_RAW_SIZE);
	return stream_refill(s->inside, e) || stream_detect_text(s->inside, e) ? -1 : 0;
}

static ssize_t packed_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	struct stream *in;
	size_t have;
	ssize_t n = 0;

	if (!s->inside && look_inside(s, e))
		return -1;
	in = s->inside;
	if (in->packing != PACKING_NONE)
		return stream_read_utf16(in, buf, size, e);
	have = in->raw_size - in->raw_at < size ? in->raw_size - in->raw_at : size;
	memcpy(buf, in->raw + in->raw_at, have);
	in->raw_at += have;
	if (have < size)
		n = stream_decompress(s, (char *)buf + have, size - have, e);
	return n < 0 ? -1 : n + (ssize_t)have;
}

static ssize_t unpacked_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	switch (s->packing) {
	case PACKING_NONE:
		return plain_read(s, buf, size, e);
	case PACKING_GZIP:
	case PACKING_ZSTD:
	case PACKING_XZ:
		return packed_read(s, buf, size, e);
	case PACKING_UTF16_LE:
	case PACKING_UTF16_BE:
		return stream_read_utf16(s, buf, size, e);
	}
	return 0;
}

ssize_t stream_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	size_t done = 0;

	if (!s->current)
		s->current = s;
	for (;;) {
		struct stream *c = s->current;
		ssize_t n = unpacked_read(c, (char *)buf + done, size - done, e);

		if (n < 0)
			return -1;
		done += (size_t)n;
		if (done == size || !c->next)
			return (ssize_t)done;
		s->current = c->next;
	}
}

uint64_t stream_position(const struct stream *s)
{
	uint64_t position = 0;

	for (; s; s = s->next)
		position += s->position;
	return position;
}

uint64_t stream_size(const struct stream *s)
{
	uint64_t size = 0;

	for (; s; s = s->next)
		size += s->size;
	return size;
}

const char *stream_name(const struct stream *s)
{
	return s->name;
}

uint64_t stream_changed(const struct stream *s)
{
	return s->changed;
}

void stream_close(struct stream *s)
{
	while (s) {
		struct stream *next = s->next;

		stream_close(s->beside);
		stream_close(s->inside);
		if (s->map)
			munmap(s->map, s->map_size);
		if (s->fd >= 0)
			close(s->fd);
		stream_end_unpacking(s);
		free(s->raw);
		free(s->name);
		free(s->folder);
		free(s);
		s = next;
	}
}
