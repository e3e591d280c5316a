#include "base/output.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
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

static void write_all(struct output *o, struct span s)
{
	while (s.size && !o->failed) {
		ssize_t n = write(o->fd, s.at, s.size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			o->failed = true;
			o->sys = errno;
			return;
		}
		s = span_from(s, (size_t)n);
	}
}

static void output_flush(struct output *o)
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

int output_close(struct output *o, struct error *e)
{
	output_flush(o);
	if (o->fd != STDOUT_FILENO && close(o->fd) && !o->failed) {
		o->failed = true;
		o->sys = errno;
	}
	free(o->buf);
	o->buf = NULL;
	if (!o->failed)
		return 0;
	errno = o->sys;
	return error_sys(e, "%s", o->name);
}
