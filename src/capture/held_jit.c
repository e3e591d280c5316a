#include "capture/held_jit.h"

#include "base/alloc.h"
#include "image/jit/jitdump.h"
#include "ingest/ingest.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void held_jit_release(struct held_jit *h)
{
	for (size_t i = 0; i < h->nr_folder; i++)
		close(h->folder[i].fd);
	free(h->list);
	intern_release(&h->processes);
	*h = (struct held_jit){ 0 };
}

/* The index of the directory that is open as fd, which becomes h's.  All processes of a container share one. */
static int add_folder(struct held_jit *h, int fd)
{
	struct held_folder new = { .fd = fd };
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st)) {
		new.device = st.st_dev;
		new.inode = st.st_ino;
	}
	for (size_t i = 0; i < h->nr_folder; i++)
		if (h->folder[i].device == new.device && h->folder[i].inode == new.inode) {
			close(fd);
			return (int)i;
		}
	if (h->nr_folder == HELD_FOLDERS_MAX) {
		close(fd);
		return -1;
	}
	h->folder[h->nr_folder] = new;
	return (int)h->nr_folder++;
}

static struct span key_of(const uint32_t *pid)
{
	return (struct span){ (const char *)pid, sizeof(*pid) };
}

static void add_list(struct held_jit *h, uint32_t pid)
{
	struct held_list *list;

	if (h->nr == HELD_LISTS_MAX || intern(&h->processes, key_of(&pid)) != h->nr)
		return;
	GROW(h->list, h->nr, h->cap);
	list = &h->list[h->nr++];
	*list = (struct held_list){ .pid = pid, .folder = -1 };
	if (root_is_apart(pid, &list->own_pid))
		list->folder = add_folder(h, root_open_folder(pid, SPAN("/tmp")));
}

/* A child has the generated code of its parent, without a record of the mapping. */
static void add_child(struct held_jit *h, const struct record *r)
{
	struct span parent = key_of(&r->fork.ppid);

	if (r->pid != r->fork.ppid &&
	    intern_find(&h->processes, parent, intern_hash(parent)) != INTERN_NONE)
		add_list(h, r->pid);
}

static void add_map(struct held_jit *h, struct held_files *files, const struct record *r)
{
	char root[32] = "";
	uint32_t pid;

	if (ingest_is_generated(r))
		add_list(h, r->pid);
	/* The same path as in ingest/dumps.c. */
	if (jitdump_is_path(r->mmap.path, &pid) && root_is_other(r->pid))
		snprintf(root, sizeof(root), "/proc/%u/root", r->pid);
	held_files_add(files, r, span_of(root));
}

void held_jit_add(struct held_jit *h, struct held_files *files, const struct record *r)
{
	if (r->kind == RECORD_MMAP)
		add_map(h, files, r);
	else if (r->kind == RECORD_FORK)
		add_child(h, r);
}

void held_jit_open(struct held_jit *h, struct held_files *files)
{
	char name[32], path[32];

	for (size_t i = 0; i < h->nr; i++) {
		struct held_list *list = &h->list[i];
		int fd = -1;

		snprintf(name, sizeof(name), "perf-%u.map", list->own_pid);
		snprintf(path, sizeof(path), "/tmp/perf-%u.map", list->pid);
		if (list->folder >= 0)
			fd = folder_open(h->folder[list->folder].fd, span_of(name));
		if (fd < 0)
			continue;
		held_files_put(files, span_of(path), fd);
		list->folder = -1;
	}
}
