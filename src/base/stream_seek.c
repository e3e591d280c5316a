/* Random access to a stream; pipes and compressed files are copied to a temporary file. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/stream_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
			return error_sys(e, "cannot write a temporary file");
		bytes = span_from(bytes, (size_t)n);
	}
	return 0;
}

static int copy_rest(struct stream *s, int fd, uint64_t max, struct error *e)
{
	uint64_t left = max;
	char *buf = xmalloc(STREAM_RAW_SIZE);
	ssize_t n;

	do {
		n = stream_read(s, buf, STREAM_RAW_SIZE, e);
		if (n > 0 && (uint64_t)n > left)
			n = error_set(
				e, ERROR_INPUT,
				"larger than %llu MiB after decompression or from a pipe: write it to a file first",
				(unsigned long long)(max >> 20));
		else if (n > 0 && write_all(fd, (struct span){ .at = buf, .size = (size_t)n }, e))
			n = -1;
		left -= n > 0 ? (uint64_t)n : 0;
	} while (n > 0);
	free(buf);
	return n < 0 ? -1 : 0;
}

/* An unnamed file, which is deleted when it is closed. */
static int temporary_file(struct error *e)
{
	char path[] = "/tmp/wick-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd < 0)
		return error_sys(e, "%s", path);
	unlink(path);
	return fd;
}

int stream_spool(struct stream *s, struct span already_read, uint64_t max, struct error *e)
{
	int fd = temporary_file(e);
	struct stat st;

	if (fd < 0)
		return -1;
	if (write_all(fd, already_read, e) || copy_rest(s, fd, max, e)) {
		close(fd);
		return -1;
	}
	stream_close(s->next);
	s->next = NULL;
	s->current = s;
	stream_end_unpacking(s);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = fd;
	s->raw_at = s->raw_size = 0;
	s->at_end = false;
	s->position = already_read.size;
	if (lseek(fd, (off_t)s->position, SEEK_SET) < 0 || fstat(fd, &st))
		return error_sys(e, "cannot write a temporary file");
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

void stream_forget(struct stream *s, struct span part)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin, end;

	if (!s->map || part.at < s->map || part.at + part.size > s->map + s->map_size)
		return;
	begin = ((uintptr_t)part.at + page - 1) / page * page;
	end = (uintptr_t)(part.at + part.size) / page * page;
	if (begin < end)
		madvise(s->map + (begin - (uintptr_t)s->map), end - begin, MADV_DONTNEED);
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
	/* mmap() of 0 bytes fails, but an empty file is not an error. */
	*bytes = SPAN("");
	return !one->size;
}
