#include "ingest/file_changes.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

void files_release(struct files *f)
{
	free(f->file);
	*f = (struct files){ 0 };
}

void files_see(struct files *f, module_id module, const struct file_identity *identity)
{
	struct file *file;

	if (!identity->inode)
		return;
	if (module.i >= f->nr) {
		size_t nr = module.i < 32 ? 64 : (size_t)module.i * 2;

		f->file = xreallocarray(f->file, nr, sizeof(*f->file));
		memset(f->file + f->nr, 0, (nr - f->nr) * sizeof(*f->file));
		f->nr = nr;
	}
	file = &f->file[module.i];
	/* Only on the same device: for an overlay, the kernel and perf may report different device numbers. */
	file->several |= file->identity.inode && file->identity.inode != identity->inode &&
			 file->identity.major == identity->major &&
			 file->identity.minor == identity->minor;
	file->identity = *identity;
}

static uint64_t ns(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The generation distinguishes files that had the same inode one after the other.  0: not supported. */
static uint32_t generation_of(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	/* FS_IOC_GETVERSION is declared with a long, but file systems write an int. */
	uint32_t generation[2] = { 0 };

	if (fd < 0)
		return 0;
	if (ioctl(fd, FS_IOC_GETVERSION, generation))
		generation[0] = 0;
	close(fd);
	return generation[0];
}

static bool is_other_generation(const struct file_identity *i, const char *path)
{
	uint32_t now = i->generation ? generation_of(path) : 0;

	return now && now != i->generation;
}

/*
 * Can inodes be compared?  Only if the device numbers are equal.  If they are not, the file may still be the same:
 * containers, other machines and some file systems (overlay, btrfs) have other numbers for the same device.
 */
static bool is_comparable(const struct file_identity *i, const struct files_recorded *r,
			  const struct stat *now)
{
	return r->here && i->inode && i->major == major(now->st_dev) &&
	       i->minor == minor(now->st_dev);
}

enum file_doubt file_doubt(const struct file *file, const struct files_recorded *r,
			   const char *path, const struct stat *now)
{
	const struct file_identity *i = &file->identity;
	bool comparable = is_comparable(i, r, now);

	if (file->several ||
	    (comparable && (i->inode != now->st_ino || is_other_generation(i, path))))
		return FILE_REPLACED;
	if (r->until && ns(now->st_mtim) > r->until)
		return FILE_NEWER;
	/* An installed file has the mtime of its build; its ctime is when it was installed. */
	if (r->here && r->until && (comparable || ns(now->st_ctim) <= r->until))
		return FILE_SAME;
	return FILE_UNCERTAIN;
}

static void note(struct profile *p, enum file_doubt doubt, struct span path)
{
	static const struct {
		enum note_code code;
		const char *what;
	} notes[] = {
		[FILE_UNCERTAIN] = { NOTE_FILE_BY_PATH, "" },
		[FILE_NEWER] = { NOTE_FILE_CHANGED, ": modified after the recording" },
		[FILE_REPLACED] = { NOTE_FILE_CHANGED, ": replaced by another file" },
	};
	char text[NOTE_TEXT_MAX];
	int n;

	if (doubt == FILE_SAME)
		return;
	n = snprintf(text, sizeof(text), "%.*s%s", (int)path.size, path.at, notes[doubt].what);
	notes_add(&p->notes, notes[doubt].code, 1, 0,
		  (struct span){ text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1 });
}

void files_note(const struct files *f, struct profile *p, const bool *used,
		const struct files_recorded *r, const struct image_opts *o)
{
	static const struct file unknown;
	struct strbuf full = { 0 };

	for (uint32_t i = 1; i < p->nr_module; i++) {
		struct span path = profile_peek(p, p->module[i].path);
		const struct file *file = i < f->nr ? &f->file[i] : &unknown;
		struct stat st;

		if (!used[i] || p->module[i].build_id.i || !path.size || path.at[0] != '/' ||
		    image_is_list(path))
			continue;
		strbuf_reset(&full);
		if (o->symfs)
			strbuf_add(&full, span_of(o->symfs));
		strbuf_add(&full, path);
		/* Symbolization adds the note about a missing file. */
		if (!stat(full.at, &st) && S_ISREG(st.st_mode))
			note(p, file_doubt(file, r, full.at, &st), path);
	}
	strbuf_release(&full);
}
