#include "cmd/outputs.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard output, terminals and pipes have no place that another file could take. */
static bool is_plain(const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return false;
	return lstat(path, &st) || S_ISREG(st.st_mode);
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
	struct strbuf name = { 0 };
	struct span all = span_of(path);
	size_t slash = span_rfind(all, '/');

	*f = (struct output_file){ .path = path, .fd = -1, .uid = uid, .gid = gid };
	if (!is_plain(path))
		return 0;
	strbuf_add(&name, span_upto(all, slash < all.size ? slash + 1 : 0));
	strbuf_add(&name, SPAN(".wick-XXXXXX"));
	f->fd = mkostemp(name.at, O_CLOEXEC);
	if (f->fd < 0) {
		strbuf_release(&name);
		return error_sys(e, "%s", path);
	}
	f->beside = name.at;
	snprintf(f->write, sizeof(f->write), "/proc/self/fd/%d", f->fd);
	open_to_others(f->fd);
	return 0;
}

int output_file_finish(struct output_file *f, struct error *e)
{
	struct strbuf old = { 0 };
	int ret = 0;

	if (!f->beside)
		return 0;
	strbuf_addf(&old, "%s.old", f->path);
	if (f->uid != (uid_t)-1)
		ret = lchown(f->beside, f->uid, f->gid);
	if (ret || (rename(f->path, old.at) && errno != ENOENT) || rename(f->beside, f->path))
		ret = error_sys(e, "%s", f->path);
	strbuf_release(&old);
	if (ret)
		return -1;
	close(f->fd);
	free(f->beside);
	f->beside = NULL;
	return 0;
}

void output_file_close(struct output_file *f)
{
	if (!f->beside)
		return;
	unlink(f->beside);
	close(f->fd);
	free(f->beside);
	f->beside = NULL;
}
