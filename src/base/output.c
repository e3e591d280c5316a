#include "base/output.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
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

/* As open() would have made it; umask() can only be asked by setting it. */
static void set_mode(int fd, const struct stat *before)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, before ? before->st_mode & 0777 : 0666 & ~mask);
}

int output_open_whole(struct output *o, const char *path, struct error *e)
{
	struct stat st;
	bool there = !stat(path, &st);
	char *final, *temporary;
	size_t size;
	int fd;

	if (!strcmp(path, "-") || (there && !S_ISREG(st.st_mode)))
		return output_open(o, path, e);
	/* A link stays one: what it leads to is replaced. */
	final = there ? realpath(path, NULL) : NULL;
	if (!final)
		final = xstrdup(path);
	size = strlen(final) + sizeof(".XXXXXX");
	temporary = xmalloc(size);
	snprintf(temporary, size, "%s.XXXXXX", final);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		/* A folder that takes no new files may still have this one. */
		free(final);
		free(temporary);
		return output_open(o, path, e);
	}
	set_mode(fd, there ? &st : NULL);
	*o = (struct output){ .fd = fd,
			      .name = path,
			      .buf = xmalloc(OUTPUT_BUFFER),
			      .final = final,
			      .temporary = temporary };
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
	free(o->final);
	free(o->temporary);
	o->buf = o->final = o->temporary = NULL;
}

void output_drop(struct output *o)
{
	if (o->fd != STDOUT_FILENO)
		close(o->fd);
	if (o->temporary)
		unlink(o->temporary);
	release(o);
}

int output_close(struct output *o, struct error *e)
{
	output_flush(o);
	if (o->fd != STDOUT_FILENO && close(o->fd))
		output_fail(o, errno);
	if (o->temporary && !o->failed && rename(o->temporary, o->final))
		output_fail(o, errno);
	if (o->temporary && o->failed)
		unlink(o->temporary);
	release(o);
	if (!o->failed)
		return 0;
	errno = o->sys;
	return error_sys(e, "%s", o->name);
}
