#include "cmd/outputs.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t folder_size(struct span path)
{
	size_t slash = span_rfind(path, '/');

	return slash < path.size ? slash + 1 : 0;
}

/* Links in /proc lead to what is open, not to a name. */
static bool is_open_file(const struct stat *link)
{
	struct stat proc;

	return !stat("/proc", &proc) && proc.st_dev == link->st_dev;
}

/* One link further; false where there is none, or where it leads to no name. */
static bool follow(struct strbuf *place, bool *is_name)
{
	char to[PATH_MAX];
	struct stat st;
	ssize_t n;

	if (lstat(place->at, &st) || !S_ISLNK(st.st_mode))
		return false;
	*is_name = !is_open_file(&st);
	n = readlink(place->at, to, sizeof(to));
	if (!*is_name || n <= 0)
		return false;
	place->size = *to == '/' ? 0 : folder_size(strbuf_peek(place));
	strbuf_add(place, (struct span){ .at = to, .size = (size_t)n });
	return true;
}

/*
 * The place that the name means: a link stays one, and what it leads to is replaced.  None where it
 * is standard output, a terminal or a pipe: no other file could take their places.
 */
static int find_place(const char *path, struct strbuf *place, struct error *e)
{
	/* The kernel follows no more either. */
	enum { LINKS_MAX = 40 };
	struct stat st = { .st_mode = S_IFREG };
	bool is_name = true;

	if (!strcmp(path, "-"))
		return 0;
	if (stat(path, &st) && errno != ENOENT)
		return error_sys(e, "%s", path);
	errno = S_ISDIR(st.st_mode) ? EISDIR : 0;
	if (errno || (!S_ISREG(st.st_mode) && access(path, W_OK)))
		return error_sys(e, "%s", path);
	strbuf_add(place, span_of(path));
	for (int i = 0; i < LINKS_MAX && follow(place, &is_name); i++)
		;
	if (!S_ISREG(st.st_mode) || !is_name)
		strbuf_release(place);
	return 0;
}

/* As any new file of ours: what the person's mask leaves. */
static int open_to_others(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

const char *output_file_write(const struct output_file *f)
{
	return f->beside ? f->write : f->path;
}

int output_file_open(struct output_file *f, const char *path, uid_t uid, gid_t gid, struct error *e)
{
	struct strbuf name = { 0 }, place = { 0 };
	struct span all;

	*f = (struct output_file){ .path = path, .fd = -1, .uid = uid, .gid = gid };
	if (find_place(path, &place, e))
		return -1;
	if (!place.at)
		return 0;
	all = strbuf_peek(&place);
	strbuf_add(&name, span_upto(all, folder_size(all)));
	strbuf_add(&name, SPAN(".wick-XXXXXX"));
	f->fd = mkostemp(name.at, O_CLOEXEC);
	if (f->fd < 0) {
		error_sys(e, "%s", path);
		strbuf_release(&name);
		strbuf_release(&place);
		return -1;
	}
	f->beside = name.at;
	f->place = place.at;
	snprintf(f->write, sizeof(f->write), "/proc/self/fd/%d", f->fd);
	open_to_others(f->fd);
	return 0;
}

int output_file_failed(const struct output_file *f, struct error *e)
{
	size_t size = strlen(f->write);

	if (!f->beside || strncmp(e->text, f->write, size) != 0 || e->text[size] != ':')
		return -1;
	size += strlen(": ");
	memmove(e->text, e->text + size, strlen(e->text + size) + 1);
	return error_within(e, "%s", f->path);
}

static void release(struct output_file *f)
{
	close(f->fd);
	free(f->beside);
	free(f->place);
	f->beside = f->place = NULL;
}

int output_file_finish(struct output_file *f, struct error *e)
{
	struct strbuf old = { 0 };
	int ret = 0;

	if (!f->beside)
		return 0;
	strbuf_addf(&old, "%s.old", f->place);
	if (f->uid != (uid_t)-1)
		ret = lchown(f->beside, f->uid, f->gid);
	if (ret || (rename(f->place, old.at) && errno != ENOENT) || rename(f->beside, f->place))
		ret = error_sys(e, "%s", f->path);
	strbuf_release(&old);
	if (ret)
		return -1;
	release(f);
	return 0;
}

void output_file_close(struct output_file *f)
{
	if (!f->beside)
		return;
	unlink(f->beside);
	release(f);
}
