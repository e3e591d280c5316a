/*
 * A cache of /proc/kallsyms, which takes the kernel longer to generate than all other steps of
 * symbolization together.  There is one file for each kernel, by build ID.  Its addresses are the
 * same for every boot, so they do not reveal where the running kernel is loaded.  The cache is only
 * used in a folder that belongs to us and that no other user can write to.
 */
#include "base/output.h"
#include "base/strbuf.h"
#include "image/image_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "kallsyms-"

enum {
	KEPT_MAX = 4, /* limit of kernels: the oldest files are deleted */
	LEVELS = 2,   /* ~/.cache/wick: both may have to be created */
};

static bool is_ours(int fd, mode_t type)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == type && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/*
 * Opens the folder; -1 unless it is ours.  Creates missing folders, up to `levels` of them, but
 * only in a folder of ours: under sudo, the home folder is not.
 */
static int our_folder(const char *path, int levels)
{
	const char *name = strrchr(path, '/');
	struct strbuf above = { 0 };
	int fd = open_folder(path), parent;

	if (fd < 0 && errno == ENOENT && levels && name && name != path) {
		strbuf_add(&above, (struct span){ path, (size_t)(name - path) });
		parent = our_folder(above.at, levels - 1);
		if (parent >= 0 && !mkdirat(parent, name + 1, S_IRWXU))
			fd = open_folder(path);
		if (parent >= 0)
			close(parent);
		strbuf_release(&above);
	}
	if (fd >= 0 && !is_ours(fd, S_IFDIR)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/*
 * The first line has the build ID, so that a renamed file, or one of another kernel, is not used.
 */
static void add_head(struct strbuf *to, struct span build_id)
{
	strbuf_addf(to, "# %.*s\n", (int)build_id.size, build_id.at);
}

static bool has_head(int fd, struct span build_id)
{
	struct strbuf wanted = { 0 };
	char head[BUILD_ID_HEX_MAX + 4];
	bool same;

	add_head(&wanted, build_id);
	same = wanted.size <= sizeof(head) &&
	       pread(fd, head, wanted.size, 0) == (ssize_t)wanted.size &&
	       !memcmp(head, wanted.at, wanted.size);
	strbuf_release(&wanted);
	return same;
}

/* The build ID comes from the recording and becomes part of a path: only hex digits are valid. */
static bool is_build_id(struct span build_id)
{
	for (size_t i = 0; i < build_id.size; i++)
		if (!is_hex(build_id.at[i]))
			return false;
	return build_id.size && build_id.size < BUILD_ID_HEX_MAX;
}

int kallsyms_cache_open(const char *dir, struct span build_id)
{
	int folder = dir && is_build_id(build_id) ? our_folder(dir, 0) : -1, fd = -1;
	struct strbuf name = { 0 };

	if (folder < 0)
		return -1;
	strbuf_addf(&name, PREFIX "%.*s", (int)build_id.size, build_id.at);
	fd = openat(folder, name.at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && !(is_ours(fd, S_IFREG) && has_head(fd, build_id))) {
		close(fd);
		fd = -1;
	}
	strbuf_release(&name);
	close(folder);
	return fd;
}

/* Writing */

void kallsyms_cache_begin(struct strbuf *list, struct span build_id)
{
	add_head(list, build_id);
}

/* A line as in /proc/kallsyms. */
void kallsyms_cache_add(struct strbuf *list, uint64_t place, char type, struct span name)
{
	static const char digit[] = "0123456789abcdef";
	char front[] = "0000000000000000 t ";
	enum { DIGITS = 16, BITS = 4 };

	for (unsigned i = DIGITS; i--; place >>= BITS)
		front[i] = digit[place & (DIGITS - 1)];
	front[DIGITS + 1] = type;
	strbuf_add(list, (struct span){ front, sizeof(front) - 1 });
	strbuf_add(list, name);
	strbuf_add(list, SPAN("\n"));
}

/* Writes the file atomically, readable for us only. */
static void write_file(const char *path, struct span bytes)
{
	struct error ignored = ERROR_INIT;
	struct output out;

	if (output_open_whole(&out, path, &ignored))
		return;
	out.place.mode = S_IRUSR | S_IWUSR;
	output_large(&out, bytes);
	output_close(&out, &ignored);
}

/* The number of cached lists, and the oldest of them. */
static size_t count_lists(DIR *d, int folder, struct strbuf *oldest)
{
	struct timespec least = { 0 };
	struct dirent *entry;
	struct stat st;
	size_t nr = 0;

	rewinddir(d);
	while ((entry = readdir(d))) {
		if (!span_starts(span_of(entry->d_name), PREFIX) ||
		    fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (!nr++ || st.st_mtim.tv_sec < least.tv_sec ||
		    (st.st_mtim.tv_sec == least.tv_sec && st.st_mtim.tv_nsec < least.tv_nsec)) {
			least = st.st_mtim;
			strbuf_reset(oldest);
			strbuf_add(oldest, span_of(entry->d_name));
		}
	}
	return nr;
}

static void delete_oldest(const char *dir, int folder)
{
	DIR *d = opendir(dir);
	struct strbuf oldest = { 0 };

	while (d && count_lists(d, folder, &oldest) > KEPT_MAX)
		if (unlinkat(folder, oldest.at, 0))
			break;
	if (d)
		closedir(d);
	strbuf_release(&oldest);
}

void kallsyms_cache_end(const char *dir, struct span build_id, struct span list)
{
	int folder = dir && is_build_id(build_id) ? our_folder(dir, LEVELS) : -1;
	struct strbuf path = { 0 };

	if (folder < 0)
		return;
	strbuf_addf(&path, "%s/" PREFIX "%.*s", dir, (int)build_id.size, build_id.at);
	write_file(path.at, list);
	delete_oldest(dir, folder);
	strbuf_release(&path);
	close(folder);
}
