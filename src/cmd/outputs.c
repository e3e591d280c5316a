#include "cmd/outputs.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *output_file_write(const struct output_file *f)
{
	return f->place.path ? f->write : f->path;
}

/* A file that cannot be made is mostly the fault of its folder. */
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
		error_hint(e, "-o /tmp/%s writes it where everybody may",
			   slash < whole.size ? path + slash + 1 : path);
	strbuf_release(&text);
	return -1;
}

int output_file_open(struct output_file *f, const char *path, uid_t uid, gid_t gid, struct error *e)
{
	*f = (struct output_file){ .path = path, .uid = uid, .gid = gid };
	if (place_open(&f->place, path, e))
		return hint_folder(path, e);
	snprintf(f->write, sizeof(f->write), "/proc/self/fd/%d", f->place.fd);
	if (!f->place.path || !access(f->write, F_OK))
		return 0;
	output_file_close(f);
	error_set(e, ERROR_SYSTEM, "%s: it cannot be written without /proc", path);
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

int output_file_finish(struct output_file *f, struct error *e)
{
	if (!f->place.path)
		return 0;
	if ((f->uid != (uid_t)-1 && fchown(f->place.fd, f->uid, f->gid)) ||
	    place_take(&f->place, PLACE_KEEPS_OLD))
		return error_sys(e, "%s", f->path);
	output_file_close(f);
	return 0;
}

void output_file_close(struct output_file *f)
{
	if (f->place.path)
		place_close(&f->place);
}
