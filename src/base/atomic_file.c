#include "base/atomic_file.h"

#include "base/alloc.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t folder_size(struct span path)
{
	size_t slash = span_rfind(path, '/');

	return slash < path.size ? slash + 1 : 0;
}

/* Magic links of /proc lead to an open file, which may have no name. */
static bool is_open_file(const struct stat *link)
{
	struct stat proc;

	return !stat("/proc", &proc) && proc.st_dev == link->st_dev;
}

/* Follows one symbolic link; false if it is not a link, or a magic one. */
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

/* The mode that open() would give a new file; umask() can only be read by setting it. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int find(struct atomic_file *p, const char *name, struct error *e)
{
	/* The kernel's limit, too. */
	enum { LINKS_MAX = 40 };
	struct stat st = { .st_mode = S_IFREG };
	struct strbuf path = { 0 };
	bool is_name = true, there;

	if (!strcmp(name, "-"))
		return 0;
	there = !stat(name, &st);
	if (!there && errno != ENOENT)
		return error_sys(e, "%s", name);
	errno = S_ISDIR(st.st_mode) ? EISDIR : 0;
	if (errno || (!S_ISREG(st.st_mode) && access(name, W_OK)))
		return error_sys(e, "%s", name);
	strbuf_add(&path, span_of(name));
	for (int i = 0; i < LINKS_MAX && follow(&path, &is_name); i++)
		;
	if (!S_ISREG(st.st_mode) || !is_name)
		strbuf_release(&path);
	p->path = path.at;
	p->mode = there ? st.st_mode & 0777 : usual_mode();
	p->is_foreign = there && (st.st_uid != geteuid() || st.st_gid != getegid());
	p->uid = st.st_uid;
	p->gid = st.st_gid;
	return 0;
}

/* "DIR/" or "./", and the name after it */
static char *path_beside(const char *path, const char *name)
{
	struct span all = span_of(path);
	struct strbuf beside = { 0 };

	strbuf_add(&beside, span_upto(all, folder_size(all)));
	if (!beside.size)
		strbuf_add(&beside, SPAN("./"));
	strbuf_add(&beside, span_of(name));
	return beside.at;
}

enum { OPEN_PATH = 32 };

/* The path by which linkat() can name an unnamed open file. */
static void open_path(char path[OPEN_PATH], int fd)
{
	snprintf(path, OPEN_PATH, "/proc/self/fd/%d", fd);
}

/* An unnamed file (O_TMPFILE), if linkat() will be able to name it. */
static int open_unnamed(const char *path)
{
	char *folder = path_beside(path, "");
	int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	char open_as[OPEN_PATH];

	free(folder);
	if (fd < 0)
		return -1;
	open_path(open_as, fd);
	if (!access(open_as, F_OK))
		return fd;
	close(fd);
	return -1;
}

int atomic_file_open(struct atomic_file *p, const char *name, struct error *e)
{
	*p = (struct atomic_file){ .fd = -1 };
	if (find(p, name, e))
		return -1;
	if (!p->path)
		return 0;
	p->fd = open_unnamed(p->path);
	if (p->fd < 0) {
		p->temporary = path_beside(p->path, ".wick-XXXXXX");
		p->fd = mkostemp(p->temporary, O_CLOEXEC);
	}
	if (p->fd >= 0)
		return 0;
	error_sys(e, "%s", name);
	free(p->temporary);
	p->temporary = NULL;
	atomic_file_close(p);
	return -1;
}

static int link_open(int fd, const char *to)
{
	char open_as[OPEN_PATH];

	open_path(open_as, fd);
	return linkat(AT_FDCWD, open_as, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

/* linkat() cannot replace a file, rename() can: so it gets a temporary name first. */
static int name_beside(struct atomic_file *p)
{
	enum { TRIES = 100 };
	char name[32], *beside;
	uint64_t number;
	int ret = -1;

	for (int i = 0; i < TRIES && ret; i++) {
		if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
			return -1;
		snprintf(name, sizeof(name), ".wick-%016llx", (unsigned long long)number);
		beside = path_beside(p->path, name);
		ret = link_open(p->fd, beside);
		if (!ret)
			p->temporary = beside;
		else
			free(beside);
		if (ret && errno != EEXIST)
			return -1;
	}
	return ret;
}

static int keep_old(const char *path)
{
	struct strbuf old = { 0 };
	int ret;

	strbuf_addf(&old, "%s.old", path);
	ret = rename(path, old.at) && errno != ENOENT ? -1 : 0;
	strbuf_release(&old);
	return ret;
}

int atomic_file_take(struct atomic_file *p, enum place_before before)
{
	/* Keeps the owner, as if it was written in place; only root may do that. */
	if (before == PLACE_REPLACES && p->is_foreign && fchown(p->fd, p->uid, p->gid))
		errno = 0;
	if (fchmod(p->fd, p->mode) || (before == PLACE_KEEPS_OLD && keep_old(p->path)))
		return -1;
	if (!p->temporary && !link_open(p->fd, p->path))
		return 0;
	if (!p->temporary && (errno != EEXIST || name_beside(p)))
		return -1;
	if (rename(p->temporary, p->path))
		return -1;
	free(p->temporary);
	p->temporary = NULL;
	return 0;
}

void atomic_file_close(struct atomic_file *p)
{
	if (p->temporary)
		unlink(p->temporary);
	if (p->fd >= 0)
		close(p->fd);
	free(p->temporary);
	free(p->path);
	*p = (struct atomic_file){ .fd = -1 };
}
