#include "write/output_file.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "write/formats.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

const char *output_file_write(const struct output_file *f)
{
	return f->place.path ? f->write : f->path;
}

/* If a file cannot be created, the reason is mostly its folder. */
static int hint_folder(const char *path, struct error *e)
{
	struct span whole = span_of(path), folder;
	size_t slash = span_rfind(whole, '/');
	struct strbuf text = { 0 };

	folder = slash < whole.size ? span_upto(whole, slash ? slash : 1) : SPAN(".");
	strbuf_add(&text, folder);
	if (access(text.at, F_OK))
		error_hint(e, "mkdir -p %s", text.at);
	else if (access(text.at, W_OK))
		error_hint(e, "use a writable directory: -o /tmp/%s",
			   slash < whole.size ? path + slash + 1 : path);
	strbuf_release(&text);
	return -1;
}

int output_file_open(struct output_file *f, const char *path, uid_t uid, gid_t gid, struct error *e)
{
	*f = (struct output_file){ .asked = path, .path = path, .uid = uid, .gid = gid };
	if (atomic_file_open(&f->place, path, e))
		return hint_folder(path, e);
	snprintf(f->write, sizeof(f->write), "/proc/self/fd/%d", f->place.fd);
	if (!f->place.path || !access(f->write, F_OK))
		return 0;
	output_file_close(f);
	error_set(e, ERROR_SYSTEM, "%s: cannot write without /proc", path);
	return error_hint(e, "mount -t proc proc /proc");
}

int output_file_failed(const struct output_file *f, struct error *e)
{
	size_t size = strlen(f->write);

	if (!f->place.path || strncmp(e->text, f->write, size) != 0 || e->text[size] != ':')
		return -1;
	size += strlen(": ");
	memmove(e->text, e->text + size, strlen(e->text + size) + 1);
	return error_within(e, "%s", f->path);
}

/* Elsewhere */

/*
 * The nth fallback folder; NULL: it is not set.  The last is in memory, in case all disks are full.
 */
static const char *folder_at(size_t nth)
{
	switch (nth) {
	case 0:
		return getenv("TMPDIR");
	case 1:
		return "/tmp";
	case 2:
		return "/var/tmp";
	case 3:
		return getenv("HOME");
	case 4:
		return "/dev/shm";
	}
	return NULL;
}

enum { FOLDERS = 5 };

/* "dir/app.svg" → "app"; standard output → "flamegraph" */
static struct span stem_of(const char *path)
{
	struct span name = span_base(span_of(strcmp(path, "-") != 0 ? path : "flamegraph"));

	return span_upto(name, name.size - format_ending_size(name.at));
}

bool output_file_move(struct output_file *f, size_t *next, const char *ending)
{
	struct span stem = stem_of(f->asked);
	struct strbuf path = { 0 };
	int fd = -1;

	while (fd < 0 && *next < FOLDERS) {
		const char *folder = folder_at((*next)++);

		if (!folder || *folder != '/')
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%.*s-XXXXXX%s", folder, (int)stem.size, stem.at, ending);
		fd = mkostemps(path.at, (int)strlen(ending), O_CLOEXEC);
	}
	output_file_close(f);
	if (fd < 0) {
		strbuf_release(&path);
		return false;
	}
	f->elsewhere = path.at;
	f->path = f->elsewhere;
	/*
	 * The file has its final name already, so renaming it changes nothing; closing it
	 * unfinished removes it.
	 */
	f->place = (struct atomic_file){
		.path = xstrdup(path.at), .temporary = xstrdup(path.at), .fd = fd, .mode = 0600
	};
	snprintf(f->write, sizeof(f->write), "/proc/self/fd/%d", fd);
	return true;
}

static bool copy(int from, int to)
{
	const size_t at_once = (size_t)1 << 30;
	struct stat st;
	off_t at = 0;

	if (fstat(from, &st))
		return false;
	while (at < st.st_size && sendfile(to, from, &at, at_once) > 0)
		;
	return at == st.st_size;
}

/* Copies a complete file elsewhere if it cannot get the requested name. */
static bool finish_elsewhere(struct output_file *f)
{
	const char *ending = f->asked + strlen(f->asked) - format_ending_size(f->asked);
	int from = open(f->write, O_RDONLY | O_CLOEXEC);
	size_t next = 0;

	while (from >= 0 && !f->is_finished && output_file_move(f, &next, ending))
		f->is_finished = copy(from, f->place.fd) &&
				 (f->uid == (uid_t)-1 || !fchown(f->place.fd, f->uid, f->gid)) &&
				 !atomic_file_take(&f->place, PLACE_REPLACES);
	if (from >= 0)
		close(from);
	if (f->is_finished)
		atomic_file_close(&f->place);
	return f->is_finished;
}

int output_file_hint(const struct output_file *f, struct error *e)
{
	return error_hint(e, "the recording is in %s", f->path);
}

int output_file_finish(struct output_file *f, struct error *e)
{
	enum place_before before = f->elsewhere ? PLACE_REPLACES : PLACE_KEEPS_OLD;

	if (f->place.path && ((f->uid != (uid_t)-1 && fchown(f->place.fd, f->uid, f->gid)) ||
			      atomic_file_take(&f->place, before))) {
		error_sys(e, "%s", f->path);
		return finish_elsewhere(f) ? output_file_hint(f, e) : -1;
	}
	f->is_finished = true;
	atomic_file_close(&f->place);
	return 0;
}

void output_file_close(struct output_file *f)
{
	if (f->place.path)
		atomic_file_close(&f->place);
	free(f->elsewhere);
	f->elsewhere = NULL;
	f->path = f->asked;
}
