#include "record/targets/held_files.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void held_files_release(struct held_files *k)
{
	for (size_t i = 0; i < k->nr; i++)
		if (k->fd[i] >= 0)
			close(k->fd[i]);
	free(k->fd);
	intern_release(&k->files);
	*k = (struct held_files){ 0 };
}

/* Only regular files: opening a device or a pipe may have side effects, or block. */
static int open_plain(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* The file name of a path: only that is the same inside and outside of a container. */
static struct span base_name(struct span path)
{
	struct span gone = SPAN(" (deleted)");
	size_t slash = span_rfind(path, '/');

	if (span_ends(path, gone.at))
		path.size -= gone.size;
	return slash < path.size ? span_from(path, slash + 1) : path;
}

/* The mapping itself, even if its file was deleted; unless another file is mapped there by now. */
static int open_map(const struct record *r)
{
	char path[64], file[4096];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, r->pid,
		 r->mmap.addr, r->mmap.addr + r->mmap.len);
	n = readlink(path, file, sizeof(file));
	if (n <= 0 ||
	    !span_eq(base_name((struct span){ file, (size_t)n }), base_name(r->mmap.path)))
		return -1;
	return open_plain(path);
}

/* Opens the mapping; else its path in the process's root; else its path in wick's root. */
static int open_mapped(const struct record *r)
{
	char path[4200];
	int fd = open_map(r);

	if (fd < 0) {
		snprintf(path, sizeof(path), "/proc/%u/root%.*s", r->pid, (int)r->mmap.path.size,
			 r->mmap.path.at);
		fd = open_plain(path);
	}
	if (fd < 0) {
		snprintf(path, sizeof(path), "%.*s", (int)r->mmap.path.size, r->mmap.path.at);
		fd = open_plain(path);
	}
	return fd;
}

static struct span key_of(struct strbuf *key, struct span root, struct span path,
			  struct span build_id)
{
	strbuf_add(key, build_id);
	strbuf_addch(key, ' ');
	strbuf_add(key, root);
	strbuf_add(key, path);
	return strbuf_peek(key);
}

void held_files_put(struct held_files *k, struct span path, int fd)
{
	struct strbuf key = { 0 };

	if (intern(&k->files, key_of(&key, SPAN(""), path, SPAN(""))) == k->nr) {
		GROW(k->fd, k->nr, k->cap);
		k->fd[k->nr++] = fd;
	} else {
		close(fd);
	}
	strbuf_release(&key);
}

void held_files_add(struct held_files *k, const struct record *r, struct span root)
{
	char hex[2 * BUILD_ID_MAX + 1];
	struct strbuf key = { 0 };
	size_t n = 0;

	if (r->kind != RECORD_MMAP || !span_starts(r->mmap.path, "/") ||
	    span_starts(r->mmap.path, "//anon") || (r->mmap.prot && !(r->mmap.prot & PROT_EXEC)))
		return;
	for (size_t i = 0; i < r->mmap.build_id.size; i++)
		n += (size_t)snprintf(hex + n, sizeof(hex) - n, "%02x",
				      (unsigned char)r->mmap.build_id.at[i]);
	if (k->nr < KEPT_MAX &&
	    intern(&k->files, key_of(&key, root, r->mmap.path, (struct span){ hex, n })) == k->nr) {
		GROW(k->fd, k->nr, k->cap);
		k->fd[k->nr++] = open_mapped(r);
	}
	strbuf_release(&key);
}

static int find_fd(const struct held_files *k, struct span path, struct span build_id)
{
	struct strbuf key = { 0 };
	struct span wanted = key_of(&key, SPAN(""), path, build_id);
	uint32_t i = intern_find(&k->files, wanted, intern_hash(wanted));

	strbuf_release(&key);
	return i != INTERN_NONE ? k->fd[i] : -1;
}

char *held_files_find(void *kept, struct span path, struct span build_id)
{
	struct strbuf where = { 0 };
	int fd = find_fd(kept, path, build_id);

	/* Records made from /proc have no build ID: it was read from the file later. */
	if (fd < 0)
		fd = find_fd(kept, path, SPAN(""));
	if (fd >= 0)
		strbuf_addf(&where, "/proc/self/fd/%d", fd);
	return where.at;
}
