#include "base/stream.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PACKED_SIZE = 256 * 1024 };

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct stream {
	int fd; /* -1: memory */
	char *name;
	uint64_t position, size;
	uint64_t changed;
	enum packing packing;
	z_stream gzip;
	ZSTD_DStream *zstd;
	bool in_member; /* unpacking has begun a member (frame) and not seen its end */
	bool at_end;
	/* Bytes as they are on disk: the packed ones, and what the look at the first bytes took. */
	unsigned char *raw;
	size_t raw_at, raw_size;
	char *map; /* of the whole file, or NULL */
	size_t map_size, unmapped;
	struct stream *next;	/* whose bytes follow */
	struct stream *current; /* of the chain that begins here: who is being read */
	char *folder;		/* that was opened, or NULL */
	struct stream *beside;	/* others of it */
};

/* Reads from the file as it is on disk: short only at its end. */
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

static int refill(struct stream *s, struct error *e)
{
	ssize_t n;

	if (s->raw_at < s->raw_size)
		return 0;
	if (s->fd < 0) {
		s->raw_at = s->raw_size;
		return 0;
	}
	n = raw_read(s, s->raw, PACKED_SIZE, e);
	if (n < 0)
		return -1;
	s->raw_at = 0;
	s->raw_size = (size_t)n;
	return 0;
}

static int detect(struct stream *s, struct error *e)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b };
	static const unsigned char zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (refill(s, e))
		return -1;
	if (s->raw_size >= sizeof(gzip) && !memcmp(s->raw, gzip, sizeof(gzip))) {
		s->packing = PACKING_GZIP;
		if (inflateInit2(&s->gzip, 15 + 16) != Z_OK)
			return error_set(e, ERROR_SYSTEM, "zlib does not start");
	} else if (s->raw_size >= sizeof(zstd) && !memcmp(s->raw, zstd, sizeof(zstd))) {
		s->packing = PACKING_ZSTD;
		s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			return error_set(e, ERROR_SYSTEM, "zstd does not start");
	}
	return 0;
}

/* The file that a folder stands for, instead of it; false when it has none. */
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
	s->raw = xmalloc(PACKED_SIZE);
	if (detect(s, e))
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
	(void)detect(s, &ignored);
	return s;
}

static int damaged(const struct stream *s, const char *what, const char *why, struct error *e)
{
	return error_set(e, ERROR_INPUT, "%s: damaged %s data: %s", s->name, what, why);
}

static ssize_t gzip_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	s->gzip.next_out = buf;
	s->gzip.avail_out = (uInt)size;
	while (s->gzip.avail_out && !s->at_end) {
		int ret;

		if (refill(s, e))
			return -1;
		if (s->raw_at == s->raw_size) {
			if (s->in_member)
				return damaged(s, "gzip", "it ends in the middle", e);
			s->at_end = true;
			break;
		}
		s->gzip.next_in = s->raw + s->raw_at;
		s->gzip.avail_in = (uInt)(s->raw_size - s->raw_at);
		s->in_member = true;
		ret = inflate(&s->gzip, Z_NO_FLUSH);
		s->raw_at = s->raw_size - s->gzip.avail_in;
		if (ret == Z_STREAM_END) {
			/* Another member may follow, as from `cat a.gz b.gz`. */
			s->in_member = false;
			inflateReset(&s->gzip);
		} else if (ret != Z_OK && ret != Z_BUF_ERROR) {
			return damaged(s, "gzip", s->gzip.msg ? s->gzip.msg : "it makes no sense",
				       e);
		}
	}
	return (ssize_t)(size - s->gzip.avail_out);
}

static ssize_t zstd_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	ZSTD_outBuffer out = { .dst = buf, .size = size };

	while (out.pos < out.size && !s->at_end) {
		ZSTD_inBuffer in;
		size_t ret, before = out.pos;

		if (refill(s, e))
			return -1;
		in = (ZSTD_inBuffer){ .src = s->raw, .size = s->raw_size, .pos = s->raw_at };
		ret = ZSTD_decompressStream(s->zstd, &out, &in);
		if (ZSTD_isError(ret))
			return damaged(s, "zstd", ZSTD_getErrorName(ret), e);
		if (in.pos == s->raw_at && out.pos == before) {
			if (s->in_member)
				return damaged(s, "zstd", "it ends in the middle", e);
			s->at_end = true;
		}
		if (in.pos != s->raw_at || out.pos != before)
			s->in_member = ret != 0;
		s->raw_at = in.pos;
	}
	return (ssize_t)out.pos;
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

