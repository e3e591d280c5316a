#include "image/process_roots.h"

#include "base/strbuf.h"
#include "base/whole_file.h"
#include "image/image_internal.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STATUS_MAX = 64 * 1024 };

/* `process` is a pid or "self". */
static bool find_root(const char *process, struct root *r)
{
	struct stat root, mounts;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/root", process);
	if (stat(path, &root))
		return false;
	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", process);
	if (stat(path, &mounts))
		return false;
	r->device = root.st_dev;
	r->inode = root.st_ino;
	r->mounts = mounts.st_ino;
	return true;
}

static bool is_same(const struct root *a, const struct root *b)
{
	return a->device == b->device && a->inode == b->inode && a->mounts == b->mounts;
}

static bool find_other(uint32_t pid, struct root *r)
{
	struct root own;
	char name[16];

	*r = (struct root){ .pid = pid };
	snprintf(name, sizeof(name), "%u", pid);
	return find_root(name, r) && find_root("self", &own) && !is_same(r, &own);
}

bool root_is_other(uint32_t pid)
{
	struct root r;

	return find_other(pid, &r);
}

void roots_add(struct roots *r, uint32_t pid)
{
	struct root new;

	if (r->nr == ROOTS_MAX || !find_other(pid, &new))
		return;
	for (size_t i = 0; i < r->nr; i++)
		if (is_same(&r->root[i], &new))
			return;
	r->root[r->nr++] = new;
}

/* "NSpid:	4711	12": the pid in each namespace, from ours to the process' own. */
uint32_t root_own_pid(uint32_t pid)
{
	uint64_t number = pid;
	char path[64], *bytes;
	struct span all;
	size_t size;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	bytes = whole_file(path, STATUS_MAX, &size);
	all = (struct span){ bytes, bytes ? size : 0 };
	while (all.size) {
		struct span line = span_line(&all);

		if (!span_is(span_word(&line), "NSpid:"))
			continue;
		for (struct span word; (word = span_word(&line)).size;)
			if (!span_u64(word, &number) || number > INT32_MAX)
				number = pid;
	}
	free(bytes);
	return (uint32_t)number;
}

bool root_is_apart(uint32_t pid, uint32_t *own_pid)
{
	*own_pid = root_own_pid(pid);
	return *own_pid != pid || root_is_other(pid);
}

static int open_path(int folder, struct span path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = { .flags = flags | O_PATH | O_CLOEXEC,
				.resolve = resolve | RESOLVE_NO_MAGICLINKS };
	struct strbuf name = { 0 };
	int fd;

	strbuf_add(&name, path);
	fd = (int)syscall(SYS_openat2, folder, name.at, &how, sizeof(how));
	strbuf_release(&name);
	return fd;
}

/* Symbolic links are resolved below that root: a malicious container cannot make us leave it. */
static int open_in_root(uint32_t pid, struct span path, uint64_t flags)
{
	char root[64];
	int folder, fd;

	snprintf(root, sizeof(root), "/proc/%u/root", pid);
	folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return -1;
	fd = open_path(folder, path, flags, RESOLVE_IN_ROOT);
	close(folder);
	return fd;
}

/*
 * Only regular files: opening a device or a pipe may block, or have side effects.  Closes `path`.
 */
static int open_regular(int path)
{
	struct stat st;
	char name[64];
	int fd = -1;

	if (path < 0)
		return -1;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", path);
	if (!fstat(path, &st) && S_ISREG(st.st_mode))
		fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	close(path);
	return fd;
}

int root_open(uint32_t pid, struct span path)
{
	return open_regular(open_in_root(pid, path, 0));
}

int root_open_folder(uint32_t pid, struct span path)
{
	return open_in_root(pid, path, O_DIRECTORY);
}

int folder_open(int folder, struct span name)
{
	return open_regular(open_path(folder, name, 0, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS));
}
