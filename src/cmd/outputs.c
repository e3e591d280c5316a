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

int output_file_open(struct output_file *f, const char *path, struct error *e)
{
	struct strbuf name = { 0 };
	struct span folder = span_of(path);
	int fd;

	*f = (struct output_file){ .path = path };
	if (!is_plain(path)) {
		f->beside = xstrdup(path);
		return 0;
	}
	strbuf_add(&name, span_upto(folder, span_rfind(folder, '/') < folder.size
						    ? span_rfind(folder, '/') + 1
						    : 0));
	strbuf_add(&name, SPAN(".wick-XXXXXX"));
	fd = mkostemp(name.at, O_CLOEXEC);
	if (fd < 0) {
		strbuf_release(&name);
		return error_sys(e, "%s", path);
	}
	f->beside = name.at;
	open_to_others(fd);
	close(fd);
	return 0;
}

int output_file_finish(struct output_file *f, struct error *e)
{
	struct strbuf old = { 0 };
	int ret = 0;

	if (strcmp(f->beside, f->path) != 0) {
		strbuf_addf(&old, "%s.old", f->path);
		if ((rename(f->path, old.at) && errno != ENOENT) || rename(f->beside, f->path))
			ret = error_sys(e, "%s", f->path);
	}
	strbuf_release(&old);
	if (ret)
		return -1;
	free(f->beside);
	f->beside = NULL;
	return 0;
}

void output_file_close(struct output_file *f)
{
	if (f->beside && strcmp(f->beside, f->path) != 0)
		unlink(f->beside);
	free(f->beside);
	f->beside = NULL;
}