static ssize_t unpacked_read(struct stream *s, void *buf, size_t size, struct error *e)
{
	switch (s->packing) {
	case PACKING_NONE:
		return plain_read(s, buf, size, e);
	case PACKING_GZIP:
		return gzip_read(s, buf, size, e);
	case PACKING_ZSTD:
		return zstd_read(s, buf, size, e);
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

bool stream_can_seek(const struct stream *s)
{
	struct stat st;

	if (s->next || s->packing != PACKING_NONE)
		return false;
	return s->fd < 0 || (!fstat(s->fd, &st) && S_ISREG(st.st_mode) &&
			     lseek(s->fd, 0, SEEK_CUR) == (off_t)s->position);
}

static int write_all(int fd, struct span bytes, struct error *e)
{
	while (bytes.size) {
		ssize_t n = write(fd, bytes.at, bytes.size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_sys(e, "temporary file");
		bytes = span_from(bytes, (size_t)n);
	}
	return 0;
}

static int copy_rest(struct stream *s, int fd, struct error *e)
{
	char *buf = xmalloc(PACKED_SIZE);
	ssize_t n;

	do {
		n = stream_read(s, buf, PACKED_SIZE, e);
		if (n > 0 && write_all(fd, (struct span){ .at = buf, .size = (size_t)n }, e))
			n = -1;
	} while (n > 0);
	free(buf);
	return n < 0 ? -1 : 0;
}

/* A file that is gone as soon as it is closed. */
static int temporary_file(struct error *e)
{
	char path[] = "/tmp/wick-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd < 0)
		return error_sys(e, "%s", path);
	unlink(path);
	return fd;
}

int stream_spool(struct stream *s, struct span already_read, struct error *e)
{
	int fd = temporary_file(e);
	struct stat st;

	if (fd < 0)
		return -1;
	if (write_all(fd, already_read, e) || copy_rest(s, fd, e)) {
		close(fd);
		return -1;
	}
	stream_close(s->next);
	s->next = NULL;
	s->current = s;
	if (s->packing == PACKING_GZIP)
		inflateEnd(&s->gzip);
	s->packing = PACKING_NONE;
	if (s->fd >= 0)
		close(s->fd);
	s->fd = fd;
	s->raw_at = s->raw_size = 0;
	s->at_end = false;
	s->position = already_read.size;
	if (lseek(fd, (off_t)s->position, SEEK_SET) < 0 || fstat(fd, &st))
		return error_sys(e, "temporary file");
	s->size = (uint64_t)st.st_size;
	return 0;
}

ssize_t stream_read_at(const struct stream *s, uint64_t offset, void *buf, size_t size,
		       struct error *e)
{
	size_t done = 0;

	if (offset > INT64_MAX - size)
		return 0;
	if (s->fd < 0) {
		struct span all = { .at = (const char *)s->raw, .size = s->raw_size };
		struct span part = span_upto(span_from(all, (size_t)offset), size);

		if (part.size)
			memcpy(buf, part.at, part.size);
		return (ssize_t)part.size;
	}
	while (done < size) {
		ssize_t n = pread(s->fd, (char *)buf + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_sys(e, "%s", s->name);
		if (!n)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

bool stream_map(struct stream *s, struct span *bytes)
{
	struct stat st;

	if (s->fd < 0) {
		*bytes = (struct span){ .at = (const char *)s->raw, .size = s->raw_size };
		return true;
	}
	if (!s->map && !fstat(s->fd, &st) && st.st_size > 0) {
		void *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, s->fd, 0);

		s->map = at == MAP_FAILED ? NULL : at;
		s->map_size = (size_t)st.st_size;
	}
	*bytes = (struct span){ .at = s->map, .size = s->map_size };
	return s->map;
}

void stream_unmap_before(struct stream *s, uint64_t offset)
{
	enum { WHOLE_PAGES = 64 * 1024 };

	offset -= offset % WHOLE_PAGES;
	if (!s->map || offset <= s->unmapped || offset > s->map_size)
		return;
	madvise(s->map + s->unmapped, (size_t)offset - s->unmapped, MADV_DONTNEED);
	s->unmapped = (size_t)offset;
}

bool stream_beside(struct stream *s, const char *name, struct span *bytes)
{
	struct error ignored = ERROR_INIT;
	struct strbuf path = { 0 };
	struct stream *one;

	if (!s->folder)
		return false;
	strbuf_addf(&path, "%s/%s", s->folder, name);
	one = stream_open(path.at, &ignored);
	strbuf_release(&path);
	if (!one)
		return false;
	one->next = s->beside;
	s->beside = one;
	if (stream_map(one, bytes))
		return true;
	/* What has no bytes cannot be mapped, and is there all the same. */
	*bytes = SPAN("");
	return !one->size;
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

uint64_t stream_changed(const struct stream *s)
{
	return s->changed;
}

void stream_close(struct stream *s)
{
	while (s) {
		struct stream *next = s->next;

		stream_close(s->beside);
		if (s->map)
			munmap(s->map, s->map_size);
		if (s->fd >= 0)
			close(s->fd);
		if (s->packing == PACKING_GZIP)
			inflateEnd(&s->gzip);
		ZSTD_freeDStream(s->zstd);
		free(s->raw);
		free(s->name);
		free(s->folder);
		free(s);
		s = next;
	}
}
