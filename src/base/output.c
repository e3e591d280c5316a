#include "base/output.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

int output_open(struct output *o, const char *path, struct error *e)
{
	bool is_stdout = !strcmp(path, "-");

	*o = (struct output){ .fd = STDOUT_FILENO, .name = is_stdout ? "standard output" : path };
	if (!is_stdout) {
		o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (o->fd < 0)
			return error_sys(e, "%s", path);
	}
	o->buf = xmalloc(OUTPUT_BUFFER);
	return 0;
}

int output_open_whole(struct output *o, const char *path, struct error *e)
{
	struct atomic_file place;
	int fd;

	/* If the folder is not writable, the file itself may be: write it in place. */
	if (atomic_file_open(&place, path, e) || !place.path)
		return output_open(o, path, e);
	/* A duplicate to close before the file gets its name: close() may report failed writes (NFS). */
	fd = fcntl(place.fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0) {
		atomic_file_close(&place);
		return error_sys(e, "%s", path);
	}
	*o = (struct output){
		.fd = fd, .name = path, .buf = xmalloc(OUTPUT_BUFFER), .place = place
	};
	return 0;
}

void output_fail(struct output *o, int sys)
{
	if (!o->failed)
		o->sys = sys;
	o->failed = true;
}

static void write_all(struct output *o, struct span s)
{
	while (s.size && !o->failed) {
		ssize_t n = write(o->fd, s.at, s.size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			output_fail(o, errno);
			return;
		}
		s = span_from(s, (size_t)n);
	}
}

void output_flush(struct output *o)
{
	write_all(o, (struct span){ .at = o->buf, .size = o->used });
	o->used = 0;
}

void output_large(struct output *o, struct span s)
{
	output_flush(o);
	if (s.size >= OUTPUT_BUFFER) {
		write_all(o, s);
		return;
	}
	memcpy(o->buf, s.at, s.size);
	o->used = s.size;
}

void output_pieces(struct output *o, struct iovec *piece, size_t nr)
{
	output_flush(o);
	while (nr && !o->failed) {
		ssize_t n = writev(o->fd, piece, nr < IOV_MAX ? (int)nr : IOV_MAX);
		size_t left = n < 0 ? 0 : (size_t)n;

		if (n < 0 && errno != EINTR)
			output_fail(o, errno);
		while (nr && left >= piece->iov_len) {
			left -= piece->iov_len;
			piece++;
			nr--;
		}
		if (nr) {
			piece->iov_base = (char *)piece->iov_base + left;
			piece->iov_len -= left;
		}
	}
}

void output_patch(struct output *o, uint64_t at, struct span s)
{
	output_flush(o);
	while (s.size && !o->failed) {
		ssize_t n = pwrite(o->fd, s.at, s.size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			output_fail(o, errno);
			return;
		}
		s = span_from(s, (size_t)n);
		at += (uint64_t)n;
	}
}

static void release(struct output *o)
{
	free(o->buf);
	o->buf = NULL;
	if (o->place.path)
		atomic_file_close(&o->place);
}

void output_drop(struct output *o)
{
	if (o->fd != STDOUT_FILENO)
		close(o->fd);
	release(o);
}

int output_close(struct output *o, struct error *e)
{
	output_flush(o);
	if (o->fd != STDOUT_FILENO && close(o->fd))
		output_fail(o, errno);
	if (o->place.path && !o->failed && atomic_file_take(&o->place, PLACE_REPLACES))
		output_fail(o, errno);
	release(o);
	if (!o->failed)
		return 0;
	errno = o->sys;
	return error_sys(e, "%s", o->name);
}
